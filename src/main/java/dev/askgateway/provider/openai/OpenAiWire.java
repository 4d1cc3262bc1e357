package dev.askgateway.provider.openai;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.http.UpstreamErrors;
import dev.askgateway.provider.sse.SseDialect;
import dev.askgateway.provider.sse.Wire;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A chat completion as it goes out.
 *
 * @param keepAlive told of each keep-alive in the answer that is written as data
 */
record OpenAiWire(
    ProviderConfig provider, ModelConfig model, ModelRequest request, Runnable keepAlive)
    implements Wire {
  @Override
  public String url() {
    return provider.operation("/chat/completions");
  }

  @Override
  public void headers(MultiMap headers) {
    provider.keyHeader().put(headers, provider.apiKey());
  }

  @Override
  public Buffer body() {
    JsonObject original = request.original();
    JsonObject body = original == null
        ? NeutralBody.of(provider, model, request)
        : VerbatimBody.of(provider, model, request, original);
    return body.toBuffer();
  }

  @Override
  public SseDialect dialect() {
    JsonObject original = request.original();
    return original == null
        ? OpenAiDialect.neutral(keepAlive)
        : OpenAiDialect.verbatim(choices(original), keepAlive);
  }

  private static int choices(JsonObject original) {
    return (int) Math.max(1, Math.min(128, Lenient.numberOr(original, "n", 1)));
  }

  @Override
  public GatewayError refusal(int status, String body, @Nullable Duration retryAfter) {
    return UpstreamErrors.ofStatus(status, body, retryAfter);
  }
}
