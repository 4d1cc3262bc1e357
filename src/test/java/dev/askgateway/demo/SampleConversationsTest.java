package dev.askgateway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleConversationsTest {
  private static final Instant MONDAY = Instant.parse("2026-11-30T12:00:00Z");
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static List<JsonObject> lines(Instant now, ZoneId zone) {
    return SampleConversations.ndjson(now, zone).lines().map(JsonObject::new).toList();
  }

  private static Set<String> values(String field) {
    return lines(MONDAY, UTC).stream()
        .map(line -> line.getString(field))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-30T12:00:00Z, UTC",
    "2026-11-29T10:00:01Z, Pacific/Kiritimati",
    "2026-11-29T11:00:01Z, Pacific/Pago_Pago",
    "2026-03-29T00:30:00Z, Europe/Madrid",
    "2026-11-01T06:30:00Z, America/New_York",
  })
  @DisplayName("nothing is in the future, whenever and wherever the demo starts")
  void past(Instant now, String zone) {
    assertThat(lines(now, ZoneId.of(zone))).allSatisfy(line -> {
      assertThat(OffsetDateTime.parse(line.getString("at")).toInstant()).isBefore(now);
      String edited = line.getString("editedAt", line.getString("at"));
      assertThat(OffsetDateTime.parse(edited).toInstant()).isBefore(now);
    });
  }

  @Test
  @DisplayName("the plans are about the coming Saturday, by its date")
  void saturday() {
    String samples = SampleConversations.ndjson(MONDAY, UTC);
    assertThat(samples)
        .contains("Dinner on Saturday 5 December?")
        .contains("el sábado 5 de diciembre a las ocho")
        .contains("cancel bouldering on Saturday 5 December")
        .contains("release to Thursday 10 December")
        .contains("lands at 21:15 on Friday 4 December")
        .doesNotContain("{saturday}", "{sabado}", "{friday}", "{thursday}");
  }

  @Test
  @DisplayName(
      "there are four platforms and more, two Sams, a group, an edit, a deletion, a thread and replies")
  void cast() {
    assertThat(values("platform")).contains("whatsapp", "imessage", "telegram", "slack");
    assertThat(values("senderName")).contains("Sam Rivera", "Sam Whitlock");
    List<JsonObject> lines = lines(MONDAY, UTC);
    assertThat(lines).hasSizeBetween(100, 400);
    assertThat(lines).anyMatch(line -> line.getBoolean("isGroup"));
    assertThat(lines).anyMatch(line -> line.getBoolean("deleted", false));
    assertThat(lines).anyMatch(line -> line.containsKey("editedAt") && line.containsKey("text"));
    assertThat(values("messageId"))
        .containsAll(present("replyTo"))
        .containsAll(present("threadRoot"));
  }

  private static Set<String> present(String field) {
    Set<String> ids = values(field);
    ids.remove(null);
    assertThat(ids).isNotEmpty();
    return ids;
  }

  @Test
  @DisplayName("every question names messages that exist")
  void questions() {
    JsonArray questions = new JsonArray(SampleConversations.questions());
    assertThat(questions.size()).isGreaterThanOrEqualTo(10);
    for (int i = 0; i < questions.size(); i++) {
      JsonObject question = questions.getJsonObject(i);
      assertThat(question.getString("question")).isNotBlank();
      assertThat(values("messageId"))
          .containsAll(question.getJsonArray("answeredBy").stream()
              .map(String.class::cast)
              .toList())
          .containsAll(
              question.getJsonArray("notFrom").stream().map(String.class::cast).toList());
    }
  }
}
