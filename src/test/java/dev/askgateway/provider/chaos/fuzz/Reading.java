package dev.askgateway.provider.chaos.fuzz;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.gate.AttemptListener;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.sse.SseDialect;
import dev.askgateway.provider.sse.SseTokenStream;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One stream read as in production, through the reader of events, the dialect and the gate, by a
 * reader with a pace of its own. What is wrong with how it went is told in {@link #complaints}.
 */
final class Reading {

  /** How the answer is read. */
  enum Pace {
    EAGER,
    /** One event after the other. */
    ONE_BY_ONE,
    /** Nothing before all bytes are there. */
    LATE,
    /** Leaves at the first event. */
    LEAVES
  }

  static final ClientLimits LIMITS =
      new ClientLimits(1, 1, 1, Duration.ofSeconds(1), 16_384, 16_384, 1_024);

  private final Timers timers = new Timers();
  private final List<TokenEvent> events = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final Source source;
  private final Pace pace;
  private final StringBuilder text = new StringBuilder();
  private TokenStream late;
  private GatewayError failure;
  private long counted;
  private int ends;
  private boolean left;

  private Reading(Source source, Pace pace) {
    this.source = source;
    this.pace = pace;
  }

  /** Reads all of it, on an event loop, in one turn. */
  static Reading of(
      SseDialect dialect,
      Plan.Commit commit,
      List<Buffer> chunks,
      Source.Ending ending,
      Pace pace) {
    Source source = new Source(chunks, ending);
    Reading reading = new Reading(source, pace);
    try {
      reading.run(dialect, commit);
    } catch (RuntimeException | StackOverflowError escaped) {
      reading.complaints.add("escaped: " + escaped);
    }
    reading.check();
    return reading;
  }

  private void run(SseDialect dialect, Plan.Commit commit) {
    Plan plan = new Plan(
        "fuzz",
        List.of(Candidate.of(new Model(timers, source, dialect))),
        commit,
        Deadlines.DEFAULT,
        1,
        Duration.ZERO,
        () -> false);
    new FailoverGate(timers.asVertx())
        .start(Prompts.request(), plan, AttemptListener.NONE)
        .committed()
        .onComplete(committed -> read(committed.stream()), this::failed);
    source.start();
    if (late != null) {
      late.resume();
    }
  }

  private void read(TokenStream stream) {
    stream
        .exceptionHandler(this::failed)
        .endHandler(ended -> ends++)
        .handler(event -> take(stream, event));
    if (pace == Pace.LATE) {
      late = stream;
    } else if (pace == Pace.ONE_BY_ONE) {
      stream.fetch(1);
    } else {
      stream.resume();
    }
  }

  private void take(TokenStream stream, TokenEvent event) {
    if (left || ends > 0) {
      complaints.add("after its end: " + event);
    }
    events.add(event);
    if (event instanceof TokenEvent.Text piece) {
      counted += piece.delta().length();
      text.append(piece.delta());
    } else if (event instanceof TokenEvent.Chunk chunk) {
      relayed(chunk);
    }
    if (pace == Pace.ONE_BY_ONE) {
      stream.fetch(1);
    } else if (pace == Pace.LEAVES) {
      left = true;
      stream.cancel();
    }
  }

  /** A chunk goes to the reader as it is: it has to be one JSON object on one line. */
  private void relayed(TokenEvent.Chunk chunk) {
    if (chunk.json().toString().indexOf('\n') >= 0) {
      complaints.add("a chunk on two lines");
    }
    counted += chunk.textChars();
    try {
      text.append(ChunkText.of(new JsonObject(chunk.json())));
    } catch (DecodeException malformed) {
      complaints.add("a chunk that is not JSON");
    }
  }

  private void failed(Throwable cause) {
    ends++;
    if (!(cause instanceof GatewayError error)) {
      complaints.add("no error of ours: " + cause);
    } else if (!(error.getCause() instanceof ProviderFailure)) {
      complaints.add("a failure without a kind: " + error.code() + " " + error.getCause());
    } else {
      failure = error;
    }
  }

  private void check() {
    int wanted = left ? 0 : 1;
    if (ends != wanted) {
      complaints.add(ends + " ends instead of " + wanted);
    }
    if (!source.over()) {
      complaints.add("the response was neither read to its end nor reset");
    }
    if (source.resets() > 1 || source.resetsWhenOver() > 0) {
      complaints.add(source.resets() + " resets, " + source.resetsWhenOver() + " of them too late");
    }
    if (timers.pending() > 0) {
      complaints.add(timers.pending() + " timers forgotten");
    }
  }

  List<String> complaints() {
    return complaints;
  }

  /** The failure it ended with, or null. */
  GatewayError failure() {
    return failure;
  }

  boolean left() {
    return left;
  }

  /** The text told, or in the chunks passed on. */
  String text() {
    return text.toString();
  }

  /** The characters of text that were told with it. */
  long counted() {
    return counted;
  }

  /** How it ended: left, whole, or the kind of its failure. */
  String terminal() {
    if (left) {
      return "left";
    }
    return failure == null ? "whole" : ProviderFailure.kindOf(failure).name();
  }

  /** The last usage told, or null. */
  Usage usage() {
    Usage last = null;
    for (TokenEvent event : events) {
      last = event instanceof TokenEvent.Metered metered ? metered.usage() : last;
    }
    return last;
  }

  /** The reasons told, at most one in a good stream. */
  List<FinishReason> reasons() {
    return events.stream()
        .filter(TokenEvent.Finished.class::isInstance)
        .map(event -> ((TokenEvent.Finished) event).reason())
        .toList();
  }

  /** A model whose response is the source. */
  private record Model(Timers timers, Source source, SseDialect reader) implements ModelProvider {
    @Override
    public String name() {
      return "fuzz";
    }

    @Override
    public String model() {
      return "fuzz";
    }

    @Override
    public Dialect dialect() {
      return Dialect.OPENAI;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      return Future.succeededFuture(
          SseTokenStream.of(timers.asVertx(), source.asResponse(), reader, LIMITS));
    }
  }
}
