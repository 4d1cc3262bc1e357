package dev.askgateway.provider.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * What an IP address belongs to, by the registries of special-purpose addresses. Of version 6 only the
 * global unicast block is public; whatever is not listed there is forbidden.
 */
final class IpRanges {

  /** Who may be reached at an address. */
  enum Kind {
    /** Anybody's server on the internet. */
    PUBLIC,
    /** This machine or its own network: only an operator at home there may allow it. */
    PRIVATE,
    /** Metadata services, link-local, multicast, reserved, tunnels: never. */
    FORBIDDEN
  }

  /** Looked at first: addresses inside other ranges that hand out credentials to whoever asks. */
  private static final List<Range> METADATA = List.of(
      Range.of("100.100.100.200", 32),
      Range.of("168.63.129.16", 32),
      Range.of("fd00:ec2::", 32),
      Range.of("fd20:ce::", 32));

  private static final List<Range> PRIVATE = List.of(
      Range.of("10.0.0.0", 8),
      Range.of("100.64.0.0", 10),
      Range.of("127.0.0.0", 8),
      Range.of("172.16.0.0", 12),
      Range.of("192.168.0.0", 16),
      Range.of("::1", 128),
      Range.of("fc00::", 7));

  private static final List<Range> FORBIDDEN = List.of(
      Range.of("0.0.0.0", 8),
      Range.of("169.254.0.0", 16),
      Range.of("192.0.0.0", 24),
      Range.of("192.0.2.0", 24),
      Range.of("192.88.99.0", 24),
      Range.of("198.18.0.0", 15),
      Range.of("198.51.100.0", 24),
      Range.of("203.0.113.0", 24),
      Range.of("224.0.0.0", 4),
      Range.of("240.0.0.0", 4),
      Range.of("2001::", 23), // Teredo, benchmarks, ORCHID
      Range.of("2001:db8::", 32),
      Range.of("2002::", 16), // 6to4: an address of version 4 in disguise
      Range.of("3fff::", 20));

  private static final Range GLOBAL_UNICAST = Range.of("2000::", 3);

  /** Translators reach the address of version 4 in the last four bytes. */
  private static final Range NAT64 = Range.of("64:ff9b::", 96);

  private IpRanges() {}

  static Kind kindOf(InetAddress address) {
    return kindOf(address.getAddress());
  }

  /** The kind of an address of 4 or 16 bytes. */
  static Kind kindOf(byte[] address) {
    if (isIn(METADATA, address)) {
      return Kind.FORBIDDEN;
    }
    if (NAT64.contains(address)) {
      Kind reached = kindOf(Arrays.copyOfRange(address, 12, 16));
      return reached == Kind.PUBLIC ? Kind.PUBLIC : Kind.FORBIDDEN;
    }
    if (isIn(PRIVATE, address)) {
      return Kind.PRIVATE;
    }
    boolean global = address.length == 4 || GLOBAL_UNICAST.contains(address);
    return global && !isIn(FORBIDDEN, address) ? Kind.PUBLIC : Kind.FORBIDDEN;
  }

  private static boolean isIn(List<Range> ranges, byte[] address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }

  /** All addresses that begin with the same bits. */
  private static final class Range {
    private final byte[] start;
    private final int bits;

    private Range(byte[] start, int bits) {
      this.start = start;
      this.bits = bits;
    }

    static Range of(String literal, int bits) {
      try {
        return new Range(InetAddress.getByName(literal).getAddress(), bits); // no look-up
      } catch (UnknownHostException notALiteral) {
        throw new IllegalStateException(literal, notALiteral);
      }
    }

    boolean contains(byte[] address) {
      if (address.length != start.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if ((address[bit / 8] & mask) != (start[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }
}
