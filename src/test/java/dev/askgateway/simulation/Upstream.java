package dev.askgateway.simulation;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.Usage;
import dev.askgateway.simulation.Violation.Rule;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The models, and what they themselves know of each call: bills are checked against that. */
final class Upstream {
  static final List<String> MODELS = List.of("main", "spare", "last");
  static final PriceBook BOOK = new PriceBook(
      "simulated",
      LocalDate.parse("2026-01-01"),
      Map.of(
          "main:m", new PriceBook.Price(1_000_000, 0, 0, 2_000_000),
          "spare:m", new PriceBook.Price(1_500_000, 0, 0, 2_500_000),
          "last:m", new PriceBook.Price(300_000, 0, 0, 700_000)));
  private static final long MOST_OUTPUT_TOKENS = 60;

  private final Schedule schedule;
  private final Predicate<Request> held;
  private final Map<UUID, List<Call>> calls = new HashMap<>();

  /** @param held whether the database has the request's hold */
  Upstream(Schedule schedule, Predicate<Request> held) {
    this.schedule = schedule;
    this.held = held;
  }

  /** What a node hears of a call. */
  interface Reader {
    void refused(Usage spent);

    void delta(long chars);

    void truncated();

    void whole(@Nullable Usage reported);
  }

  /** How a call came to its end, as the model knows it. */
  enum Fate {
    RUNNING,
    REFUSED,
    TRUNCATED,
    WHOLE,
    /** The client was gone. */
    LEFT,
    /** The node gave it up for another reason, or died. */
    DROPPED
  }

  /** One call. */
  final class Call {
    final String model;
    private final Request request;
    private final Reader reader;
    private Fate fate = Fate.RUNNING;
    private long chars;
    private Usage spent = Usage.NONE;
    private @Nullable Usage reported;

    private Call(String model, Request request, Reader reader) {
      this.model = model;
      this.request = request;
      this.reader = reader;
    }

    void stop(Fate why) {
      if (fate == Fate.RUNNING) {
        fate = why;
      }
    }

    private void later(int fromMillis, int toMillis, Runnable action) {
      schedule.in(schedule.between(fromMillis, toMillis), () -> {
        if (fate == Fate.RUNNING) {
          action.run();
        }
      });
    }

    private void open() {
      if (schedule.strikes(Fault.PROVIDER_REFUSES)) {
        fate = Fate.REFUSED;
        spent = schedule.between(0, 1) == 0 ? Usage.NONE : Usage.estimate(request.inputChars(), 0);
        reader.refused(spent);
      } else {
        delta(schedule.between(1, 4));
      }
    }

    private void delta(int left) {
      long more = schedule.between(1, 50);
      chars += more;
      reader.delta(more);
      later(1, 3_000, left > 1 ? () -> delta(left - 1) : this::end);
    }

    private void end() {
      if (schedule.strikes(Fault.PROVIDER_TRUNCATES)) {
        fate = Fate.TRUNCATED;
        reader.truncated();
        return;
      }
      fate = Fate.WHOLE;
      if (!schedule.strikes(Fault.PROVIDER_TELLS_NO_USAGE)) {
        long factor = schedule.strikes(Fault.PROVIDER_OVERREPORTS) ? 1_000 : 1;
        long input = Usage.tokens(request.inputChars());
        reported = new Usage(input, 0, 0, Usage.tokens(chars) * factor, 0, false);
      }
      reader.whole(reported);
    }

    private boolean gaveSomething() {
      return chars > 0 || fate == Fate.WHOLE;
    }

    private long cost() {
      return price(reported != null ? reported : Usage.estimate(request.inputChars(), chars));
    }

    private long price(Usage usage) {
      return BOOK.costMicroUsd(model, "m", usage);
    }
  }

  static long worstCaseMicroUsd(long inputChars) {
    return MODELS.stream()
        .mapToLong(model ->
            BOOK.worstCaseMicroUsd(model, "m", Usage.tokens(inputChars), MOST_OUTPUT_TOKENS))
        .max()
        .orElseThrow();
  }

  Call call(String model, Request request, Reader reader) {
    List<Call> before = calls.computeIfAbsent(request.id(), first -> new ArrayList<>());
    if (!held.test(request)) {
      throw new Violation(Rule.HELD_FIRST, "a model was asked for " + request.name());
    }
    if (!before.stream().allMatch(call -> call.fate == Fate.REFUSED)) {
      throw new Violation(Rule.ONE_CALL, "one more model was asked for " + request.name());
    }
    Call call = new Call(model, request, reader);
    before.add(call);
    call.later(1, 4_000, call::open);
    return call;
  }

  int calls() {
    return calls.values().stream().mapToInt(List::size).sum();
  }

  /** What the person owes for a request that its own node ended, before the hold's bound. */
  long billMicroUsd(UUID request) {
    List<Call> made = calls.getOrDefault(request, List.of());
    Call last = made.isEmpty() ? null : made.get(made.size() - 1);
    return last != null && (last.gaveSomething() || last.fate == Fate.LEFT) ? last.cost() : 0;
  }

  /** What its calls cost that gave nothing, as far as the node was told. */
  long failedMicroUsd(UUID request) {
    return calls.getOrDefault(request, List.of()).stream()
        .filter(call -> call.fate == Fate.REFUSED)
        .mapToLong(call -> call.price(call.spent))
        .sum();
  }
}
