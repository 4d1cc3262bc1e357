package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.utility.DockerImageName;

class DockerEngineTest {

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 200 OK, true",
    "HTTP/1.0 400 Bad Request, true",
    "HTTP/1.1 503 No, false",
    "SSH-2.0-x, false"
  })
  @DisplayName("only something that speaks HTTP as an engine does is an engine")
  void readsTheAnswer(String answer, boolean expected) throws IOException {
    try (var server = new ServerSocket(0)) {
      var served = CompletableFuture.runAsync(() -> answer(server, answer + "\r\n\r\n"));

      assertThat(DockerEngine.answers("tcp://127.0.0.1:" + server.getLocalPort()))
          .isEqualTo(expected);
      served.join();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unix:///no/such/socket",
        "npipe:////./pipe/docker",
        "not an address",
        "",
        "tcp://127.0.0.1:1"
      })
  @DisplayName("an address without an engine is a quick no")
  void nobodyThere(String host) {
    assertThat(DockerEngine.answers(host)).isFalse();
  }

  @Test
  @DisplayName("an engine that accepts and stays silent is a no within seconds")
  void silent() throws IOException {
    try (var server = new ServerSocket(0)) {
      var begin = System.nanoTime();

      assertThat(DockerEngine.answers("tcp://127.0.0.1:" + server.getLocalPort()))
          .isFalse();
      assertThat((System.nanoTime() - begin) / 1e9).isBetween(1.0, 10.0);
    }
  }

  @Test
  @DisplayName("the reaper image looked for beforehand is the one Testcontainers will start")
  void reaperImage() throws IOException {
    try (var constants = DockerImageName.class.getResourceAsStream("RyukContainer.class")) {
      assertThat(new String(constants.readAllBytes(), StandardCharsets.ISO_8859_1))
          .contains(DockerImages.REAPER);
    }
  }

  @Test
  @DisplayName("DOCKER_HOST names the engine, else it is the usual socket")
  void host() {
    assertThat(DockerEngine.host(Map.of("DOCKER_HOST", "tcp://far.test:1")))
        .isEqualTo("tcp://far.test:1");
    assertThat(DockerEngine.host(Map.of())).isEqualTo("unix:///var/run/docker.sock");
  }

  private static void answer(ServerSocket server, String text) {
    try (var client = server.accept()) {
      var request = new BufferedReader(
          new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
      assertThat(request.readLine()).isEqualTo("GET /_ping HTTP/1.0");
      assertThat(request.readLine()).isEmpty();
      client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
