package dev.askgateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.config.ConfigLoader;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.store.Rollout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A node gives the candidate of a rollout")
class ChangesTest {
  private GatewayConfig config;

  @BeforeEach
  void load(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("gateway.yaml"), """
        surfaces: [edge]
        edge: {auth: none, accounting: none}
        providers:
          lab: {baseUrl: "https://lab.example/v1", region: eu, retention: none}
          other: {baseUrl: "https://other.example/v1"}
        models:
          kept: {provider: lab, model: a}
          next: {provider: lab, model: b}
          loose: {provider: other, model: c}
        profiles:
          assistant_grounded: {models: [kept], region: eu, retention: none}
          assistant_next: {models: [next]}
          assistant_loose: {models: [loose]}
        """);
    config = ConfigLoader.load(
        file,
        Map.of(
            "ASK_PROVIDERS_LAB_API_KEY", "k",
            "ASK_PROVIDERS_OTHER_API_KEY", "k",
            "ASK_RETRIEVAL_VERSIONS", "deep=depth:150"));
  }

  private boolean isHere(Rollout.Kind kind, String control, String candidate) {
    return Changes.isHere(
        new Rollout(
            1,
            new UUID(1, 2),
            "next",
            kind,
            Rollout.State.RUNNING,
            control,
            candidate,
            50,
            Set.of(),
            null,
            OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)),
        config);
  }

  @Test
  @DisplayName(
      "that it has, and whose models satisfy the control's policy by its own configuration")
  void profile() {
    assertThat(isHere(Rollout.Kind.PROFILE, "assistant_grounded", "assistant_next"))
        .isTrue();
    assertThat(isHere(Rollout.Kind.PROFILE, "assistant_grounded", "assistant_loose"))
        .isFalse();
    assertThat(isHere(Rollout.Kind.PROFILE, "assistant_grounded", "assistant_other"))
        .isFalse();
  }

  @Test
  @DisplayName("that is one of its versions of retrieval")
  void retrieval() {
    assertThat(isHere(Rollout.Kind.RETRIEVAL, "", "deep")).isTrue();
    assertThat(isHere(Rollout.Kind.RETRIEVAL, "", "deaf")).isFalse();
  }
}
