package dev.askgateway.answer;

import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.Routing;
import dev.askgateway.core.Scope;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.provider.gate.AttemptListener;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;

/** The steps of an answer between its two ends: plan, retrieve, prompt, generate, price. */
public interface Engine {

  QueryPlan plan(String question, Instant at, ZoneId zone);

  /**
   * Looks for a question's evidence.
   *
   * @param at the moment of the request, in the account's zone
   */
  Future<Evidence> retrieve(
      UserId user, String question, QueryPlan plan, ZonedDateTime at, Scope scope);

  /** What was found, and how the plan was carried out. */
  record Evidence(Routing routing, EvidencePack pack) {}

  /** Who may answer a person's question of that profile; fails with a {@link GatewayError}. */
  Future<Route> route(UserId user, String profile, String question);

  /** The prices that an answer was begun with, for who ends it in another's stead. */
  Bill.Prices prices(String priceBook);

  /** The models and prices of one question's answer, chosen before it begins; it keeps both to its end. */
  interface Route extends Bill.Prices {
    /** The version of its prices. */
    String priceBook();

    /** The most that the answer can cost, micro-USD: what is held for it. */
    long worstCaseMicroUsd();

    /**
     * What the models are told of the route's question: no more tokens, as any of them counts, than
     * {@link #worstCaseMicroUsd} holds for.
     *
     * @param recent earlier turns of the thread, oldest first
     */
    Future<Prompt> prompt(
        QueryPlan plan, Instant at, ZoneId zone, List<RecentTurn> recent, EvidencePack pack);

    /** Starts generation on the caller's loop; providers fail over until the first text. */
    Generation generate(Prompt prompt, Listener listener);
  }

  /** One run of generation. */
  interface Generation {
    /** The stream that won, paused; fails with a {@link GatewayError} when none did. */
    Future<Won> won();

    /** Stops everything that runs for it. Safe at any time. */
    void cancel();
  }

  /** The stream whose text the person sees, and who speaks. */
  record Won(TokenStream stream, String provider, String model) {}

  /** What generation tells while it looks for a provider. */
  interface Listener {
    /** Hears the same of each call, and how it went on: for those who count and log. */
    default AttemptListener counted() {
      return AttemptListener.NONE;
    }

    void attempt(String provider, String model);

    /**
     * It gave no text.
     *
     * @param code CANCELLED when it was stopped by us
     * @param spent what it used all the same: as reported, else by estimate
     */
    void attemptFailed(String provider, String model, GatewayError.Code code, Usage spent);
  }
}
