package dev.askgateway.provider.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.DataPolicy.Mode;
import dev.askgateway.provider.DataPolicy.Retention;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Needs;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A profile in place of another one")
class CatalogueTest {
  private static final DataPolicy MANAGED =
      new DataPolicy(Mode.MANAGED, Retention.PROVIDER_POLICY, "");
  private static final DataPolicy STRICT = new DataPolicy(Mode.MANAGED, Retention.NONE, "eu");
  private static final DataPolicy LOCAL = new DataPolicy(Mode.LOCAL, Retention.NONE, "");

  private static ProviderConfig server(String name, DataPolicy policy) {
    return new ProviderConfig(
        name,
        Dialect.OPENAI,
        "http://localhost/v1",
        "k",
        ProviderConfig.KeyHeader.BEARER,
        true,
        policy,
        0);
  }

  private static ModelConfig model(String id, int dimensions) {
    return new ModelConfig(
        id,
        id,
        id,
        new Capabilities(8_000, 1_000, true, false, false, false, false, dimensions),
        ModelConfig.MaxTokensMember.MAX_TOKENS,
        true);
  }

  private static Profile profile(String model, DataPolicy policy) {
    return new Profile(
        "p-" + model,
        List.of(model),
        Profile.Order.PRIORITY,
        Needs.NOTHING,
        policy,
        1,
        Deadlines.DEFAULT,
        Duration.ZERO,
        0);
  }

  private static final Catalogue CATALOGUE = Catalogue.of(
      List.of(
          server("lax", MANAGED),
          server("strict", STRICT),
          server("local", LOCAL),
          server("vectors", MANAGED)),
      List.of(model("lax", 0), model("strict", 0), model("local", 0), model("vectors", 3)),
      List.of(
          profile("lax", MANAGED),
          profile("strict", STRICT),
          profile("local", LOCAL),
          profile("vectors", MANAGED)));

  @ParameterizedTest(name = "{1} for {0}: {2}")
  @CsvSource({
    "p-lax, p-strict, true",
    "p-strict, p-lax, false",
    "p-lax, p-local, false",
    "p-lax, p-vectors, false",
    "p-vectors, p-lax, false"
  })
  @DisplayName(
      "may answer what that is asked when both answer and its servers keep to that one's policy")
  void mayReplace(String control, String candidate, boolean may) {
    assertThat(CATALOGUE.mayReplace(control, candidate)).isEqualTo(may);
  }

  @Test
  @DisplayName("may not when one of them is not here")
  void missing() {
    assertThat(CATALOGUE.mayReplace("p-lax", "p-next")).isFalse();
    assertThat(CATALOGUE.mayReplace("p-next", "p-lax")).isFalse();
  }
}
