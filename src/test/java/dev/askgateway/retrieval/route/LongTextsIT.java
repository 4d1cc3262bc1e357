package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.retrieval.BagOfWords;
import dev.askgateway.retrieval.RetrievalFixture;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A long text")
class LongTextsIT {
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

  @Test
  @DisplayName("is judged on a worker, as a plan or a promise among others, all in their order")
  void longTexts() throws Exception {
    String words = " and then we see, as always".repeat(10);
    UUID cleo = world.data.chat(user, "signal", "Cleo", false);
    say(ben, "2026-09-04T09:00", "Ben", "saturday is fine" + words);
    say(ana, "2026-09-05T09:00", "Ana Keller", "dinner saturday the 12th?" + words);
    say(family, "2026-09-06T09:00", "Mamá", "cena el 12 de septiembre" + words);
    say(cleo, "2026-09-07T09:00", "Cleo", "sunday is fine" + words);
    say(ana, "2026-09-01T09:00", "You", "I'll send you the form" + words);
    say(ben, "2026-09-02T09:00", "You", "I'll pay the deposit" + words);
    String plans = "What plans do I have for Saturday?";

    assertThat(chats(ask(plans))).startsWith(family, ana, ben).doesNotContain(cleo);
    assertThat(chats(ask("What did I promise?"))).containsExactly(ben, ana);

    Vertx closed = Vertx.vertx();
    closed.close().await(10, TimeUnit.SECONDS);
    ContextRouter without = RetrievalFixture.router(
        closed,
        world.data.database,
        world.data.repository(20_000),
        new BagOfWords(),
        RetrievalFixture.CONFIG);
    for (String question : List.of(plans, "What did I promise?", "Who? " + words)) {
      assertThatThrownBy(() -> RetrievalFixture.ask(without, user, question, NOW, Scope.GLOBAL)
              .await(20, TimeUnit.SECONDS))
          .isInstanceOf(RejectedExecutionException.class);
    }
  }

  @Test
  @DisplayName("is a plan or a promise by its first 500 characters")
  void firstCharacters() throws Exception {
    String before = "x".repeat(470) + " ";
    say(ana, "2026-09-08T09:00", "Ana Keller", before + "dinner on saturday");
    say(
        ben,
        "2026-09-08T09:00",
        "Ben",
        before + "so much to tell you about the last weeks, dinner on saturday");
    say(ana, "2026-09-05T09:00", "You", before + "I'll send you the form");
    say(
        ben,
        "2026-09-05T09:00",
        "You",
        before + "so much to tell you about the last weeks, I'll send you the form");

    assertThat(chats(ask("What are my plans?"))).containsExactly(ana);
    assertThat(chats(ask("What did I promise?"))).containsExactly(ana);
  }
}
