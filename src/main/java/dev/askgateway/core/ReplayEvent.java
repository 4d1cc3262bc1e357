package dev.askgateway.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was told of a request with an idempotency key, kept for whoever sends it again. */
public sealed interface ReplayEvent {

  <R> R match(Cases<R> cases);

  /** Whether nothing comes after it. */
  default boolean last() {
    return true;
  }

  /** About how many bytes it holds. */
  default long size() {
    return 0;
  }

  /** One method for each kind: exhaustive on Java 17, which has no pattern switch. */
  interface Cases<R> {
    R opened(Opened event);

    R output(Output event);

    R vectors(Vectors event);

    R ended(Ended event);

    R failed(Failed event);

    R cut(Cut event);
  }

  /**
   * The request began.
   *
   * @param createdSeconds what its answer says of when, in seconds since 1970
   */
  record Opened(long createdSeconds) implements ReplayEvent {
    @Override
    public boolean last() {
      return false;
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.opened(this);
    }
  }

  /** A piece of a completion. */
  record Output(TokenEvent event) implements ReplayEvent {
    /** Of what is written around the text of a piece. */
    private static final long AROUND = 32;

    @Override
    public boolean last() {
      return false;
    }

    @Override
    public long size() {
      return AROUND + event.match(new Size());
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.output(this);
    }
  }

  /** All of an embedding, in the order of its texts. */
  record Vectors(List<float[]> vectors, Usage usage) implements ReplayEvent {
    @Override
    public long size() {
      return vectors.stream()
          .mapToLong(vector -> (long) vector.length * Float.BYTES)
          .sum();
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.vectors(this);
    }
  }

  /** The completion is whole. */
  record Ended(Usage usage) implements ReplayEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.ended(this);
    }
  }

  /** There was no answer, or no more of it. */
  record Failed(
      GatewayError.Code code,
      String message,
      @Nullable String field,
      @Nullable Duration retryAfter) implements ReplayEvent {

    /** What a client was told of that failure. */
    public static Failed of(Throwable failure) {
      return failure instanceof GatewayError known
          ? new Failed(known.code(), known.message(), known.field(), known.retryAfter())
          : new Failed(GatewayError.Code.INTERNAL, "Something went wrong here.", null, null);
    }

    /** The same failure again. */
    public GatewayError error() {
      return GatewayError.again(code, message, field, retryAfter);
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.failed(this);
    }
  }

  /** It went on, but was too long to be kept. */
  record Cut() implements ReplayEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.cut(this);
    }
  }

  /** Lengths of what is in a piece; a character counts as one. */
  final class Size implements TokenEvent.Cases<Integer> {
    private Size() {}

    @Override
    public Integer text(TokenEvent.Text event) {
      return event.delta().length();
    }

    @Override
    public Integer reasoning(TokenEvent.Reasoning event) {
      return event.delta().length();
    }

    @Override
    public Integer toolCall(TokenEvent.ToolCall event) {
      return event.id().length()
          + event.name().length()
          + event.arguments().length()
          + event.signature().length();
    }

    @Override
    public Integer metered(TokenEvent.Metered event) {
      return 0;
    }

    @Override
    public Integer finished(TokenEvent.Finished event) {
      return 0;
    }

    @Override
    public Integer chunk(TokenEvent.Chunk event) {
      return event.json().length();
    }
  }
}
