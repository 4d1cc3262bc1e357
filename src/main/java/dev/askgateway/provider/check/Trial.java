package dev.askgateway.provider.check;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call, watched until it is over and a little longer: a stream that goes on after its end, or
 * after it was cancelled, is found out only by listening on.
 */
final class Trial implements TokenEvent.Cases<Boolean> {
  /** When the caller has had enough. */
  enum Until {
    /** The stream ends by itself. */
    END,
    FIRST_TEXT,
    /** Before there is an answer at all. */
    OPENING
  }

  private static final long LISTEN_ON_MILLIS = 100;
  private static final int MOST_CHARS = 64 << 10;
  private static final int MOST_CALLS = 16;

  private final Vertx vertx;
  private final Until until;
  private final Promise<Heard> done = Promise.promise();
  private final long startNanos = System.nanoTime();
  private final StringBuilder text = new StringBuilder();
  private final List<Heard.Call> calls = new ArrayList<>();
  private @Nullable ModelCall call;
  private @Nullable TokenStream stream;
  private @Nullable Usage usage;
  private @Nullable GatewayError failure;
  private int texts;
  private int reasons;
  private int afterReason;
  private int ends;
  private int afterwards;
  private long firstTextMillis;
  private long lastTextMillis;
  private long millis;
  private boolean over;
  private long timer = -1;

  private Trial(Vertx vertx, Until until) {
    this.vertx = vertx;
    this.until = until;
  }

  /** Makes the call on the caller's event loop. Never fails: a failure is something heard. */
  static Future<Heard> of(
      Vertx vertx, ModelProvider provider, ModelRequest request, Deadlines deadlines, Until until) {
    Trial trial = new Trial(vertx, until);
    trial.start(provider, request, deadlines);
    return trial.done.future();
  }

  private void start(ModelProvider provider, ModelRequest request, Deadlines deadlines) {
    timer = vertx.setTimer(deadlines.total().toMillis(), fired -> late());
    try {
      call = ModelCall.start(provider, request, deadlines);
      call.opened().onComplete(this::opened, this::failed);
      if (until == Until.OPENING) {
        call.abort().run();
      }
    } catch (RuntimeException broken) {
      failed(broken);
    }
  }

  private void opened(TokenStream opened) {
    if (over) {
      opened.cancel();
      return;
    }
    stream = opened;
    if (until == Until.OPENING) {
      leave();
      return;
    }
    opened
        .exceptionHandler(this::failed)
        .endHandler(ended -> ended())
        .handler(event -> event.match(this));
    opened.resume();
  }

  private void late() {
    failure = ProviderFailure.error(Kind.TIMEOUT, "total");
    leave();
  }

  private void failed(Throwable cause) {
    if (!over) {
      failure = ProviderFailure.transport(cause);
    }
    ended();
  }

  private void ended() {
    ends++;
    if (over) {
      afterwards++;
    } else {
      listenOn();
    }
  }

  private void leave() {
    listenOn();
    if (stream != null) {
      stream.cancel();
    } else if (call != null) {
      call.abort().run();
    }
  }

  private void listenOn() {
    over = true;
    millis = sinceStart();
    vertx.cancelTimer(timer);
    timer = vertx.setTimer(LISTEN_ON_MILLIS, fired -> done.tryComplete(heard()));
  }

  private Heard heard() {
    return new Heard(
        texts,
        text.toString(),
        List.copyOf(calls),
        usage,
        reasons,
        afterReason,
        ends,
        afterwards,
        failure,
        firstTextMillis,
        lastTextMillis,
        millis);
  }

  private long sinceStart() {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }

  @Override
  public Boolean text(TokenEvent.Text event) {
    if (!content()) {
      return false;
    }
    lastTextMillis = sinceStart();
    firstTextMillis = texts == 0 ? lastTextMillis : firstTextMillis;
    texts++;
    if (text.length() + event.delta().length() <= MOST_CHARS) {
      text.append(event.delta());
    }
    if (until == Until.FIRST_TEXT) {
      leave();
    }
    return true;
  }

  @Override
  public Boolean reasoning(TokenEvent.Reasoning event) {
    return content();
  }

  @Override
  public Boolean toolCall(TokenEvent.ToolCall event) {
    int index = event.index();
    if (!content() || index < 0 || index >= MOST_CALLS) {
      return false;
    }
    while (calls.size() <= index) {
      calls.add(Heard.Call.NONE);
    }
    calls.set(index, calls.get(index).and(event.id(), event.name(), event.arguments()));
    return true;
  }

  @Override
  public Boolean metered(TokenEvent.Metered event) {
    if (inTime()) {
      usage = event.usage();
    }
    return true;
  }

  @Override
  public Boolean finished(TokenEvent.Finished event) {
    if (inTime()) {
      reasons++;
    }
    return true;
  }

  @Override
  public Boolean chunk(TokenEvent.Chunk event) {
    return content();
  }

  private boolean content() {
    afterReason += reasons > 0 ? 1 : 0;
    return inTime();
  }

  /** Whether the call was not over yet; what comes later is counted. */
  private boolean inTime() {
    afterwards += over ? 1 : 0;
    return !over;
  }
}
