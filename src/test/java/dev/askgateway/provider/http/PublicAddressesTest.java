package dev.askgateway.provider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ProviderFailure;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The guard")
class PublicAddressesTest {

  private static InetAddress ip(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException notALiteral) {
      throw new IllegalArgumentException(notALiteral);
    }
  }

  private static Future<SocketAddress> admit(boolean allowPrivate, String host, String... found) {
    HostLookup lookup = asked ->
        Future.succeededFuture(Arrays.stream(found).map(PublicAddressesTest::ip).toList());
    return new PublicAddresses(lookup, allowPrivate).admit(host, 443);
  }

  private static void refused(Future<SocketAddress> admitted) {
    assertThat(admitted.cause()).isInstanceOf(GatewayError.class);
    assertThat(admitted.cause().getCause())
        .isInstanceOf(ProviderFailure.class)
        .hasMessage("ACCOUNT: the address is not allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450::1",
        "2001:200::1",
        "2003::1",
        "64:ff9b::808:808"
      })
  @DisplayName("lets a public address pass, also right beside a range that is not")
  void passes(String address) {
    assertThat(admit(false, "api.example.com", address).result().host())
        .isEqualTo(ip(address).getHostAddress());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.168.0.0",
        "192.168.255.255",
        "::1",
        "fc00::1",
        "fdff:ffff::1"
      })
  @DisplayName("refuses this machine and its network, unless the operator allows them")
  void atHome(String address) {
    refused(admit(false, "api.example.com", address));
    assertThat(admit(true, "api.example.com", address).succeeded()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.255.255.255",
        "100.100.100.200",
        "168.63.129.16",
        "169.254.0.0",
        "169.254.169.254",
        "169.254.255.255",
        "192.0.0.1",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1",
        "::127.0.0.1",
        "::8.8.8.8",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::808:808",
        "2001::1",
        "2001:0:7f00:1::",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:808:808::1",
        "3fff::1",
        "100::1",
        "fd00:ec2::254",
        "5f00::1",
        "4000::1"
      })
  @DisplayName("refuses what is nobody's server, whatever the operator allows")
  void never(String address) {
    refused(admit(false, "api.example.com", address));
    refused(admit(true, "api.example.com", address));
  }

  @Test
  @DisplayName("takes an address of version 4 in one of version 6 for what it is")
  void mapped() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = mapped[11] = (byte) 0xff;
    mapped[12] = 127;
    mapped[15] = 1;
    InetAddress raw = Inet6Address.getByAddress(null, mapped, -1);
    assertThat(IpRanges.kindOf(mapped)).isEqualTo(IpRanges.Kind.FORBIDDEN);
    assertThat(IpRanges.kindOf(raw)).isNotEqualTo(IpRanges.Kind.PUBLIC);
    refused(admit(false, "[::ffff:10.0.0.1]", "::ffff:10.0.0.1"));
  }

  @Test
  @DisplayName("refuses a host that has one bad address among good ones, or none")
  void mixed() {
    refused(admit(false, "api.example.com", "8.8.8.8", "10.0.0.1", "1.1.1.1"));
    refused(admit(false, "api.example.com", "8.8.8.8", "::1"));
    refused(admit(false, "api.example.com"));
  }

  @Test
  @DisplayName("looks each time anew: a name that leads elsewhere the second time is refused then")
  void rebinding() {
    List<String> answers = List.of("8.8.8.8", "127.0.0.1");
    int[] asked = {0};
    PublicAddresses guard = new PublicAddresses(
        host -> Future.succeededFuture(List.of(ip(answers.get(asked[0]++)))), false);

    assertThat(guard.admit("api.example.com", 443).result().host()).isEqualTo("8.8.8.8");
    refused(guard.admit("api.example.com", 443));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "a..b",
        "-a.example",
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        "example.com.",
        "127.0.0.1.",
        "a b",
        "a/b",
        "a@b",
        "a:b",
        "a%2eb",
        "[fe80::1%eth0]",
        "fe80::1%1",
        "[1.2.3.4]",
        "[a]",
        "ex\u00e4mple.com",
        "metadata",
        "metadata.google.internal",
        "METADATA.GOOG",
        "instance-data",
        "instance-data.ec2.internal",
        "a.0x1"
      })
  @DisplayName("looks up no host that could be read in two ways, nor one of a metadata service")
  void oddHosts(String host) {
    refused(admit(false, host, "8.8.8.8"));
    refused(admit(true, host, "8.8.8.8"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST", "x.localhost", "printer.local", "db.internal"})
  @DisplayName("takes local names for local, unless the operator allows them")
  void localNames(String host) {
    refused(admit(false, host, "8.8.8.8"));
    assertThat(admit(true, host, "127.0.0.1").succeeded()).isTrue();
  }

  @Test
  @DisplayName("says of an unknown host only that it is unknown")
  void unknown() {
    HostLookup lookup = host -> Future.failedFuture(new UnknownHostException("qzhost: not known"));
    assertThat(new PublicAddresses(lookup, false)
            .admit("qzhost.example", 443)
            .cause()
            .getCause())
        .hasMessage("UNAVAILABLE: the host is not known");
  }
}
