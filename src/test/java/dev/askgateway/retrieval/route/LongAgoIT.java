package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.Route;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.retrieval.BagOfWords;
import dev.askgateway.retrieval.RetrievalFixture;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A question of years ago")
class LongAgoIT {
  /** A Tuesday. */
  private static final ZonedDateTime NOW =
      ZonedDateTime.of(2026, 9, 8, 12, 0, 0, 0, ZoneId.of("UTC"));

  private static RetrievalFixture world;
  private UserId user;
  private UUID ana;
  private UUID ben;
  private UUID family;

  @BeforeAll
  static void start() throws Exception {
    world = RetrievalFixture.start();
  }

  @AfterAll
  static void stop() throws Exception {
    world.close();
  }

  @BeforeEach
  void someone() {
    user = new UserId("person-" + UUID.randomUUID());
    ana = world.data.chat(user, "whatsapp", "Ana Keller", false);
    ben = world.data.chat(user, "telegram", "Ben", false);
    family = world.data.chat(user, "whatsapp", "Mi Familia", true);
  }

  private void say(UUID chat, String at, String sender, String text) {
    world.say(user, chat, Instant.parse(at + ":00Z"), sender, text);
  }

  private Routed ask(String question) throws Exception {
    ContextRouter router = world.router(new BagOfWords(), RetrievalFixture.CONFIG);
    return RetrievalFixture.ask(router, user, question, NOW, Scope.GLOBAL)
        .await(20, TimeUnit.SECONDS);
  }

  private static List<UUID> chats(Routed found) {
    return found.found().pack().windows().stream().map(EvidenceWindow::chatId).toList();
  }

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
