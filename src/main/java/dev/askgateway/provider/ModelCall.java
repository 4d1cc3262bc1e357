package dev.askgateway.provider;

import dev.askgateway.core.TokenStream;
import io.vertx.core.Future;

/**
 * One call on its way.
 *
 * @param opened as {@link ModelProvider#open} says
 * @param abort gives the call up before {@code opened} is complete, which then fails; without effect
 *     afterwards
 */
public record ModelCall(Future<TokenStream> opened, Runnable abort) {

  /** A call of any provider. One that cannot be aborted is cancelled as soon as it opens. */
  public static ModelCall start(ModelProvider provider, ModelRequest request, Deadlines deadlines) {
    if (provider instanceof AbortableProvider abortable) {
      return abortable.start(request, deadlines);
    }
    Future<TokenStream> opened = provider.open(request, deadlines);
    return new ModelCall(opened, () -> opened.onSuccess(TokenStream::cancel));
  }
}
