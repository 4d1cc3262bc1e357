package dev.askgateway.e2e;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;

/** Small conversations, and the question that one of them answers. */
final class Samples {
  /** Found by its words at once, without an index. */
  static final String QUESTION =
      "Which restaurant did Ana book for the anniversary? " + Words.QUESTION;

  private Samples() {}

  /** The message that answers {@link #QUESTION}. */
  static JsonObject booking() {
    return message(
        "wa-ana",
        "Ana Morales",
        "ana-1",
        "I booked the restaurant Casa Nopal for the anniversary, " + Words.MESSAGE);
  }

  /** A message of an hour ago in a chat named after its sender. */
  static JsonObject message(String chat, String sender, String id, String text) {
    return new JsonObject()
        .put("platform", "whatsapp")
        .put("chatId", chat)
        .put("chatName", sender)
        .put("messageId", id)
        .put("at", Instant.now().minus(Duration.ofHours(1)).toString())
        .put("senderId", sender)
        .put("senderName", sender)
        .put("text", text);
  }

  /** Somebody new who has the booking among their messages. */
  static Api withBooking(Node node) {
    Api api = node.as(Person.unknown());
    api.imports(booking());
    return api;
  }
}
