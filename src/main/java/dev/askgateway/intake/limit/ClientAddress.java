package dev.askgateway.intake.limit;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a request comes from, as far as it can be believed. Of an address of version 6 the network
 * counts (the first 64 bits): whoever has one has all the addresses in it.
 */
final class ClientAddress {
  private static final String FORWARDED = "x-forwarded-for";
  private static final int NETWORK_BYTES = 8;
  private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
  private static final Pattern V4 =
      Pattern.compile("(" + BYTE + "(?:\\." + BYTE + "){3})(?::\\d{1,5})?");
  private static final Pattern V6 =
      Pattern.compile("\\[?([0-9a-fA-F:]*:[0-9a-fA-F:.]*)(?:%[^\\]]*)?(?:](?::\\d{1,5})?)?");

  private ClientAddress() {}

  /**
   * The address of the client.
   *
   * @param trustedProxies how many entries at the end of X-Forwarded-For were written by our own
   *     proxies: the first of them is the client's, all before it are what the client says
   */
  static String of(HttpServerRequest request, int trustedProxies) {
    return forwarded(request.headers().getAll(FORWARDED), trustedProxies)
        .or(() -> network(socket(request)))
        .orElse("unknown");
  }

  private static String socket(HttpServerRequest request) {
    SocketAddress remote = request.remoteAddress();
    String address = remote == null ? null : remote.hostAddress();
    return address == null ? "" : address;
  }

  private static Optional<String> forwarded(List<String> headers, int trustedProxies) {
    if (trustedProxies == 0 || headers.isEmpty()) {
      return Optional.empty();
    }
    String[] hops = String.join(",", headers).split(",", -1);
    return hops.length < trustedProxies
        ? Optional.empty()
        : network(hops[hops.length - trustedProxies].strip());
  }

  /** Empty for what is no address; never asks for the address of a name. */
  static Optional<String> network(String text) {
    Matcher four = V4.matcher(text);
    Matcher six = V6.matcher(text);
    if (!four.matches() && !six.matches()) {
      return Optional.empty();
    }
    try {
      InetAddress address = InetAddress.getByName(four.matches() ? four.group(1) : six.group(1));
      return Optional.of(
          address instanceof Inet6Address
              ? HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK_BYTES))
              : address.getHostAddress());
    } catch (UnknownHostException notAnAddress) {
      return Optional.empty();
    }
  }
}
