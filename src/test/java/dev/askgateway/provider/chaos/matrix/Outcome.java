package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.gate.AttemptListener;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/** What came of one request: what its reader saw, and what was heard of the attempts. */
final class Outcome implements AttemptListener {

  /** An attempt that was not chosen. */
  record Failed(String provider, GatewayError error, Usage spent) {}

  private final List<String> started = new ArrayList<>();
  private final List<Failed> failed = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final List<FinishReason> reasons = new ArrayList<>();
  private final Promise<Outcome> ended = Promise.promise();
  private String chosen = "";
  private Usage reported;
  private GatewayError failure;
  private int ends;
  private int late;

  @Override
  public void started(Attempt attempt) {
    started.add(attempt.provider().name());
  }

  @Override
  public void failed(Attempt attempt, GatewayError error, Usage spent, long nanos) {
    failed.add(new Failed(attempt.provider().name(), error, spent));
  }

  /** Reads the chosen stream to its end. */
  void read(String provider, TokenStream stream) {
    chosen = provider;
    stream
        .exceptionHandler(this::fails)
        .endHandler(nothing -> ends(null))
        .handler(this::take)
        .resume();
  }

  void fails(Throwable cause) {
    ends((GatewayError) cause);
  }

  private void ends(GatewayError error) {
    ends++;
    failure = error;
    ended.tryComplete(this);
  }

  private void take(TokenEvent event) {
    late += ends;
    if (event instanceof TokenEvent.Text piece) {
      text.append(piece.delta());
    } else if (event instanceof TokenEvent.Metered metered) {
      reported = metered.usage();
    } else if (event instanceof TokenEvent.Finished finished) {
      reasons.add(finished.reason());
    }
  }

  /** Completes with the first end. */
  Future<Outcome> ended() {
    return ended.future();
  }

  List<String> started() {
    return started;
  }

  List<Failed> failed() {
    return failed;
  }

  String text() {
    return text.toString();
  }

  List<FinishReason> reasons() {
    return reasons;
  }

  /** The model whose stream was read, or "". */
  String chosen() {
    return chosen;
  }

  GatewayError failure() {
    return failure;
  }

  int ends() {
    return ends;
  }

  /** Events that came after an end. */
  int late() {
    return late;
  }

  /** The usage of the chosen model: as reported, else an estimate; nothing when none was chosen. */
  Usage charged() {
    if (chosen.isEmpty()) {
      return Usage.NONE;
    }
    return reported == null ? Usage.estimate(Prompts.request().chars(), text.length()) : reported;
  }
}
