package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.Route;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A question of years ago")
class LongAgoIT extends ThreeChats {
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"4 years ago", "last year"})
  @DisplayName(
      "finds what happened in messages of any time, those of that time first, and what was said in those alone:")
  void longAgo(String time) throws Exception {
    say(ben, "2022-05-01T09:00", "Ben", "Leo carried the piano up the stairs on the move to Rome");
    say(
        family,
        "2025-05-01T09:00",
        "Mamá",
        "Max carried the piano up the stairs on the move to Bonn");
    say(
        ana,
        "2026-09-01T09:00",
        "Ana Keller",
        "Zoe carried the piano up the stairs on the move to Oslo");

    Routed found = ask("Who carried the piano up the stairs on the move " + time + "?");
    assertThat(found.routing().route()).isEqualTo(Route.RECALL);
    assertThat(chats(found))
        .containsExactlyInAnyOrder(ana, ben, family)
        .startsWith(time.equals("last year") ? family : ben);
    assertThat(chats(ask("What did we say about the move last year?"))).containsExactly(family);
    assertThat(chats(ask("What happened last year?"))).containsExactly(family);
  }
}
