package dev.askgateway.intake.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.askgateway.store.IngestRepository.Message;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {

  @Test
  @DisplayName("every field arrives, times as instants whatever their offset")
  void allFields() throws LineReader.Refused {
    Message message = LineReader.read(Buffer.buffer("""
        {"platform":"WhatsApp","chatId":"c","chatName":" Family ","isGroup":true,"messageId":"m",
         "at":"2026-11-28T19:04:11.123456789+01:00","senderId":"s","senderName":"Ana","fromMe":false,
         "text":"hola","replyTo":"r","threadRoot":"t","editedAt":"2026-11-29T00:00:00Z","deleted":true,
         "somethingNew":{"a":[1]}}"""));
    assertThat(message)
        .isEqualTo(new Message(
            "whatsapp",
            "c",
            "Family",
            true,
            "m",
            Instant.parse("2026-11-28T18:04:11.123456Z"),
            "s",
            "Ana",
            false,
            "hola",
            "r",
            "t",
            Instant.parse("2026-11-29T00:00:00Z"),
            true));
  }

  @Test
  @DisplayName("the same instant is the same from Kiritimati and from Pago Pago")
  void offsets() throws LineReader.Refused {
    Instant kiritimati =
        LineReader.read(line("at", "2026-11-29T12:00:00+14:00")).at();
    Instant pagoPago = LineReader.read(line("at", "2026-11-28T11:00:00-11:00")).at();
    assertThat(kiritimati).isEqualTo(pagoPago).isEqualTo(Instant.parse("2026-11-28T22:00:00Z"));
  }

  @Test
  @DisplayName("null and empty optional fields are fields left out; blank text is no text")
  void leftOut() throws LineReader.Refused {
    JsonObject line = minimal()
        .put("senderId", "")
        .putNull("replyTo")
        .put("senderName", " ")
        .putNull("fromMe")
        .put("text", " \n ")
        .putNull("editedAt");
    Message message = LineReader.read(line.toBuffer());
    assertThat(message)
        .isEqualTo(new Message(
            "sms",
            "c",
            null,
            null,
            "m",
            Instant.parse("2026-11-28T18:04:11Z"),
            null,
            null,
            null,
            "",
            null,
            null,
            null,
            false));
  }

  @Test
  @DisplayName("NUL is dropped and a lone surrogate replaced in text and names; emoji stay")
  void repaired() throws LineReader.Refused {
    Message message = LineReader.read(Buffer.buffer("""
        {"platform":"sms","chatId":"c","messageId":"m","at":"2026-11-28T19:04:11Z",
         "text":"a\\u0000b \\ud800 🎂 שלום","senderName":"\\u0000Al\\udc00","chatName":"\\u0000"}"""));
    assertThat(message.text()).isEqualTo("ab \uFFFD 🎂 שלום");
    assertThat(message.senderName()).isEqualTo("Al\uFFFD");
    assertThat(message.chatName()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"platform", "chatId", "messageId", "at"})
  @DisplayName("a required field that is not there, or null, is named")
  void missing(String field) {
    JsonObject line = minimal();
    line.remove(field);
    assertThat(refusal(line.toBuffer()))
        .isEqualTo(new Rejection(7, Rejection.Code.MISSING_FIELD, field));
    assertThat(refusal(line.putNull(field).toBuffer()))
        .isEqualTo(new Rejection(7, Rejection.Code.MISSING_FIELD, field));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "platform",
        "chatId",
        "messageId",
        "at",
        "senderId",
        "senderName",
        "chatName",
        "text",
        "replyTo",
        "threadRoot",
        "editedAt",
        "fromMe",
        "isGroup",
        "deleted"
      })
  @DisplayName("a field of another type is named")
  void wrongType(String field) {
    assertThat(refusal(minimal().put(field, 12).toBuffer()))
        .isEqualTo(new Rejection(7, Rejection.Code.WRONG_TYPE, field));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "at,2026-11-28",
        "at,2026-11-28T19:04:11",
        "at,2026-02-30T10:00:00Z",
        "at,1969-12-31T23:59:59Z",
        "at,+99999-01-01T00:00:00Z",
        "editedAt,yesterday",
        "platform,what's app",
        "platform,``",
        "chatId,``",
        "messageId,` `",
        "platform,abcdefghijabcdefghijabcdefghijabc",
      })
  @DisplayName("a value that means nothing is refused")
  void invalidValue(String field, String value) {
    assertThat(refusal(line(field, value)))
        .isEqualTo(new Rejection(7, Rejection.Code.INVALID_VALUE, field));
  }

  @Test
  @DisplayName("an id with a NUL or half a character is refused, for two ids must never become one")
  void brokenIds() {
    assertThat(refusal(line("messageId", "a\u0000")).code())
        .isEqualTo(Rejection.Code.INVALID_VALUE);
    assertThat(refusal(Buffer.buffer(minimal().encode().replace("\"m\"", "\"\\ud800\"")))
            .field())
        .isEqualTo("messageId");
  }

  @Test
  @DisplayName("lengths are taken at the limit and refused one beyond it")
  void tooLong() throws LineReader.Refused {
    assertThat(LineReader.read(line("text", "x".repeat(65_536))).text()).hasSize(65_536);
    assertThat(LineReader.read(line("chatId", "x".repeat(512))).chatId()).hasSize(512);
    assertThat(refusal(line("text", "x".repeat(65_537))))
        .isEqualTo(new Rejection(7, Rejection.Code.TOO_LONG, "text"));
    assertThat(refusal(line("chatId", "x".repeat(513))).code()).isEqualTo(Rejection.Code.TOO_LONG);
    assertThat(refusal(line("senderName", "x".repeat(513))).code())
        .isEqualTo(Rejection.Code.TOO_LONG);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":       | INVALID_JSON",
        "{} {}         | INVALID_JSON",
        "{\"a\":1}}    | INVALID_JSON",
        "``            | INVALID_JSON",
        "hello         | INVALID_JSON",
        "[]            | NOT_AN_OBJECT",
        "\"text\"      | NOT_AN_OBJECT",
        "null          | NOT_AN_OBJECT",
        "12            | NOT_AN_OBJECT",
      })
  @DisplayName("a line that is no JSON, or no object, is told apart")
  void notAnObject(String line, Rejection.Code code) {
    assertThat(refusal(Buffer.buffer(line))).isEqualTo(new Rejection(7, code, null));
  }

  @Test
  @DisplayName("bytes that are not UTF-8, and nesting without end, are no JSON")
  void hostile() {
    byte[] latin1 = minimal()
        .encode()
        .replace("\"m\"", "\"\u00e9\u00e9\"")
        .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    assertThat(refusal(Buffer.buffer(latin1)).code()).isEqualTo(Rejection.Code.INVALID_JSON);
    assertThat(refusal(Buffer.buffer("{\"a\":" + "[".repeat(100_000))).code())
        .isEqualTo(Rejection.Code.INVALID_JSON);
  }

  private static JsonObject minimal() {
    return new JsonObject()
        .put("platform", "sms")
        .put("chatId", "c")
        .put("messageId", "m")
        .put("at", "2026-11-28T19:04:11+01:00");
  }

  private static Buffer line(String field, String value) {
    return minimal().put(field, value).toBuffer();
  }

  private static Rejection refusal(Buffer line) {
    LineReader.Refused refused =
        catchThrowableOfType(LineReader.Refused.class, () -> LineReader.read(line));
    return refused.at(7);
  }
}
