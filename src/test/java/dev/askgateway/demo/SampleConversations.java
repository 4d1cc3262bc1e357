package dev.askgateway.demo;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The conversations of {@code demo/conversations.txt}, which tells its own format, as lines for {@code
 * POST /ai/messages}. All of it happened before today began in the given zone, so that nothing is ever
 * in the future.
 */
public final class SampleConversations {
  private static final String RESOURCE = "/demo/conversations.txt";
  private static final DateTimeFormatter ENGLISH =
      DateTimeFormatter.ofPattern("EEEE d MMMM", Locale.ENGLISH);
  private static final DateTimeFormatter SPANISH =
      DateTimeFormatter.ofPattern("'el' EEEE d 'de' MMMM", Locale.forLanguageTag("es"));

  private final LocalDate today;
  private final LocalDate saturday;
  private final ZoneId zone;
  private final List<JsonObject> lines = new ArrayList<>();
  private final Map<String, JsonObject> byId = new LinkedHashMap<>();
  private String[] chat = {};

  private SampleConversations(Instant now, ZoneId zone) {
    this.zone = zone;
    this.today = LocalDate.ofInstant(now, zone);
    this.saturday = today.with(TemporalAdjusters.nextOrSame(DayOfWeek.SATURDAY));
  }

  /** One JSON object a line. The same instant and zone give the same text. */
  public static String ndjson(Instant now, ZoneId zone) {
    SampleConversations samples = new SampleConversations(now, zone);
    source().lines().forEach(samples::read);
    StringBuilder text = new StringBuilder();
    samples.lines.forEach(line -> text.append(line.encode()).append('\n'));
    return text.toString();
  }

  /** The questions of {@code demo/questions.json}: what to ask, and the messages that answer it. */
  public static String questions() {
    return resource("/demo/questions.json");
  }

  private static String source() {
    return resource(RESOURCE);
  }

  private static String resource(String name) {
    try (InputStream in = SampleConversations.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void read(String row) {
    if (row.isBlank() || row.startsWith("#")) {
      return;
    }
    String[] parts = row.split("\\s*\\|\\s*", -1);
    if (row.startsWith("=")) {
      parts[0] = parts[0].substring(1).strip();
      chat = parts;
    } else if (parts[0].equals("edit")) {
      again(parts[1], at(parts[2], parts[3])).put("text", dated(parts[4])).remove("deleted");
    } else if (parts[0].equals("delete")) {
      again(parts[1], at(parts[2], parts[3])).put("deleted", true).remove("text");
    } else {
      message(parts);
    }
  }

  private void message(String[] parts) {
    boolean fromMe = parts[3].equals("me");
    JsonObject line = new JsonObject()
        .put("platform", chat[0])
        .put("chatId", chat[1])
        .put("chatName", chat[2])
        .put("isGroup", chat.length > 3)
        .put("messageId", parts[0])
        .put("at", at(parts[1], parts[2]))
        .put("senderId", parts[3].toLowerCase(Locale.ROOT).replace(' ', '.'))
        .put("fromMe", fromMe)
        .put("text", dated(parts[4]));
    if (!fromMe) {
      line.put("senderName", parts[3]);
    }
    for (int i = 5; i < parts.length; i++) {
      String[] link = parts[i].split("=", 2);
      line.put(link[0].equals("reply") ? "replyTo" : "threadRoot", link[1]);
    }
    lines.add(line);
    byId.put(parts[0], line);
  }

  /** The same message once more, later. */
  private JsonObject again(String id, String at) {
    JsonObject line = Objects.requireNonNull(byId.get(id), id).copy().put("editedAt", at);
    lines.add(line);
    return line;
  }

  private String at(String daysAgo, String time) {
    return today
        .minusDays(Integer.parseInt(daysAgo))
        .atTime(LocalTime.parse(time))
        .atZone(zone)
        .toOffsetDateTime()
        .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
  }

  private String dated(String text) {
    return text.replace("{saturday}", ENGLISH.format(saturday))
        .replace("{sabado}", SPANISH.format(saturday))
        .replace("{friday}", ENGLISH.format(saturday.minusDays(1)))
        .replace("{thursday}", ENGLISH.format(saturday.plusDays(5)));
  }
}
