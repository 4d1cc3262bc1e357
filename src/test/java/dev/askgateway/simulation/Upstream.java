package dev.askgateway.simulation;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.AbortableProvider;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelCall;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import dev.askgateway.simulation.Violation.Rule;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The models, and what they themselves know of each call: bills and texts are checked against that. */
final class Upstream {
  static final List<String> MODELS = List.of("main", "spare", "last");
  static final PriceBook BOOK = new PriceBook(
      "simulated",
      LocalDate.parse("2026-01-01"),
      Map.of(
          "main:m", new PriceBook.Price(1_000_000, 0, 0, 2_000_000),
          "spare:m", new PriceBook.Price(1_500_000, 0, 0, 2_500_000),
          "last:m", new PriceBook.Price(300_000, 0, 0, 700_000),
          "vectors:v", new PriceBook.Price(400_000, 0, 0, 0)));

  private final World world;
  private final Map<UUID, List<Call>> calls = new HashMap<>();
  private final Map<UUID, Embedded> embedded = new HashMap<>();
  private int hedged;

  /** What was embedded of a request. */
  private static final class Embedded {
    private final Set<String> asked = new HashSet<>();
    private long tokens;
  }

  Upstream(World world) {
    this.world = world;
  }

  /** A model as one life of a node asks it. */
  private record Model(Upstream upstream, Life life, String name) implements AbortableProvider {
    @Override
    public String model() {
      return "m";
    }

    @Override
    public Dialect dialect() {
      return Dialect.ANTHROPIC;
    }

    @Override
    public ModelCall start(ModelRequest request, Deadlines deadlines) {
      return upstream.call(name, Request.idOf(request.messages().get(0).text()), life);
    }
  }

  ModelProvider model(String name, Life life) {
    return new Model(this, life, name);
  }

  ModelCall call(String model, UUID id, Life life) {
    Request request = world.request(id);
    mayBeAsked(request);
    List<Call> before = calls.computeIfAbsent(id, first -> new ArrayList<>());
    long running =
        before.stream().filter(call -> call.fate() == Call.Fate.RUNNING).count();
    if (before.stream().anyMatch(Call::saidSomething) || running > 1) {
      throw world.violated(Rule.ONE_CALL, "one more model was asked for " + request.name());
    }
    hedged += (int) running;
    life.mayCrash(Fault.CRASH_CALLING);
    Call call = new Call(world, request, life, model, before.size());
    before.add(call);
    return call.start();
  }

  private void mayBeAsked(Request request) {
    if (!world.bank.isHeld(request.person(), request.id())) {
      throw world.violated(Rule.HELD_FIRST, "a model was asked for " + request.name());
    }
  }

  /** The model for vectors, which takes two texts at a time. */
  EmbeddingModel vectors(Life life) {
    return new EmbeddingModel() {
      @Override
      public String name() {
        return "vectors";
      }

      @Override
      public String model() {
        return "v";
      }

      @Override
      public Dialect dialect() {
        return Dialect.OPENAI;
      }

      @Override
      public int mostTexts() {
        return 2;
      }

      @Override
      public Future<Embeddings> embed(Request texts, Deadlines deadlines) {
        return Upstream.this.embed(texts, life);
      }
    };
  }

  private Future<EmbeddingModel.Embeddings> embed(EmbeddingModel.Request texts, Life life) {
    Request request = world.request(Request.idOf(texts.texts().get(0)));
    mayBeAsked(request);
    Embedded so = embedded.computeIfAbsent(request.id(), first -> new Embedded());
    if (!so.asked.add(texts.texts().get(0))) {
      throw world.violated(Rule.ONE_CALL, "once more was embedded " + request.name());
    }
    life.mayCrash(Fault.CRASH_CALLING);
    Promise<EmbeddingModel.Embeddings> made = Promise.promise();
    world.schedule.in(world.schedule.between(1, 3_000), () -> {
      if (life.isOver()) {
        return;
      }
      if (world.schedule.strikes(Fault.PROVIDER_REFUSES)) {
        made.fail(ProviderFailure.error(Kind.UNAVAILABLE, "simulated"));
        return;
      }
      long factor = world.schedule.strikes(Fault.PROVIDER_OVERREPORTS) ? 1_000 : 1;
      long tokens = factor
          * texts.texts().stream()
              .mapToLong(text -> Usage.tokens(text.length()))
              .sum();
      so.tokens += tokens;
      made.complete(new EmbeddingModel.Embeddings(
          texts.texts().stream().map(Upstream::vector).toList(),
          new Usage(tokens, 0, 0, 0, 0, false)));
    });
    return made.future();
  }

  static float[] vector(String text) {
    return new float[] {text.length(), text.charAt(text.length() - 1)};
  }

  int calls() {
    return calls.values().stream().mapToInt(List::size).sum() + embedded.size();
  }

  /** Requests for which two models were at work at once. */
  int hedged() {
    return hedged;
  }

  /** The one that said something, if any did. */
  @Nullable
  Call speaking(UUID request) {
    List<Call> said = calls.getOrDefault(request, List.of()).stream()
        .filter(Call::saidSomething)
        .toList();
    if (said.size() > 1) {
      throw world.violated(Rule.ONE_CALL, "two models answered " + request);
    }
    return said.isEmpty() ? null : said.get(0);
  }

  /** What all its calls used, as far as its node was told. */
  long costMicroUsd(Request request) {
    if (request.kind() == Request.Kind.EMBEDDING) {
      Embedded so = embedded.get(request.id());
      return so == null
          ? 0
          : BOOK.embeddingMicroUsd("vectors", "v", new Usage(so.tokens, 0, 0, 0, 0, false));
    }
    return calls.getOrDefault(request.id(), List.of()).stream()
        .mapToLong(Call::costMicroUsd)
        .sum();
  }
}
