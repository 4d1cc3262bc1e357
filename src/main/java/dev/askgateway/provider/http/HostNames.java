package dev.askgateway.provider.http;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which hosts may be looked up at all. Everything that two readers could read differently (2130706433,
 * 0x7f.1, 0177.0.0.1, a dot at the end, a zone) is refused before anybody reads it.
 */
public final class HostNames {
  private static final int MOST = 253;
  private static final Pattern NAME =
      Pattern.compile("(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?\\.)*"
          + "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9A-Fa-f]*");
  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  private static final Pattern IPV4 = Pattern.compile("(?:" + OCTET + "\\.){3}" + OCTET);
  private static final Pattern IPV6 =
      Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");

  /** Names of this machine, its network, and of services that hand out credentials. */
  private static final List<String> LOCAL =
      List.of("localhost", "local", "internal", "localdomain", "lan", "home.arpa");

  private static final List<String> METADATA =
      List.of("metadata", "metadata.goog", "metadata.google.internal", "instance-data");

  private HostNames() {}

  /** Whether the host is a plain name, or an address in its one canonical form. */
  public static boolean isPlain(String host) {
    String bare = bare(host);
    if (!bare.equals(host) || host.contains(":")) {
      return IPV6.matcher(bare).matches() && bare.length() <= 45;
    }
    String last = host.substring(host.lastIndexOf('.') + 1);
    return NUMBER.matcher(last).matches()
        ? IPV4.matcher(host).matches()
        : host.length() <= MOST && NAME.matcher(host).matches();
  }

  /** Whether the name says that it leads to a service with credentials. */
  static boolean isMetadata(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return METADATA.contains(name) || name.startsWith("instance-data.");
  }

  /** Whether the name says that it leads to this machine or its network. */
  static boolean isLocal(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return LOCAL.stream().anyMatch(local -> name.equals(local) || name.endsWith("." + local));
  }

  /** The host without the brackets of an IPv6 address. */
  static String bare(String host) {
    return host.length() > 2 && host.startsWith("[") && host.endsWith("]")
        ? host.substring(1, host.length() - 1)
        : host;
  }
}
