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
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    Wait.onLoop(
        vertx, () -> Future.all(plays.stream().map(play -> play.run(vertx)).toList()));
    plays.forEach(Play::awaitStopped);
  }

  @AfterAll
  static void write() {
    Table.write(Path.of("target", "failure-matrix.md"), PLAYS);
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
  @DisplayName("one end, one model's text, no doubled call, and every token accounted for")
  void row(String dialect, String fault, Row.When when, Play play) {
    Row row = play.row();
    Outcome outcome = play.outcome();
    assertThat(outcome.ends()).isEqualTo(1);
    assertThat(outcome.late()).isZero();
    assertThat(outcome.text()).isEqualTo(text(row.sees()));
    assertThat(outcome.failure() == null ? null : outcome.failure().code()).isEqualTo(row.error());
    assertThat(outcome.reasons())
        .isEqualTo(row.finish() == null ? List.of() : List.of(row.finish()));
    assertThat(outcome.started())
        .isEqualTo(row.attempts() == 2 ? List.of("one", "two") : List.of("one"));
    assertThat(play.first().calls("key-one")).isEqualTo(row.firstCalls());
    assertThat(play.first().calls()).hasSize(row.firstCalls());
    assertThat(play.second().calls("key-two")).isEqualTo(row.attempts() - 1);
    assertThat(play.second().calls()).hasSize(row.attempts() - 1);
    firstFailure(play);
    usage(play);
    health(play.firstCandidate());
    health(play.secondCandidate());
  }

  private static String text(Sees sees) {
    return switch (sees) {
      case SECOND -> Play.SECOND_TEXT;
      case FIRST, PART -> Play.FIRST_TEXT;
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
      assertThat(spent).isEqualTo(play.accepts());
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

  /** Every leave to ask a model ends exactly once. */
  private static void health(RecordedCandidate candidate) {
    assertThat(candidate.ends()).hasSize(candidate.permits());
  }
}
