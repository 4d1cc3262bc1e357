package dev.askgateway.provider.openai;

import dev.askgateway.provider.AbortableProvider;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.sse.SseCall;

/** Chat completions over HTTP, streamed. Build one for each event loop, over that loop's client. */
public final class OpenAiProvider implements AbortableProvider {
  private final UpstreamClient client;
  private final ProviderConfig provider;
  private final ModelConfig model;

  public OpenAiProvider(UpstreamClient client, ProviderConfig provider, ModelConfig model) {
    this.client = client;
    this.provider = provider;
    this.model = model;
  }

  @Override
  public String name() {
    return provider.name();
  }

  @Override
  public String model() {
    return model.model();
  }

  @Override
  public Dialect dialect() {
    return Dialect.OPENAI;
  }

  @Override
  public ModelCall start(ModelRequest request, Deadlines deadlines) {
    OpenAiWire wire = new OpenAiWire(provider, model, request, client.dataKeepAlives()::increment);
    return SseCall.start(client, deadlines, wire);
  }
}
