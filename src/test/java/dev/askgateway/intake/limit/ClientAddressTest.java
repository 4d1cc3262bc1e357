package dev.askgateway.intake.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The address of a client")
class ClientAddressTest {
  @ParameterizedTest
  @CsvSource({
    "203.0.113.9, 203.0.113.9",
    "203.0.113.9:4711, 203.0.113.9",
    "::ffff:203.0.113.9, 203.0.113.9",
    "2001:db8:1:2:3:4:5:6, 20010db800010002",
    "2001:db8:1:2::ffff, 20010db800010002",
    "[2001:db8:1:2::1]:443, 20010db800010002",
    "[2001:db8:1:3::1], 20010db800010003",
    "fe80::1%eth0, fe80000000000000"
  })
  @DisplayName("is one of version 4, or a network of version 6")
  void reads(String text, String network) {
    assertThat(ClientAddress.network(text)).hasValue(network);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "localhost",
        "999.1.1.1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.4, 5.6.7.8",
        ":",
        "::::",
        "example.com:80",
        "2130706433"
      })
  @DisplayName("is no name, and nothing that would have to be looked up")
  void refuses(String text) {
    assertThat(ClientAddress.network(text)).isEmpty();
  }
}
