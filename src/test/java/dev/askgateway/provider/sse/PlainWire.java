package dev.askgateway.provider.sse;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call whose answer a {@link PlainDialect} reads. */
record PlainWire(String url, boolean wrong) implements Wire {
  @Override
  public void headers(MultiMap headers) {}

  @Override
  public Buffer body() {
    return Buffer.buffer("{}");
  }

  @Override
  public SseDialect dialect() {
    return new PlainDialect(wrong);
  }

  @Override
  public GatewayError refusal(int status, String body, @Nullable Duration retryAfter) {
    return ProviderFailure.error(Kind.REFUSED, "status " + status, retryAfter);
  }
}
