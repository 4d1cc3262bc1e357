package dev.askgateway.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.core.TokenEvent.Text;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TokenPumpTest {
  private final List<String> told = new ArrayList<>();
  private final List<String> source = new ArrayList<>();
  private final TokenPump pump = new TokenPump(new TokenPump.Source() {
    @Override
    public void pause() {
      source.add("pause");
    }

    @Override
    public void resume() {
      source.add("resume");
    }

    @Override
    public void cancel() {
      source.add("cancel");
    }
  });

  @BeforeEach
  void listen() {
    pump.handler(event -> told.add(((Text) event).delta()));
    pump.endHandler(ended -> told.add("end"));
    pump.exceptionHandler(error -> told.add(((GatewayError) error).code().wire()));
  }

  private void offer(String... texts) {
    for (String text : texts) {
      pump.offer(new Text(text));
    }
  }

  @Test
  @DisplayName("a paused stream tells nothing, not even its end, and keeps the order")
  void pausedAtFirst() {
    offer("a", "b");
    pump.end();
    assertThat(told).isEmpty();
    pump.resume();
    assertThat(told).containsExactly("a", "b", "end");
  }

  @Test
  @DisplayName("a fetch gives exactly so many events, and the end only with a further one")
  void fetch() {
    offer("a", "b", "c");
    pump.end();
    pump.fetch(2);
    assertThat(told).containsExactly("a", "b");
    pump.fetch(1);
    assertThat(told).containsExactly("a", "b", "c");
    pump.fetch(1);
    assertThat(told).containsExactly("a", "b", "c", "end");
  }

  @Test
  @DisplayName("the source flows only while the reader waits for more")
  void steersTheSource() {
    pump.resume();
    pump.pause();
    pump.pause();
    offer("a");
    pump.resume();
    assertThat(source).containsExactly("resume", "pause", "resume");
    pump.end();
    assertThat(source).hasSize(3);
  }

  @Test
  @DisplayName("a reader that pauses in the middle of a burst gets no event more")
  void pauseInsideHandler() {
    pump.handler(event -> {
      told.add(((Text) event).delta());
      pump.pause();
    });
    offer("a", "b");
    pump.resume();
    assertThat(told).containsExactly("a");
    pump.resume();
    assertThat(told).containsExactly("a", "b");
  }

  @Test
  @DisplayName("a failure waits for the events before it; nothing follows it")
  void failure() {
    offer("a");
    pump.fail(new GatewayError(Code.PROVIDER_TIMEOUT, "late"));
    pump.end();
    offer("b");
    pump.resume();
    assertThat(told).containsExactly("a", "provider_timeout");
    pump.cancel();
    assertThat(source).isEmpty();
  }

  @Test
  @DisplayName("after a cancel no handler is called and the source is told once")
  void cancel() {
    offer("a");
    pump.cancel();
    pump.cancel();
    offer("b");
    pump.end();
    pump.handler(event -> told.add("late"));
    pump.resume();
    assertThat(told).isEmpty();
    assertThat(source).containsExactly("cancel");
  }

  @Test
  @DisplayName("a reader that cancels in the middle of a burst gets no event more")
  void cancelInsideHandler() {
    pump.handler(event -> {
      told.add(((Text) event).delta());
      pump.cancel();
    });
    offer("a", "b");
    pump.end();
    pump.resume();
    assertThat(told).containsExactly("a");
  }

  @Test
  @DisplayName("a reader that throws loses the stream, and the source is given back (B125)")
  void throwingReader() {
    pump.handler(event -> {
      throw new IllegalStateException("broken reader");
    });
    offer("a", "b");
    pump.resume();
    assertThat(told).containsExactly("internal");
    assertThat(source).containsExactly("cancel");
  }
}
