package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.Scope;
import dev.askgateway.retrieval.BagOfWords;
import dev.askgateway.retrieval.RetrievalFixture;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A long text")
class LongTextsIT extends ThreeChats {
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
