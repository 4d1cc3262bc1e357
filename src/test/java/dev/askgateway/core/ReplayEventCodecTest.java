package dev.askgateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Replay events as text")
class ReplayEventCodecTest {
  private static final Usage USAGE = new Usage(5, 4, 3, 2, 1, true);

  private static List<ReplayEvent> travelled(ReplayEvent... events) {
    byte[] wire = ReplayEventCodec.encode(List.of(events)).getBytes(StandardCharsets.UTF_8);
    return ReplayEventCodec.decode(new String(wire, StandardCharsets.UTF_8));
  }

  private static ReplayEvent output(TokenEvent event) {
    return new ReplayEvent.Output(event);
  }

  @Test
  @DisplayName("come back as they were, bytes that are no UTF-8 and halves of a pair included")
  void same() {
    Buffer bytes = Buffer.buffer(new byte[] {'{', (byte) 0xff, 0, (byte) 0xc3, '}'});
    ReplayEvent[] all = {
      new ReplayEvent.Opened(1_900_000_000L),
      output(new TokenEvent.Text("caf\u00e9 \ud83d")),
      output(new TokenEvent.Text("\ude00 \"\\u0041\" \ud83d\ude00")),
      output(new TokenEvent.Reasoning("so\n")),
      output(new TokenEvent.ToolCall(2, "id", "name", "{\"a\":", "sig")),
      output(new TokenEvent.Chunk(bytes, 3, 4, true)),
      output(new TokenEvent.Metered(USAGE)),
      output(new TokenEvent.Finished(FinishReason.TOOL_CALLS)),
      new ReplayEvent.Ended(USAGE),
      new ReplayEvent.Failed(
          GatewayError.Code.RATE_LIMITED, "Too many.", "model", Duration.ofMillis(1500)),
      new ReplayEvent.Failed(GatewayError.Code.INTERNAL, "Something.", null, null),
      new ReplayEvent.Cut(),
    };

    assertThat(travelled(all)).containsExactly(all);
  }

  @Test
  @DisplayName("keep every bit of a vector")
  void vectors() {
    float[] vector = {1f / 3, -0f, Float.MIN_VALUE, 123456.789f};

    ReplayEvent.Vectors back = (ReplayEvent.Vectors)
        travelled(new ReplayEvent.Vectors(List.of(vector, new float[0]), USAGE)).get(0);

    assertThat(back.vectors()).hasSize(2);
    assertThat(back.vectors().get(0)).containsExactly(vector);
    assertThat(back.vectors().get(1)).isEmpty();
    assertThat(back.usage()).isEqualTo(USAGE);
  }

  @Test
  @DisplayName("tell again what a client was told of a failure, and no more")
  void failures() {
    GatewayError known = GatewayError.invalid("messages", "No.").retryAfter(Duration.ofSeconds(3));
    GatewayError again = ReplayEvent.Failed.of(known).error();
    assertThat(again.code()).isEqualTo(known.code());
    assertThat(again.message()).isEqualTo("No.");
    assertThat(again.field()).isEqualTo("messages");
    assertThat(again.retryAfter()).isEqualTo(Duration.ofSeconds(3));

    GatewayError unknown =
        ReplayEvent.Failed.of(new IllegalStateException("secret")).error();
    assertThat(unknown.code()).isEqualTo(GatewayError.Code.INTERNAL);
    assertThat(unknown.message()).doesNotContain("secret");
  }
}
