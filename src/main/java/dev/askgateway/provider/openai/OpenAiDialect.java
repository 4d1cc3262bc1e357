package dev.askgateway.provider.openai;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.provider.http.UpstreamErrors;
import dev.askgateway.provider.sse.SseDialect;
import dev.askgateway.provider.sse.SseEvent;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the chunks of one chat completion. Upstream is read leniently: only what is used is looked
 * at, and every server leaves out or adds something.
 *
 * <p>Whole is an answer with an end marker or a finish reason. The reason is told at the end, after
 * the usage, because some servers go on after it.
 */
final class OpenAiDialect implements SseDialect {
  private static final byte[] END_MARKER = "[DONE]".getBytes(StandardCharsets.US_ASCII);

  private final Reading reading;
  private final Runnable keepAlive;
  private final Stops stops;
  private boolean done;
  private @Nullable Usage usage;

  private OpenAiDialect(Reading reading, int choices, Runnable keepAlive) {
    this.reading = reading;
    this.keepAlive = keepAlive;
    this.stops = new Stops(choices);
  }

  /**
   * Tells the first choice in no vendor's words.
   *
   * @param keepAlive told of each keep-alive that is written as data
   */
  static OpenAiDialect neutral(Runnable keepAlive) {
    return new OpenAiDialect(new NeutralReading(), 1, keepAlive);
  }

  /**
   * Passes the chunks on as they are.
   *
   * @param choices how many were asked for
   */
  static OpenAiDialect verbatim(int choices, Runnable keepAlive) {
    return new OpenAiDialect(new VerbatimReading(), choices, keepAlive);
  }

  @Override
  public void event(SseEvent event, Consumer<TokenEvent> out) {
    if (isEndMarker(event)) {
      done = true;
    } else if (beginsObject(event)) {
      chunk(event, out);
    } else {
      keepAlive.run();
    }
  }

  /** A bare JSON error, as some servers send it in the middle of an event stream. */
  @Override
  public void stray(String line, Consumer<TokenEvent> out) {
    if (line.startsWith("{")) {
      try {
        throwError(UpstreamErrors.member(new JsonObject(line)));
      } catch (DecodeException notAnObject) {
        // no field, no comment and no error: it means nothing
      }
    }
  }

  @Override
  public boolean done() {
    return done;
  }

  @Override
  public boolean finishing() {
    return stops.all();
  }

  @Override
  public void end(@Nullable SseEvent pending, Consumer<TokenEvent> out) {
    if (pending != null && !done && isTerminal(pending)) {
      event(pending, out);
    }
    if (!stops.anyChoice()) {
      throw ProviderFailure.error(Kind.PROTOCOL, "no choice in the answer");
    }
    if (!done && !stops.allBegun()) {
      throw ProviderFailure.error(Kind.TRUNCATED, "no finish reason and no end marker");
    }
    out.accept(new TokenEvent.Finished(reading.end(stops.reason())));
  }

  /** Whether an event without its blank line is whole: it parses, and it is one that ends things. */
  private boolean isTerminal(SseEvent pending) {
    if (isEndMarker(pending)) {
      return true;
    }
    StreamedChunk chunk = beginsObject(pending) ? reading.parse(pending) : null;
    return chunk != null
        && (chunk.error() != null
            || chunk.isUsageOnly()
            || chunk.choices().stream()
                .anyMatch(choice -> !choice.finishReason().isEmpty()));
  }

  private void chunk(SseEvent event, Consumer<TokenEvent> out) {
    SseEvent readable = event;
    StreamedChunk chunk = reading.parse(readable);
    if (chunk == null) {
      readable = new SseEvent(event.type(), event.data()); // bytes that are no UTF-8 made readable
      chunk = reading.parse(readable);
    }
    if (chunk == null) {
      throw ProviderFailure.error(Kind.PROTOCOL, "an event that is not JSON");
    }
    throwError(chunk.error());
    for (StreamedChoice choice : chunk.choices()) {
      stops.take(choice);
    }
    reading.tell(chunk, readable, out);
    Usage reported = chunk.usage();
    if (reported != null && !reported.equals(usage)) {
      usage = reported;
      out.accept(new TokenEvent.Metered(reported));
    }
  }

  private static void throwError(@Nullable Object error) {
    if (error != null) {
      throw UpstreamErrors.ofStream(error);
    }
  }

  private static boolean isEndMarker(SseEvent event) {
    int from = event.visibleFrom();
    int to = Math.max(from, event.visibleTo());
    return Arrays.equals(event.array(), from, to, END_MARKER, 0, END_MARKER.length);
  }

  private static boolean beginsObject(SseEvent event) {
    int from = event.visibleFrom();
    return from < event.from() + event.length() && event.array()[from] == '{';
  }
}
