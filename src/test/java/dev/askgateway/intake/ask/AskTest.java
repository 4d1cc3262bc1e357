package dev.askgateway.intake.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.answer.AskCommand;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.SafeText;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AskTest {
  private static final UserId ANA = new UserId("ana");
  private static final UUID ONE = UUID.fromString("00000000-0000-4000-8000-000000000001");
  private static final UUID TWO = UUID.fromString("00000000-0000-4000-8000-000000000002");
  private static final AskCommand.Target NEW = new AskCommand.NewThread();

  private static JsonObject question() {
    return new JsonObject().put("question", "When?");
  }

  private static JsonObject sdk(String id, String messageId, String text) {
    return new JsonObject()
        .put("id", id)
        .put("trigger", "submit-message")
        .put(
            "messages",
            new JsonArray()
                .add(new JsonObject()
                    .put("id", "m0")
                    .put("role", "user")
                    .put("parts", new JsonArray().add(text("Earlier"))))
                .add(new JsonObject()
                    .put("id", "a0")
                    .put("role", "assistant")
                    .put(
                        "parts",
                        new JsonArray()
                            .add(new JsonObject().put("type", "step-start"))
                            .add(new JsonObject()
                                .put("type", "data-sources")
                                .put("data", new JsonObject()))
                            .add(text("An answer"))))
                .add(new JsonObject()
                    .put("id", messageId)
                    .put("role", "user")
                    .put(
                        "parts",
                        new JsonArray()
                            .add(new JsonObject().put("type", "file").put("url", "data:,x"))
                            .add(text(text))
                            .add(new JsonObject().put("type", "never-heard-of").put("text", 5)))));
  }

  private static JsonObject text(String text) {
    return new JsonObject().put("type", "text").put("text", text);
  }

  private static AskCommand ask(JsonObject body) {
    return Ask.of(ANA, NEW, body, null).command();
  }

  @Test
  @DisplayName("a plain question has a fresh id, a thread of its own and no bounds")
  void plain() {
    AskCommand command = ask(question());
    assertThat(command.target()).isEqualTo(NEW);
    assertThat(command.scope()).isEqualTo(Scope.GLOBAL);
    assertThat(command.zone()).isNull();
    assertThat(command.at()).isNull();
    assertThat(command.profile()).isEqualTo("assistant_grounded");
    assertThat(command.fingerprint().length()).isEqualTo(32);
    assertThat(ask(question()).requestId()).isNotEqualTo(command.requestId());
    assertThat(ask(question()).fingerprint()).isEqualTo(command.fingerprint());
  }

  @Test
  @DisplayName("zone and instant are taken as they are said; null is the same as nothing")
  void clock() {
    AskCommand said = ask(
        question().put("timezone", "America/Mexico_City").put("at", "2026-11-28T19:04:11+01:00"));
    assertThat(said.zone()).isEqualTo(ZoneId.of("America/Mexico_City"));
    assertThat(said.at()).isEqualTo(Instant.parse("2026-11-28T18:04:11Z"));
    AskCommand nulls = ask(question()
        .putNull("timezone")
        .putNull("at")
        .putNull("requestId")
        .putNull("threadId")
        .putNull("scope")
        .putNull("chatIds")
        .putNull("profile")
        .putNull("stream"));
    assertThat(nulls.fingerprint()).isEqualTo(ask(question()).fingerprint());
  }

  @Test
  @DisplayName("the scope is read nested and flat, by either name, each chat once")
  void scopes() {
    JsonArray both = new JsonArray().add(ONE.toString()).add(TWO.toString());
    assertThat(ask(question().put("chatIds", both)).scope())
        .isEqualTo(Scope.preferred(List.of(ONE, TWO)));
    assertThat(ask(question().put("chatIds", both.copy().add(ONE.toString()))).scope())
        .isEqualTo(Scope.preferred(List.of(ONE, TWO)));
    assertThat(ask(question().put("chatIds", new JsonArray())).scope()).isEqualTo(Scope.GLOBAL);
    for (String name : List.of("type", "kind")) {
      assertThat(scope(name, "global", new JsonObject())).isEqualTo(Scope.GLOBAL);
      assertThat(scope(name, "preferred", new JsonObject().put("chatIds", both)))
          .isEqualTo(Scope.preferred(List.of(ONE, TWO)));
      assertThat(scope(name, "strict_chat", new JsonObject().put("chatId", ONE.toString())))
          .isEqualTo(Scope.strict(ONE));
    }
    JsonObject twice = question()
        .put("scope", new JsonObject().put("type", "preferred").put("chatIds", both))
        .put("chatIds", new JsonArray().add(TWO.toString()).add(ONE.toString()));
    assertThat(ask(twice).scope()).isEqualTo(Scope.preferred(List.of(ONE, TWO)));
  }

  private static Scope scope(String name, String kind, JsonObject rest) {
    return ask(question().put("scope", rest.put(name, kind))).scope();
  }

  @Test
  @DisplayName("a chat's own thread is about that chat, whether the body says so or nothing")
  void chatThread() {
    AskCommand.Target chat = new AskCommand.ChatThread(ONE);
    JsonObject strict = new JsonObject().put("type", "strict_chat");
    assertThat(Ask.of(ANA, chat, question(), null).command().scope()).isEqualTo(Scope.strict(ONE));
    assertThat(Ask.of(
                ANA,
                chat,
                question().put("scope", strict.copy().put("chatId", ONE.toString())),
                null)
            .command()
            .scope())
        .isEqualTo(Scope.strict(ONE));
    assertThatThrownBy(() -> Ask.of(
            ANA, chat, question().put("scope", strict.copy().put("chatId", TWO.toString())), null))
        .isInstanceOfSatisfying(
            GatewayError.class, refusal -> assertThat(refusal.field()).isEqualTo("/scope"));
    assertThatThrownBy(() -> Ask.of(
            ANA, chat, question().put("scope", new JsonObject().put("type", "global")), null))
        .isInstanceOf(GatewayError.class);
  }

  @Test
  @DisplayName("the body names the thread, unless the path named another one")
  void threads() {
    JsonObject there = question().put("threadId", ONE.toString());
    AskCommand.Target path = new AskCommand.ExistingThread(ONE);
    assertThat(ask(there).target()).isEqualTo(path);
    assertThat(Ask.of(ANA, path, there, null).command().target()).isEqualTo(path);
    assertThat(ask(sdk("x", "m1", "hi").put("threadId", ONE.toString())).target())
        .isEqualTo(path);
    assertThatThrownBy(() -> Ask.of(ANA, new AskCommand.ExistingThread(TWO), there, null))
        .isInstanceOfSatisfying(
            GatewayError.class, refusal -> assertThat(refusal.field()).isEqualTo("/threadId"));
  }

  @Test
  @DisplayName("the SDK's body is its last user message, in the thread its chat id names")
  void sdkBody() {
    Ask ask = Ask.of(ANA, NEW, sdk("chat-1", "m1", " And Saturday? "), null);
    assertThat(ask.fromSdk()).isTrue();
    assertThat(ask.command().question()).isEqualTo("And Saturday?");
    assertThat(ask.command().target()).isEqualTo(new AskCommand.ClientThread("chat-1"));
    JsonObject last = new JsonObject()
        .put("id", "chat-1")
        .put("message", sdk("x", "m1", "And Saturday?").getJsonArray("messages").getJsonObject(2));
    assertThat(ask(last).fingerprint()).isEqualTo(ask.command().fingerprint());
    assertThat(ask(last).requestId()).isEqualTo(ask.command().requestId());
    assertThat(ask(question().put("id", "chat-1")).target()).isEqualTo(NEW);
  }

  @Test
  @DisplayName("extra members of the SDK's body are read like those of a plain one")
  void sdkExtras() {
    AskCommand command = ask(sdk("c", "m1", "hi")
        .put("requestId", ONE.toString())
        .put("timezone", "Europe/Madrid")
        .put("chatIds", new JsonArray().add(TWO.toString())));
    assertThat(command.requestId()).isEqualTo(ONE);
    assertThat(command.zone()).isEqualTo(ZoneId.of("Europe/Madrid"));
    assertThat(command.scope()).isEqualTo(Scope.preferred(List.of(TWO)));
  }

  @Test
  @DisplayName(
      "a doubled SDK post is one request; another person, chat, message or text is another")
  void derivedIds() {
    UUID id = ask(sdk("c", "m1", "hi")).requestId();
    assertThat(ask(sdk("c", "m1", "hi")).requestId()).isEqualTo(id);
    assertThat(id.version()).isEqualTo(8);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(List.of(
            ask(sdk("d", "m1", "hi")).requestId(),
            ask(sdk("c", "m2", "hi")).requestId(),
            ask(sdk("c", "m1", "ho")).requestId(),
            ask(sdk("c", "m1h", "i")).requestId(),
            Ask.of(new UserId("bea"), NEW, sdk("c", "m1", "hi"), null).command().requestId(),
            Ask.of(ANA, new AskCommand.ChatThread(ONE), sdk("c", "m1", "hi"), null)
                .command()
                .requestId()))
        .doesNotContain(id)
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("a regenerated answer is a new request each time")
  void regenerate() {
    JsonObject again =
        sdk("c", "m1", "hi").put("trigger", "regenerate-message").put("messageId", "a1");
    assertThat(ask(again).requestId()).isNotEqualTo(ask(again).requestId());
  }

  @Test
  @DisplayName("an idempotency key stands in for a missing request id, for each person apart")
  void idempotencyKey() {
    UUID named = Ask.of(ANA, NEW, question(), "order 7").command().requestId();
    assertThat(Ask.of(ANA, NEW, question(), "order 7").command().requestId()).isEqualTo(named);
    assertThat(Ask.of(new UserId("bea"), NEW, question(), "order 7").command().requestId())
        .isNotEqualTo(named);
    assertThat(Ask.of(ANA, NEW, question(), ONE.toString()).command().requestId())
        .isEqualTo(ONE);
    assertThat(Ask.of(ANA, NEW, question().put("requestId", TWO.toString()), "order 7")
            .command()
            .requestId())
        .isEqualTo(TWO);
  }

  @Test
  @DisplayName("the fingerprint tells what is asked apart, and nothing else")
  void fingerprint() {
    JsonObject base = question().put("requestId", ONE.toString());
    JsonArray chats = new JsonArray().add(ONE.toString()).add(TWO.toString());
    JsonArray turned = new JsonArray().add(TWO.toString()).add(ONE.toString());
    assertThat(ask(base.copy().put("stream", true)).fingerprint())
        .isEqualTo(ask(base).fingerprint());
    assertThat(ask(base.copy().put("chatIds", chats)).fingerprint())
        .isEqualTo(ask(base.copy().put("chatIds", turned)).fingerprint());
    assertThat(List.of(
            ask(base).fingerprint(),
            ask(base.copy().put("question", "Where?")).fingerprint(),
            ask(base.copy().put("chatIds", chats)).fingerprint(),
            ask(base.copy().put("threadId", ONE.toString())).fingerprint(),
            ask(base.copy().put("timezone", "UTC")).fingerprint(),
            ask(base.copy().put("at", "2026-01-01T00:00:00Z")).fingerprint(),
            Ask.of(ANA, new AskCommand.Search(), new JsonObject().put("query", "When?"), null)
                .command()
                .fingerprint()))
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("whatever text comes, a question is well-formed, trimmed and short, or refused")
  void anyText() {
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(i % 10 == 0 ? 2500 : 12);
      for (int c = 0; c < length; c++) {
        text.append((char)
            (random.nextInt(4) == 0 ? 0xD7F0 + random.nextInt(0x820) : random.nextInt(0x60)));
      }
      String raw = text.toString();
      String clean = SafeText.clean(raw).strip();
      boolean fits = !clean.isEmpty() && clean.codePointCount(0, clean.length()) <= 2000;
      JsonObject body = new JsonObject().put("question", raw);
      if (fits) {
        String question = ask(body).question();
        assertThat(question).isEqualTo(clean).isNotBlank();
        assertThat(SafeText.isWellFormed(question)).isTrue();
      } else {
        assertThatThrownBy(() -> ask(body)).isInstanceOf(GatewayError.class);
      }
    }
  }
}
