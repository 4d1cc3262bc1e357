package dev.askgateway.provider.anthropic;

import static dev.askgateway.provider.anthropic.Recorded.STOPPED;
import static dev.askgateway.provider.anthropic.Recorded.error;
import static dev.askgateway.provider.anthropic.Recorded.read;
import static dev.askgateway.provider.anthropic.Recorded.reason;
import static dev.askgateway.provider.anthropic.Recorded.start;
import static dev.askgateway.provider.anthropic.Recorded.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Transcript;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AnthropicUsageTest {
  private static Usage usage(String started, String... totals) {
    StringBuilder body = new StringBuilder(start("msg_01", started)).append(text(0, "Hi"));
    for (String total : totals) {
      body.append(reason("end_turn", total));
    }
    return read(body + STOPPED).usage();
  }

  private static List<Usage> reports(Transcript transcript) {
    return transcript.events().stream()
        .filter(TokenEvent.Metered.class::isInstance)
        .map(event -> ((TokenEvent.Metered) event).usage())
        .toList();
  }

  @Test
  @DisplayName("cache writes are no input: they are priced once (B69)")
  void cacheWrites() {
    Usage usage = usage(
        "\"input_tokens\":3,\"cache_creation_input_tokens\":12304,\"cache_read_input_tokens\":0,"
            + "\"output_tokens\":1",
        "\"output_tokens\":550");
    assertThat(usage).isEqualTo(new Usage(3, 0, 12_304, 550, 0, false));
    PriceBook book = new PriceBook(
        "list",
        LocalDate.of(2026, 1, 1),
        Map.of("p:m", new PriceBook.Price(3_000_000, 300_000, 3_750_000, 15_000_000)));
    assertThat(book.costMicroUsd("p", "m", usage)).isEqualTo(54_399);
  }

  @Test
  @DisplayName("later totals replace what they repeat and leave the rest (B71)")
  void totalsReplace() {
    String started = "\"input_tokens\":4,\"cache_creation_input_tokens\":0,"
        + "\"cache_read_input_tokens\":2455,\"output_tokens\":1";
    Usage plain = new Usage(4, 2_455, 0, 23, 0, false);
    assertThat(usage(started, "\"output_tokens\":23")).isEqualTo(plain);
    assertThat(usage(
            started,
            "\"input_tokens\":4,\"cache_read_input_tokens\":2455,\"output_tokens\":9",
            "\"input_tokens\":null,\"cache_creation_input_tokens\":null,\"output_tokens\":23"))
        .isEqualTo(plain);
    assertThat(usage(started, "\"input_tokens\":7,\"output_tokens\":23"))
        .isEqualTo(new Usage(7, 2_455, 0, 23, 0, false));
  }

  @Test
  @DisplayName("thinking is the part of the output that was thought, never more than it")
  void thinking() {
    assertThat(usage(
            "\"input_tokens\":4",
            "\"output_tokens\":23,\"output_tokens_details\":{\"thinking_tokens\":20}"))
        .isEqualTo(new Usage(4, 0, 0, 23, 20, false));
    assertThat(usage(
            "\"input_tokens\":4",
            "\"output_tokens\":2,\"output_tokens_details\":{\"thinking_tokens\":\"20\"}"))
        .isEqualTo(new Usage(4, 0, 0, 2, 2, false));
  }

  @Test
  @DisplayName("what a compaction used is added, since the totals leave it out")
  void compaction() {
    String total = "\"input_tokens\":10,\"output_tokens\":5,\"iterations\":["
        + "{\"type\":\"compaction\",\"input_tokens\":100,\"output_tokens\":50,"
        + "\"cache_read_input_tokens\":7},"
        + "{\"type\":\"message\",\"input_tokens\":10,\"output_tokens\":5},3]";
    assertThat(usage("\"input_tokens\":4", total)).isEqualTo(new Usage(110, 7, 0, 55, 0, false));
    assertThat(usage("\"input_tokens\":4", total, total))
        .isEqualTo(new Usage(110, 7, 0, 55, 0, false));
  }

  @Test
  @DisplayName("a message that reports nothing has no usage")
  void nothingReported() {
    assertThat(usage("", "")).isNull();
    assertThat(usage("\"input_tokens\":null,\"service_tier\":\"standard\"", "")).isNull();
  }

  @Test
  @DisplayName("the input is known at once, the output grows with what is said until it is told")
  void runningTotal() {
    String[] pieces = new String[100];
    Arrays.fill(pieces, "twenty characters ok");
    Transcript transcript = read(start(), text(0, pieces), reason("end_turn"), STOPPED);
    List<Usage> reports = reports(transcript);
    assertThat(reports.get(0)).isEqualTo(new Usage(9, 0, 0, 1, 0, true));
    assertThat(reports.get(reports.size() - 1)).isEqualTo(new Usage(9, 0, 0, 15, 0, false));
    List<Usage> running = reports.subList(0, reports.size() - 1);
    assertThat(running).hasSizeBetween(7, 10).allMatch(Usage::estimated);
    assertThat(running.get(running.size() - 1).outputTokens()).isBetween(500L - 64, 500L);
  }

  @Test
  @DisplayName("an answer that breaks off has its real input and a fair estimate of its output")
  void brokenOff() {
    String said = start() + text(0, "twelve chars", "more of it..");
    Usage sofar = new Usage(9, 0, 0, 6, 0, true);
    assertThat(read(said, error("overloaded_error", "x")).usage()).isEqualTo(sofar);
    assertThat(read(said).usage()).isEqualTo(sofar);
    assertThat(read(said, STOPPED).usage()).isEqualTo(sofar);
  }
}
