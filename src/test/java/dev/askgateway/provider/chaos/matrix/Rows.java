package dev.askgateway.provider.chaos.matrix;

import dev.askgateway.core.FinishReason;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.chaos.Delivery;
import dev.askgateway.provider.chaos.Fault;
import dev.askgateway.provider.chaos.Script;
import dev.askgateway.provider.chaos.Script.Finish;
import dev.askgateway.provider.chaos.matrix.Row.Door;
import dev.askgateway.provider.chaos.matrix.Row.Limit;
import dev.askgateway.provider.chaos.matrix.Row.When;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** The rows of the table. */
final class Rows {
  private static final long PING_MILLIS = 50;

  private Rows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    rows.addAll(connections());
    rows.addAll(silences());
    rows.addAll(refusals());
    rows.addAll(retryAfter());
    rows.addAll(broken());
    rows.addAll(otherAnswers());
    rows.addAll(deliveries());
    return rows;
  }

  private static List<Row> connections() {
    return List.of(
        Row.failsOver("connect refused", Fault.noHeaders(), Kind.UNAVAILABLE)
            .at(Door.REFUSES, Limit.NONE),
        Row.failsOver("TLS stalls", Fault.noHeaders(), Kind.TIMEOUT).at(Door.DEAF, Limit.CONNECT),
        Row.failsOver("no headers", Fault.noHeaders(), Kind.TIMEOUT).limitedBy(Limit.HEADERS));
  }

  private static List<Row> silences() {
    return List.of(
        Row.failsOver("200, then silence", Fault.silence(), Kind.TIMEOUT)
            .limitedBy(Limit.FIRST_DELTA),
        Row.failsOver("pings only", Fault.pings(PING_MILLIS), Kind.TIMEOUT)
            .limitedBy(Limit.FIRST_DELTA),
        Row.failsOver(
                "keep-alives as data", Fault.keepAliveAsData("ping", PING_MILLIS), Kind.TIMEOUT)
            .limitedBy(Limit.FIRST_DELTA),
        Row.failsOver("preamble, then silence", Fault.stall(0), Kind.TIMEOUT)
            .limitedBy(Limit.FIRST_DELTA),
        Row.failsOver("preamble, then pings", Fault.pingsAfter(0, PING_MILLIS), Kind.TIMEOUT)
            .limitedBy(Limit.FIRST_DELTA),
        Row.breaks("silence", Fault.stall(1), Kind.TIMEOUT).limitedBy(Limit.STALL),
        Row.breaks("pings only", Fault.pingsAfter(1, PING_MILLIS), Kind.TIMEOUT)
            .limitedBy(Limit.STALL));
  }

  private static List<Row> refusals() {
    return List.of(
        Row.failsOver("500", Fault.refusal(500, ""), Kind.UNAVAILABLE),
        Row.failsOver("502 in HTML", html(502), Kind.UNAVAILABLE),
        Row.failsOver("503 without a body", Fault.status(503, "", ""), Kind.UNAVAILABLE),
        Row.failsOver("529", Fault.refusal(529, ""), Kind.UNAVAILABLE),
        Row.failsOver("401", Fault.refusal(401, ""), Kind.ACCOUNT),
        Row.isFinal("400", Fault.refusal(400, ""), Kind.REFUSED),
        Row.isFinal("400 in HTML", html(400), Kind.REFUSED),
        Row.isFinal("413", Fault.refusal(413, ""), Kind.TOO_LARGE));
  }

  private static Fault html(int status) {
    return Fault.status(
        status, "Content-Type: text/html\r\n", "<html><body>Bad gateway</body></html>");
  }

  private static List<Row> retryAfter() {
    String past = DateTimeFormatter.RFC_1123_DATE_TIME.format(
        Instant.parse("2026-03-04T10:00:00Z").atZone(ZoneOffset.UTC));
    return List.of(
        limited("429", "", null),
        limited("429, Retry-After: 47", "Retry-After: 47\r\n", Duration.ofSeconds(47)),
        limited("429, Retry-After: 0", "Retry-After: 0\r\n", Duration.ZERO),
        limited("429, Retry-After: -1", "Retry-After: -1\r\n", null),
        limited("429, Retry-After: 41.5", "Retry-After: 41.5\r\n", Duration.ofMillis(41_500)),
        limited(
            "429, Retry-After: 99999999999999999999",
            "Retry-After: 99999999999999999999\r\n",
            Duration.ofSeconds(60)),
        limited(
            "429, Retry-After: a date next century",
            "Retry-After: Mon, 04 Mar 2126 10:00:00 GMT\r\n",
            Duration.ofSeconds(60)),
        limited("429, Retry-After: a past date", "Retry-After: " + past + "\r\n", Duration.ZERO),
        limited("429, Retry-After empty", "Retry-After:\r\n", null),
        limited("429, Retry-After: soon", "Retry-After: soon\r\n", null),
        limited(
            "429, Retry-After twice",
            "Retry-After: soon\r\nRetry-After: 43\r\n",
            Duration.ofSeconds(43)),
        limited(
            "429, retry-after-ms beside Retry-After",
            "Retry-After: 9\r\nretry-after-ms: 40250\r\n",
            Duration.ofMillis(40_250)));
  }

  private static Row limited(String name, String headers, Duration wait) {
    Row row = Row.failsOver(name, Fault.refusal(429, headers), Kind.RATE_LIMITED);
    return wait == null ? row : row.asksToWait(wait);
  }

  private static List<Row> broken() {
    return List.of(
        Row.failsOver("error in a 200", Fault.errorInside(0, 529), Kind.UNAVAILABLE),
        Row.breaks("error in a 200", Fault.errorInside(1, 529), Kind.UNAVAILABLE),
        Row.failsOver("429 in a 200", Fault.errorInside(0, 429), Kind.RATE_LIMITED),
        Row.breaks("429 in a 200", Fault.errorInside(1, 429), Kind.RATE_LIMITED),
        Row.failsOver("400 in a 200", Fault.errorInside(0, 400), Kind.REFUSED_LATE),
        Row.breaks("400 in a 200", Fault.errorInside(1, 400), Kind.REFUSED_LATE),
        Row.failsOver("reset without a head", Fault.resetUnanswered(), Kind.UNAVAILABLE),
        Row.failsOver("reset", Fault.reset(0), Kind.TRUNCATED),
        Row.breaks("reset", Fault.reset(1), Kind.TRUNCATED),
        Row.failsOver("closed within a chunk", Fault.unfinishedChunk(0), Kind.TRUNCATED),
        Row.breaks("closed within a chunk", Fault.unfinishedChunk(1), Kind.TRUNCATED),
        Row.failsOver("clean end without a reason", Fault.cleanCut(0), Kind.TRUNCATED),
        Row.breaks("clean end without a reason", Fault.cleanCut(1), Kind.TRUNCATED),
        Row.failsOver("malformed JSON", Fault.malformed(0), Kind.PROTOCOL),
        Row.breaks("malformed JSON", Fault.malformed(1), Kind.PROTOCOL));
  }

  /** Not faults: answers that hold no text, or stop early. */
  private static List<Row> otherAnswers() {
    Script.Text text = new Script.Text(TwoModels.FIRST_TEXT);
    Script.Call call = new Script.Call("call_1", "find", List.of("{\"who\":", "\"Ravi\"}"));
    return List.of(
        Row.answers(
            "content filter",
            When.BEFORE,
            Fault.says(Script.of(Finish.FILTER)),
            FinishReason.CONTENT_FILTER),
        Row.answers(
            "content filter",
            When.AFTER,
            Fault.says(Script.of(Finish.FILTER, text)),
            FinishReason.CONTENT_FILTER),
        Row.answers(
            "reasoning only",
            When.BEFORE,
            Fault.says(Script.of(Finish.LENGTH, new Script.Thought("Hm."))),
            FinishReason.LENGTH),
        Row.answers(
            "tool call only",
            When.BEFORE,
            Fault.says(Script.of(Finish.TOOL_CALLS, call)),
            FinishReason.TOOL_CALLS),
        Row.answers(
            "empty answer", When.BEFORE, Fault.says(Script.of(Finish.STOP)), FinishReason.STOP),
        Row.answers(
            "stray bytes after the answer",
            When.AFTER,
            (wording, script) -> Fault.strayBytes("HTTP/1.1 500 X\r\nstray")
                .over(wording, Script.of(Finish.STOP, text)),
            FinishReason.STOP));
  }

  /** Not faults: the same answer, its bytes sent in odd ways. */
  private static List<Row> deliveries() {
    return List.of(
        delivered("byte by byte", Delivery.BYTE_BY_BYTE),
        delivered("in three pieces", Delivery.cutAt(3, 90)),
        delivered("lines end in CRLF", Delivery.AT_ONCE.withLineEnd("\r\n")),
        delivered("CRLF, byte by byte", Delivery.BYTE_BY_BYTE.withLineEnd("\r\n")),
        delivered("lines end in CR", Delivery.AT_ONCE.withLineEnd("\r")),
        delivered("a byte order mark first", Delivery.AT_ONCE.withMark()));
  }

  private static Row delivered(String name, Delivery delivery) {
    Script said = Script.of(Finish.STOP, new Script.Text(TwoModels.FIRST_TEXT));
    return Row.answers(
        name,
        When.AFTER,
        (wording, script) -> Fault.delivered(delivery).over(wording, said),
        FinishReason.STOP);
  }
}
