package dev.askgateway.provider.http;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * Lets connections go to public addresses only, so that an address somebody typed in cannot make the
 * gateway speak to its own machine, network or cloud. A host that has one other address is refused as
 * a whole: which of several a connection takes is nobody's promise.
 */
public final class PublicAddresses implements AddressGuard {
  private final HostLookup lookup;
  private final boolean allowPrivate;

  /**
   * A guard.
   *
   * @param allowPrivate whether this machine and its network may be reached, which is for operators
   *     who are the only ones to use the gateway; metadata services and the like stay out of reach
   */
  public PublicAddresses(HostLookup lookup, boolean allowPrivate) {
    this.lookup = lookup;
    this.allowPrivate = allowPrivate;
  }

  @Override
  public Future<SocketAddress> admit(String host, int port) {
    if (!HostNames.isPlain(host)
        || HostNames.isMetadata(host)
        || (!allowPrivate && HostNames.isLocal(host))) {
      return Future.failedFuture(refused());
    }
    return lookup
        .addresses(HostNames.bare(host))
        .recover(unknown -> Future.failedFuture(
            unknown instanceof GatewayError known
                ? known
                : ProviderFailure.error(Kind.UNAVAILABLE, "the host is not known")))
        .compose(found -> found.isEmpty() || !found.stream().allMatch(this::isAllowed)
            ? Future.failedFuture(refused())
            : Future.succeededFuture(to(found, port)));
  }

  private boolean isAllowed(InetAddress address) {
    return switch (IpRanges.kindOf(address)) {
      case PUBLIC -> true;
      case PRIVATE -> allowPrivate;
      case FORBIDDEN -> false;
    };
  }

  /** As a literal, which nobody looks up again. Version 4 first: not every network has the other. */
  private static SocketAddress to(List<InetAddress> found, int port) {
    InetAddress chosen =
        found.stream().filter(Inet4Address.class::isInstance).findFirst().orElse(found.get(0));
    return SocketAddress.inetSocketAddress(port, chosen.getHostAddress());
  }

  /** Nothing changes until somebody acts: the address is as good as a refused key. */
  private static GatewayError refused() {
    return ProviderFailure.error(Kind.ACCOUNT, "the address is not allowed");
  }
}
