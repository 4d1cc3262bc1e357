package dev.askgateway.provider.openai;

import dev.askgateway.core.Prompt;
import dev.askgateway.provider.AbortableProvider;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.UpstreamClient;

/** Chat completions over HTTP, streamed. Build one for each event loop, over that loop's client. */
public final class OpenAiProvider implements AbortableProvider {
  private final UpstreamClient client;
  private final ProviderConfig config;
  private final Deadlines deadlines;

  /**
   * @param deadlines of which the first two are kept here; the gate keeps the others
   */
  public OpenAiProvider(UpstreamClient client, ProviderConfig config, Deadlines deadlines) {
    this.client = client;
    this.config = config;
    this.deadlines = deadlines;
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public String model() {
    return config.model();
  }

  @Override
  public ModelCall start(Prompt prompt) {
    OpenAiCall call = new OpenAiCall(
        client, config, deadlines, OpenAiRequest.body(config, prompt).toBuffer());
    call.start();
    return new ModelCall(call.opened(), call::abort);
  }
}
