package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DrainTest {
  private static final class Shown implements Drain.Output {
    final StringBuilder text = new StringBuilder();
    final List<String> cited = new ArrayList<>();
    final List<FinishReason> done = new ArrayList<>();

    @Override
    public void text(String piece) {
      text.append(piece);
    }

    @Override
    public void cited(String label) {
      cited.add(label);
    }

    @Override
    public void done(FinishReason reason, Drain finished) {
      done.add(reason);
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  private final ToldStream stream = new ToldStream();
  private final Shown shown = new Shown();

  private Drain drain(int maxChars) {
    return new Drain(new Engine.Won(stream, "openai", "gpt"), Set.of("S1", "S2"), maxChars, shown);
  }

  @Test
  @DisplayName("where the readers are behind already, the stream is not started until they are not")
  void heldFromTheStart() {
    Drain drain = drain(1000);
    drain.start(true);
    assertThat(stream.asked).containsExactly("pause");
    drain.slow(false);

    assertThat(stream.asked).containsExactly("pause", "resume");
  }

  @Test
  @DisplayName(
      "one delta beyond the longest answer is cut, no mark is halved or named in vain, and the call stops")
  void cut() {
    Drain drain = drain(10);
    drain.start(false);
    stream.events.handle(new TokenEvent.Text("eight [S1] 12345 [S2] " + "x".repeat(1 << 20)));
    stream.events.handle(new TokenEvent.Text("late"));
    stream.end.handle(null);

    assertThat(shown.text).hasToString("eight [S1]");
    assertThat(shown.cited).containsExactly("S1");
    assertThat(shown.done).containsExactly(FinishReason.LENGTH);
    assertThat(stream.asked).containsExactly("resume", "cancel");
  }

  @Test
  @DisplayName("a mark that does not fit any more is not shown, and its source not named")
  void markAtTheEnd() {
    Drain drain = drain(9);
    drain.start(false);
    stream.events.handle(new TokenEvent.Text("eight [S1] and"));

    assertThat(shown.text).hasToString("eight ");
    assertThat(shown.cited).isEmpty();
    assertThat(shown.done).containsExactly(FinishReason.LENGTH);
  }

  @Test
  @DisplayName("the last report of usage stands, and without one the call is estimated")
  void usage() {
    Drain drain = drain(1000);
    drain.start(false);
    stream.events.handle(new TokenEvent.Text("12345678"));
    assertThat(drain.call(40).usage()).isEqualTo(new Usage(10, 0, 0, 2, 0, true));
    stream.events.handle(new TokenEvent.Metered(new Usage(1, 0, 0, 1, 0, false)));
    stream.events.handle(new TokenEvent.Metered(new Usage(9, 0, 0, 4, 0, false)));

    assertThat(drain.call(40).usage()).isEqualTo(new Usage(9, 0, 0, 4, 0, false));
  }
}
