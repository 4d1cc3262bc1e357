package dev.askgateway.answer;

import dev.askgateway.core.EmbeddingUse;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.PlannerOutcome;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.Routing;
import dev.askgateway.core.Scope;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.store.Arm;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps of an answer between its two ends: plan, retrieve, prompt, generate, price. */
public interface Engine {

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

    /** The arm of a rollout that the question has, or null. */
    default @Nullable Arm arm() {
      return null;
    }

    /** Whether evidence is quoted because the operator has switched models off. */
    default boolean isPlain() {
      return false;
    }

    /** The most that the answer can cost with its plan, micro-USD: what is held for it. */
    long worstCaseMicroUsd();

    /**
     * Plans the route's question, on the caller's loop but for a long one: by tables, and where they do
     * not suffice, that is on and it is held for, by one call of a model. To be called once.
     */
    Future<Planning> plan(Instant at, ZoneId zone, Listener listener);

    /**
     * Looks for the evidence of the route's question, on the caller's loop.
     *
     * @param at the moment of the request, in the account's zone
     * @param span of the request, under which each step of the search is traced
     */
    Future<Evidence> retrieve(
        QueryPlan plan, ZonedDateTime at, Scope scope, Span span, Listener listener);

    /** What a call for a question's vector costs. */
    long embeddingMicroUsd(EmbeddingUse use);

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

  /**
   * What a question is searched by.
   *
   * @param planner what came of the model that was needed for it, or null where none was or none may be
   */
  record Resolved(QueryPlan plan, @Nullable PlannerOutcome planner) {
    /** Puts that outcome into the plan as clients and the stored turn show it. */
    JsonObject told(JsonObject json) {
      return planner == null ? json : json.put("planner", planner.wire());
    }
  }

  /** The planning of one question. */
  interface Planning {
    /** Does not fail: without a model's plan it is that of the tables. */
    Future<Resolved> resolved();

    /** The call that was made for it with what it has used so far, or null. */
    Bill.@Nullable Call call();

    /** Stops the call that runs for it. Safe at any time. */
    void cancel();

    /** One that asks nobody. */
    static Planning of(Resolved plan) {
      return new Planning() {
        @Override
        public Future<Resolved> resolved() {
          return Future.succeededFuture(plan);
        }

        @Override
        public Bill.@Nullable Call call() {
          return null;
        }

        @Override
        public void cancel() {
          // it is over
        }
      };
    }
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

  /** What planning and generation tell while they look for a provider. */
  interface Listener {
    /** Hears the same of each call, and how it went on: for those who count and log. */
    default AttemptListener counted() {
      return AttemptListener.NONE;
    }

    /** The call for the plan ended; a null code: it gave an answer, whatever that is worth. */
    default void planned(String provider, GatewayError.@Nullable Code code) {}

    /** The question's vector used so much, which is a part of the answer. */
    default void embedded(EmbeddingUse use) {}

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
