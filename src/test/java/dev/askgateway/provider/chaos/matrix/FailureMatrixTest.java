package dev.askgateway.provider.chaos.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.Usage;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.chaos.matrix.Row.Limit;
import dev.askgateway.provider.chaos.matrix.Row.Sees;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.provider.route.HealthState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The plays run side by side, since many of them only wait for a deadline. */
class FailureMatrixTest {
  private static final List<Play> PLAYS = new ArrayList<>();
  private static final List<Function<Play, Future<?>>> ACTS =
      List.of(Play::one, Play::fourMore, Play::last);

  private static Vertx vertx;
  private static UpstreamClient client;

  @BeforeAll
  static void play() {
    vertx = Vertx.vertx();
    client = UpstreamClient.create(vertx, ClientLimits.DEFAULT);
    for (Dialect dialect : Play.DIALECTS) {
      Rows.all().forEach(row -> PLAYS.add(new Play(vertx, client, dialect, row)));
    }
    run(Limit.NONE::equals); // first, so that everything is warm where time counts
    run(limit -> limit != Limit.NONE);
  }

  private static void run(Predicate<Limit> which) {
    List<Play> plays =
        PLAYS.stream().filter(play -> which.test(play.row().limit())).toList();
    for (Function<Play, Future<?>> act : ACTS) {
      Wait.onLoop(vertx, () -> Future.all(plays.stream().map(act).toList()));
    }
    plays.forEach(Play::awaitStopped);
  }

  @AfterAll
  static void write() {
    Sheets.write("1-gate", Table.of(PLAYS));
    Wait.on(client.close());
    PLAYS.forEach(Play::close);
    Wait.on(vertx.close());
  }

  static Stream<Arguments> plays() {
    return PLAYS.stream()
        .map(play ->
            Arguments.of(play.dialect().wire(), play.row().name(), play.row().when(), play));
  }

  @ParameterizedTest(name = "{0}: {1}, {2} the first text")
  @MethodSource("plays")
  @DisplayName("one model's text, no doubled call, and every token accounted for")
  void row(String dialect, String fault, Row.When when, Play play) {
    Row row = play.row();
    Outcome outcome = play.outcome();
    assertThat(outcome.text()).isEqualTo(text(row.sees()));
    assertThat(outcome.failure() == null ? null : outcome.failure().code()).isEqualTo(row.error());
    assertThat(outcome.reasons())
        .isEqualTo(row.finish() == null ? List.of() : List.of(row.finish()));
    assertThat(outcome.started())
        .isEqualTo(row.attempts() == 2 ? List.of("one", "two") : List.of("one"));
    assertThat(play.callsOfOne()).isEqualTo(row.firstCalls());
    assertThat(play.secondCallsOfOne()).isEqualTo(row.attempts() - 1);
    assertThat(play.models().first().calls("key-two")).isZero();
    assertThat(play.models().second().calls("key-one")).isZero();
    firstFailure(play);
    usage(play);
  }

  @ParameterizedTest(name = "{0}: {1}, {2} the first text")
  @MethodSource("plays")
  @DisplayName("five in a row tell an outage from a wait, a closed account and our own faults")
  void inARow(String dialect, String fault, Row.When when, Play play) {
    Row row = play.row();
    assertThat(play.health()).containsExactly(row.afterOne(), row.afterFive());
    assertThat(play.models().health("two")).isEqualTo(HealthState.UP);
    int calls = row.firstCalls() * row.asked();
    assertThat(play.callsOfFive()).isBetween(calls, row.spoils() ? 2 * calls : calls);
    Outcome last = play.outcomes().get(5);
    if (row.afterFive() == HealthState.UP) {
      assertThat(last.started()).startsWith("one");
    } else {
      assertThat(last.started()).containsExactly("two");
      assertThat(last.text()).isEqualTo(TwoModels.SECOND_TEXT);
      assertThat(play.models().first().calls()).hasSize(play.callsOfFive());
    }
    assertThat(play.outcomes()).allMatch(outcome -> outcome.ends() == 1 && outcome.late() == 0);
    assertThat(play.firstCandidate().ends()).isEqualTo(play.firstCandidate().permits());
    assertThat(play.secondCandidate().ends()).isEqualTo(play.secondCandidate().permits());
  }

  private static String text(Sees sees) {
    return switch (sees) {
      case SECOND -> TwoModels.SECOND_TEXT;
      case FIRST, PART -> TwoModels.FIRST_TEXT;
      case NOTHING, ERROR -> "";
    };
  }

  private static void firstFailure(Play play) {
    Outcome outcome = play.outcome();
    if (play.row().sees() == Sees.PART) {
      assertThat(ProviderFailure.kindOf(outcome.failure())).isEqualTo(play.row().first());
      assertThat(outcome.failed()).isEmpty();
    } else if (play.row().first() == null) {
      assertThat(outcome.failed()).isEmpty();
    } else {
      Outcome.Failed failed = outcome.failed().get(0);
      assertThat(outcome.failed()).hasSize(1);
      assertThat(failed.provider()).isEqualTo("one");
      assertThat(ProviderFailure.kindOf(failed.error())).isEqualTo(play.row().first());
      assertThat(failed.error().retryAfter()).isEqualTo(play.row().retryAfter());
      boolean spent = !failed.spent().equals(Usage.NONE);
      assertThat(spent).isEqualTo(play.models().accepts());
    }
  }

  /** What a model reported is charged as reported; what it began and did not report is estimated. */
  private static void usage(Play play) {
    Usage charged = play.outcome().charged();
    switch (play.row().sees()) {
      case SECOND, FIRST, NOTHING ->
        assertThat(charged).isEqualTo(new Usage(12, 0, 0, 7, 0, false));
      case PART -> {
        assertThat(charged.inputTokens()).isPositive();
        assertThat(charged.outputTokens()).isPositive();
      }
      case ERROR -> assertThat(charged).isEqualTo(Usage.NONE);
    }
  }
}
