package dev.askgateway.provider.sse;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.http.PostCall;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Future;

/** One streamed call. What it says and how the answer is read is the dialect's {@link Wire}. */
public final class SseCall {
  private SseCall() {}

  /** Starts it, on the caller's event loop. */
  public static ModelCall start(UpstreamClient client, Deadlines deadlines, Wire wire) {
    PostCall call = new PostCall(client, wire, deadlines.connect(), deadlines.headers());
    Future<TokenStream> opened = call.send()
        .map(response ->
            SseTokenStream.of(client.vertx(), response, wire.dialect(), client.limits()));
    return new ModelCall(opened, () -> call.giveUp(abandoned()));
  }

  private static GatewayError abandoned() {
    return new GatewayError(GatewayError.Code.CANCELLED, "The call was given up.");
  }
}
