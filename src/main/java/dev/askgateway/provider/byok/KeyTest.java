package dev.askgateway.provider.byok;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One tiny call that shows whether a connection works: a word in, at most one token out. */
final class KeyTest {
  private static final Deadlines DEADLINES = new Deadlines(
      Duration.ofSeconds(3),
      Duration.ofSeconds(10),
      Duration.ofSeconds(10),
      Duration.ofSeconds(10),
      Duration.ofSeconds(15));

  /**
   * What became of it.
   *
   * @param status the connection's new status
   * @param errorCode a stable code of ours, or null
   * @param capabilities what the call showed, or null when it showed nothing
   */
  record Outcome(
      String status, @Nullable String errorCode, @Nullable JsonObject capabilities) {}

  private KeyTest() {}

  /** Never fails: a failed call is an outcome. */
  static Future<Outcome> run(Vertx vertx, ModelProvider provider) {
    Promise<Boolean> answered = Promise.promise();
    ModelCall call = ModelCall.start(provider, request(), DEADLINES);
    call.opened().onComplete(stream -> read(stream, answered), answered::tryFail);
    long timer = vertx.setTimer(
        DEADLINES.total().toMillis(),
        late -> answered.tryFail(ProviderFailure.error(Kind.TIMEOUT, "total")));
    return answered.future().transform(done -> {
      vertx.cancelTimer(timer);
      call.abort().run();
      call.opened().onSuccess(TokenStream::cancel);
      return Future.succeededFuture(
          done.succeeded() ? good(provider, done.result()) : bad(done.cause()));
    });
  }

  private static ModelRequest request() {
    return new ModelRequest(
        List.of(ModelRequest.Message.of(ModelRequest.Role.USER, "Hi")),
        List.of(),
        ModelRequest.ToolChoice.AUTO,
        null,
        1,
        null,
        null,
        List.of(),
        null,
        null);
  }

  private static void read(TokenStream stream, Promise<Boolean> answered) {
    boolean[] metered = {false};
    stream
        .exceptionHandler(answered::tryFail)
        .endHandler(ended -> answered.tryComplete(metered[0]))
        .handler(event -> metered[0] |= event instanceof TokenEvent.Metered)
        .resume();
  }

  private static Outcome good(ModelProvider provider, boolean metered) {
    JsonObject shown = new JsonObject()
        .put("model", provider.model())
        .put("streaming", true)
        .put("reportsUsage", metered);
    return new Outcome("active", null, shown);
  }

  private static Outcome bad(Throwable cause) {
    GatewayError error = ProviderFailure.transport(cause);
    Kind kind = ProviderFailure.kindOf(error);
    String status =
        switch (kind) {
          case ACCOUNT, REFUSED, REFUSED_LATE, TOO_LARGE -> "invalid";
          case RATE_LIMITED -> "rate_limited";
          case UNAVAILABLE, CROWDED, PROTOCOL, TRUNCATED, TIMEOUT -> "unreachable";
        };
    return new Outcome(status, kind.name().toLowerCase(Locale.ROOT), null);
  }
}
