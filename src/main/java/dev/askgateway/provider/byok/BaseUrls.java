package dev.askgateway.provider.byok;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.http.AddressGuard;
import dev.askgateway.provider.http.HostNames;
import io.vertx.core.Future;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.TimeUnit;

/**
 * Which addresses people may give. What is refused here is told at once; the guard looks again at each
 * connection, because a name can lead elsewhere tomorrow.
 */
final class BaseUrls {
  /** The JSON pointer of the field. */
  static final String FIELD = "/baseUrl";

  /** A name server may be slow on purpose. */
  private static final long LOOK_UP_MILLIS = 5_000;

  private static final int MOST = 300;
  private static final int HTTPS = 443;
  private static final int FIRST_FREE_PORT = 1024;

  private final AddressGuard guard;

  BaseUrls(AddressGuard guard) {
    this.guard = guard;
  }

  /** Succeeds for an address that may be used, without looking further than its host. */
  Future<Void> check(String url) {
    URI uri;
    try {
      uri = parse(url);
    } catch (GatewayError refused) {
      return Future.failedFuture(refused);
    }
    int port = uri.getPort() == -1 ? HTTPS : uri.getPort();
    return guard
        .admit(uri.getHost(), port)
        .timeout(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS)
        .recover(refused ->
            Future.failedFuture(invalid("The address does not lead to a public server.")))
        .mapEmpty();
  }

  private static URI parse(String url) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException unreadable) {
      throw invalid("The address cannot be read.");
    }
    require(url.length() <= MOST, "The address is longer than 300 characters.");
    require("https".equals(uri.getScheme()), "The address must begin with https://.");
    require(
        uri.getHost() != null && HostNames.isPlain(uri.getHost()),
        "The address has no host that can be looked up.");
    require(uri.getRawUserInfo() == null, "The address must hold no user and no password.");
    require(
        uri.getRawQuery() == null && uri.getRawFragment() == null,
        "The address must have no query and no fragment.");
    String path = uri.getRawPath();
    require(
        path.matches("(/[A-Za-z0-9._~-]+)*/?") && !path.matches(".*/\\.{1,2}(/.*)?"),
        "The path of the address holds more than plain names.");
    int port = uri.getPort();
    require(
        port == -1 || port == HTTPS || (port >= FIRST_FREE_PORT && port <= 65_535),
        "The port of the address is 443, or 1024 and above.");
    return uri;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw invalid(otherwise);
    }
  }

  static GatewayError invalid(String message) {
    return GatewayError.invalid(FIELD, message);
  }
}
