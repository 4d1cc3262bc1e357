package dev.askgateway.provider.http;

import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;

/** Decides which addresses may be connected to, for every connection anew. */
public interface AddressGuard {

  /**
   * Looks a host up and picks an address that may be connected to. The connection goes to that very
   * address, so that a second look-up cannot lead elsewhere.
   *
   * @return the address, or a {@link dev.askgateway.core.GatewayError} with a {@link
   *     dev.askgateway.provider.ProviderFailure} as its cause
   */
  Future<SocketAddress> admit(String host, int port);
}
