package dev.askgateway.provider;

import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The upstream clients of a test, held and closed with it. One that nobody holds is closed by the
 * garbage collector, gracefully, and a Vert.x that closes meanwhile waits half a minute for that.
 */
public final class Clients implements AfterEachCallback {
  private final List<UpstreamClient> open = new CopyOnWriteArrayList<>();

  public UpstreamClient open(Vertx vertx, ClientLimits limits) {
    UpstreamClient client = UpstreamClient.create(vertx, limits);
    open.add(client);
    return client;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    List<UpstreamClient> closing = List.copyOf(open);
    open.clear();
    Wait.on(Future.join(closing.stream().map(UpstreamClient::close).toList()));
  }
}
