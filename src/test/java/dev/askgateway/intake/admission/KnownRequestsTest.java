package dev.askgateway.intake.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.UserId;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Requests that can come again")
class KnownRequestsTest {
  private static final UserId ANA = new UserId("ana");
  private final KnownRequests known = new KnownRequests();

  private static UUID id(long number) {
    return new UUID(7, number);
  }

  @Test
  @DisplayName("are known by person and id")
  void person() {
    known.add(ANA, id(1));
    assertThat(known.contains(ANA, id(1))).isTrue();
    assertThat(known.contains(ANA, id(2))).isFalse();
    assertThat(known.contains(new UserId("ben"), id(1))).isFalse();
  }

  @Test
  @DisplayName("are kept until as many others came as are kept, and forgotten after twice as many")
  void bounded() {
    known.add(ANA, id(0));
    for (int i = 1; i <= KnownRequests.KEPT; i++) {
      known.add(ANA, id(i));
      known.add(ANA, id(i)); // once more is no other one
    }
    assertThat(known.contains(ANA, id(0))).isTrue();
    for (int i = 1; i <= KnownRequests.KEPT; i++) {
      known.add(ANA, id(KnownRequests.KEPT + i));
    }
    assertThat(known.contains(ANA, id(0))).isFalse();
    assertThat(known.contains(ANA, id(2L * KnownRequests.KEPT))).isTrue();
  }
}
