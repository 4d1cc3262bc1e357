package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AptMirrorTest {

  @Test
  @DisplayName("the main archive's mirror is found among security, third-party and source indexes")
  void findsMainArchive() {
    var output = """
        Packages|Debian|Debian-Security|main|http://mirror.test/debian-security/
        Packages|nodesource|nodesource|main|https://node.test/
        Sources|Debian|Debian|main|http://sources.test/debian/
        Packages|Debian|Debian|contrib|http://contrib.test/debian/
        Packages|Debian|Debian|main|http://mirror.test/debian/
        Packages|Debian|Debian|main|http://second.test/debian/
        """;

    assertThat(AptMirror.fromIndexTargets(output)).contains("http://mirror.test/debian/");
  }

  @Test
  @DisplayName("a machine of another distribution has no mirror of Debian")
  void otherDistribution() {
    assertThat(
            AptMirror.fromIndexTargets("Packages|Ubuntu|Ubuntu|main|http://archive.test/ubuntu/\n"))
        .isEmpty();
  }

  @Test
  @DisplayName("fields that apt does not know and lines that are something else are passed over")
  void unknownFields() {
    assertThat(AptMirror.fromIndexTargets(
            "Packages|$(ORIGIN)|$(LABEL)|main|http://bare.test/\nW: a warning\n"))
        .isEmpty();
    assertThat(AptMirror.fromIndexTargets("")).isEmpty();
  }

  @Test
  @DisplayName("before the first update the mirror is read from the addresses apt would fetch")
  void freshMachine() {
    var output = """
        'http://mirror.test/debian-security/dists/bookworm-security/InRelease' a_InRelease 0
        'http://mirror.test/debian/dists/bookworm-updates/InRelease' b_InRelease 0
        'http://mirror.test/debian/dists/bookworm/InRelease' c_InRelease 0
        'http://mirror.test/debian/dists/bookworm/main/binary-amd64/Packages.xz' d_Packages 0
        """;

    assertThat(AptMirror.fromUpdateUris(output)).contains("http://mirror.test/debian/");
    assertThat(AptMirror.fromUpdateUris("E: nothing to update\n")).isEmpty();
  }
}
