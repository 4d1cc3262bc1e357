package dev.askgateway.retrieval.route;

import dev.askgateway.core.EvidenceWindow;
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

/** A person with three chats, on a Tuesday, and the product's routes over what is said in them. */
abstract class ThreeChats {
  static final ZonedDateTime NOW = ZonedDateTime.of(2026, 9, 8, 12, 0, 0, 0, ZoneId.of("UTC"));

  static RetrievalFixture world;
  UserId user;
  UUID ana;
  UUID ben;
  UUID family;

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
    family = world.data.chat(user, "whatsapp", "Mi Familia 🏡", true);
  }

  UUID say(UUID chat, String at, String sender, String text) {
    return world.say(user, chat, Instant.parse(at + ":00Z"), sender, text);
  }

  static ContextRouter router() {
    return world.router(new BagOfWords(), RetrievalFixture.CONFIG);
  }

  Routed ask(String question) throws Exception {
    return ask(question, Scope.GLOBAL);
  }

  Routed ask(String question, Scope scope) throws Exception {
    return RetrievalFixture.ask(router(), user, question, NOW, scope).await(20, TimeUnit.SECONDS);
  }

  /** The chats of the windows, in their order. */
  static List<UUID> chats(Routed found) {
    return found.found().pack().windows().stream().map(EvidenceWindow::chatId).toList();
  }
}
