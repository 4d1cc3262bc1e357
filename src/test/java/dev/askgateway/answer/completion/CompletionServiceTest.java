package dev.askgateway.answer.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.SilentListener;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBooks;
import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.Prompts;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.ProviderFactory;
import dev.askgateway.provider.TokenPump;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.gate.FailoverGate;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.HealthBook;
import dev.askgateway.provider.route.HealthListener;
import dev.askgateway.provider.route.Models;
import dev.askgateway.provider.tokens.Counting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class CompletionServiceTest {

  /** A model that has three pieces ready and counts whether it is told to hold. */
  private static final class Ready implements ModelProvider, TokenPump.Source {
    private final Dialect dialect;
    boolean cancelled;

    private Ready(Dialect dialect) {
      this.dialect = dialect;
    }

    @Override
    public String name() {
      return "main";
    }

    @Override
    public String model() {
      return "m";
    }

    @Override
    public Dialect dialect() {
      return dialect;
    }

    @Override
    public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
      TokenPump pump = new TokenPump(this);
      for (String piece : List.of("a", "b", "c")) {
        pump.offer(new TokenEvent.Text(piece));
      }
      pump.offer(new TokenEvent.Finished(FinishReason.STOP));
      pump.end();
      return Future.succeededFuture(pump);
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  /** A reader that is behind after each event until the test says otherwise. */
  private static final class Slow implements CompletionSink {
    final List<TokenEvent> events = new ArrayList<>();
    final Promise<Usage> ended = Promise.promise();
    Runnable drained = () -> {};
    Runnable closed = () -> {};

    @Override
    public void replayed(long createdSeconds) {
      throw new IllegalStateException("it was not asked before");
    }

    @Override
    public void dayWarned() {}

    @Override
    public void write(TokenEvent event) {
      events.add(event);
    }

    @Override
    public boolean full() {
      return !events.isEmpty();
    }

    @Override
    public void drainHandler(Runnable handler) {
      drained = handler;
    }

    @Override
    public void closeHandler(Runnable handler) {
      closed = handler;
    }

    @Override
    public void end(Usage usage) {
      ended.complete(usage);
    }

    @Override
    public void fail(Throwable failure) {
      ended.fail(failure);
    }
  }

  private static CompletionService service(Vertx vertx, ModelProvider model) {
    ProviderConfig provider = ProviderConfig.of(
        "main",
        model.dialect(),
        model.dialect() == Dialect.EXTRACTIVE ? "" : "http://localhost/v1",
        "k",
        ProviderConfig.KeyHeader.BEARER);
    PriceBooks prices = PriceBooks.of(new PriceBook("free", LocalDate.of(2026, 1, 1), Map.of()));
    ProviderFactory factory = new ProviderFactory() {
      @Override
      public ModelProvider answering(ProviderConfig config, ModelConfig ignored) {
        return model;
      }

      @Override
      public EmbeddingModel embedding(ProviderConfig config, ModelConfig ignored) {
        throw new IllegalArgumentException(config.name());
      }
    };
    Catalogue catalogue = Catalogue.of(
        List.of(provider),
        List.of(ModelConfig.of("main", "m")),
        List.of(Profile.of("assistant_grounded", Deadlines.DEFAULT, "m")));
    Models models =
        new Models(catalogue, factory, prices, new HealthBook(vertx, HealthListener.NONE));
    return new CompletionService(new CompletionService.Rooms(
        vertx,
        models,
        models,
        new FailoverGate(vertx),
        prices,
        Counting.o200k(vertx),
        Accounts.NONE,
        new SilentListener(),
        null));
  }

  private static CompletionCommand command(boolean openAiOnly) {
    Caller caller =
        new Caller(new UserId("ana"), UUID.randomUUID(), Buffer.buffer(), false, 0, Span.NONE);
    return new CompletionCommand(caller, "assistant_grounded", Prompts.request(), openAiOnly, 100);
  }

  @Test
  @DisplayName("a model waits for a reader that is behind, event by event")
  void backPressure(Vertx vertx) {
    CompletionService service = service(vertx, new Ready(Dialect.OPENAI));
    Slow sink = new Slow();

    Wait.onLoop(vertx, () -> {
      service.complete(command(false), sink);
      return vertx.timer(1).onSuccess(later -> {
        assertThat(sink.events).containsExactly(new TokenEvent.Text("a"));
        assertThat(service.running()).isOne();
        sink.drained.run();
        assertThat(sink.events).hasSize(2);
        sink.drained.run();
        sink.drained.run();
        sink.drained.run();
      });
    });

    assertThat(Wait.on(sink.ended.future())).isEqualTo(Usage.estimate(16, 3));
    assertThat(sink.events)
        .containsExactly(
            new TokenEvent.Text("a"),
            new TokenEvent.Text("b"),
            new TokenEvent.Text("c"),
            new TokenEvent.Finished(FinishReason.STOP));
    assertThat(service.running()).isZero();
  }

  @Test
  @DisplayName("a reader that leaves ends it at once")
  void leaves(Vertx vertx) {
    Ready model = new Ready(Dialect.OPENAI);
    CompletionService service = service(vertx, model);
    Slow sink = new Slow();

    Wait.onLoop(vertx, () -> {
      service.complete(command(false), sink);
      sink.closed.run();
      return Future.succeededFuture(0);
    });

    assertThat(service.running()).isZero();
    assertThat(sink.ended.future().isComplete()).isFalse();
  }

  @Test
  @DisplayName("a request with more than its neutral view is refused where no model would get it")
  void lossy(Vertx vertx) {
    Slow told = new Slow();
    Slow taken = new Slow();
    CompletionService neutral = service(vertx, new Ready(Dialect.ANTHROPIC));
    CompletionService openAi = service(vertx, new Ready(Dialect.OPENAI));

    Wait.onLoop(vertx, () -> {
      neutral.complete(command(true), told);
      openAi.complete(command(true), taken);
      return Future.succeededFuture(0);
    });

    assertThat(told.ended.future().cause())
        .isInstanceOfSatisfying(GatewayError.class, refused -> assertThat(refused.code())
            .isEqualTo(GatewayError.Code.INVALID_REQUEST));
    assertThat(taken.ended.future().failed()).isFalse();
  }

  @Test
  @DisplayName("who only quotes evidence is asked for no completion and is not listed")
  void quoting(Vertx vertx) {
    CompletionService service = service(vertx, new Ready(Dialect.EXTRACTIVE));
    Slow sink = new Slow();

    Wait.onLoop(vertx, () -> {
      service.complete(command(false), sink);
      return Future.succeededFuture();
    });

    assertThat(service.models()).isEmpty();
    assertThat(sink.ended.future().cause())
        .isInstanceOfSatisfying(GatewayError.class, error -> assertThat(error.code())
            .isEqualTo(GatewayError.Code.NO_PROVIDER));
  }

  @Test
  @DisplayName("a node that goes down interrupts what does not end by itself")
  void drain(Vertx vertx) {
    CompletionService service = service(vertx, new Ready(Dialect.OPENAI));
    Slow sink = new Slow();
    Wait.onLoop(vertx, () -> {
      service.complete(command(false), sink);
      return Future.succeededFuture(0);
    });

    Wait.on(service.drain(Duration.ofMillis(60)));

    assertThat(sink.ended.future().cause())
        .isInstanceOfSatisfying(GatewayError.class, told -> assertThat(told.code())
            .isEqualTo(GatewayError.Code.INTERRUPTED));
    assertThat(service.running()).isZero();
  }
}
