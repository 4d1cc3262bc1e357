package dev.askgateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.SampleEvents;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AnswerEventCodecTest {
  @Test
  @DisplayName("every kind of event comes back equal from its JSON")
  void roundTrip() {
    var events = SampleEvents.everyKind();

    assertThat(AnswerEventCodec.decode(AnswerEventCodec.encode(events))).isEqualTo(events);
  }
}
