package dev.askgateway.provider.chaos.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError.Code;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.Wait;
import dev.askgateway.provider.chaos.matrix.Row.Limit;
import dev.askgateway.provider.chaos.matrix.Row.Sees;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.http.UpstreamClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same faults as a client of the edge sees them, with a second model and without. */
class EdgeMatrixTest {
  private static final String HEAD = """
      # What a client of the edge sees of it

      The same faults behind `/v1/chat/completions`, the answer streamed or whole, the faulty model
      before another one or alone. A token in costs 1,000 micro-USD, a token out 2,000.

      | fault | dialect | when | models | asked for | the client sees | calls at 1 / 2 | settled | cost | the person pays | failed calls | their cost |
      |---|---|---|---|---|---|---|---|---|---|---|---|
      """;

  private static final List<EdgePlay> PLAYS = new ArrayList<>();
  private static Vertx vertx;
  private static UpstreamClient client;
  private static HttpClient http;

  @BeforeAll
  static void play() {
    vertx = Vertx.vertx();
    client = UpstreamClient.create(vertx, ClientLimits.DEFAULT);
    http = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(4).setMaxWaitQueueSize(-1));
    for (Dialect dialect : Play.DIALECTS) {
      for (Row row : Rows.all()) {
        for (String profile : List.of(TwoModels.BOTH, TwoModels.ALONE)) {
          PLAYS.add(new EdgePlay(vertx, client, dialect, row, profile, true));
          PLAYS.add(new EdgePlay(vertx, client, dialect, row, profile, false));
        }
      }
    }
    run(Limit.NONE::equals); // first, so that everything is warm where time counts
    run(limit -> limit != Limit.NONE);
  }

  private static void run(Predicate<Limit> which) {
    Wait.onLoop(
        vertx,
        () -> Future.all(PLAYS.stream()
            .filter(play -> which.test(play.row().limit()))
            .map(play -> play.run(http))
            .toList()));
  }

  @AfterAll
  static void write() {
    Sheets.write(
        "2-edge", HEAD + PLAYS.stream().map(EdgeMatrixTest::line).collect(Collectors.joining()));
    Wait.on(http.close());
    Wait.on(client.close());
    PLAYS.forEach(EdgePlay::close);
    Wait.on(vertx.close());
  }

  private static String line(EdgePlay play) {
    JsonObject settled = play.settled().get(0);
    return Table.line(List.of(
        play.row().name(),
        play.dialect().wire(),
        play.row().when().name().toLowerCase(Locale.ROOT),
        play.alone() ? "alone" : "both",
        play.stream() ? "stream" : "whole",
        play.seen().told(),
        play.models().first().calls().size() + " / "
            + play.models().second().calls().size(),
        settled.getString("status"),
        String.valueOf(settled.getLong("costMicroUsd")),
        String.valueOf(settled.getLong("billableMicroUsd")),
        String.valueOf(settled.getInteger("failedAttempts")),
        String.valueOf(settled.getLong("failedCostMicroUsd"))));
  }

  static Stream<Arguments> plays() {
    return PLAYS.stream()
        .map(play -> Arguments.of(
            play.dialect().wire(),
            play.row().name(),
            play.row().when(),
            play.alone() ? "alone" : "both",
            play.stream() ? "stream" : "whole",
            play));
  }

  @ParameterizedTest(name = "{0}: {1}, {2} the first text, {3}, {4}")
  @MethodSource("plays")
  @DisplayName("a client gets the answer, or one error with a status while there is time for one")
  void row(
      String dialect, String fault, Row.When when, String models, String answer, EdgePlay play) {
    Row row = play.row();
    Sees sees = play.alone() && row.sees() == Sees.SECOND ? Sees.ERROR : row.sees();
    Seen seen = play.seen();
    boolean fails = sees == Sees.ERROR || sees == Sees.PART;
    boolean begun = !fails || (sees == Sees.PART && play.stream());
    assertThat(seen.dones()).isEqualTo(1);
    assertThat(seen.status()).isEqualTo(begun ? 200 : status(row.first().code()));
    assertThat(seen.error()).isEqualTo(fails ? row.first().code().wire() : null);
    assertThat(seen.text()).isEqualTo(text(sees, play.stream()));
    assertThat(seen.reasons())
        .isEqualTo(
            row.finish() == null || fails
                ? List.of()
                : List.of(row.finish().wire().replace('-', '_')));
    money(play, sees);
  }

  private static String text(Sees sees, boolean stream) {
    return switch (sees) {
      case SECOND -> TwoModels.SECOND_TEXT;
      case FIRST -> TwoModels.FIRST_TEXT;
      case PART -> stream ? TwoModels.FIRST_TEXT : "";
      case NOTHING, ERROR -> "";
    };
  }

  private static int status(Code code) {
    return switch (code) {
      case CONTEXT_TOO_LARGE -> 413;
      case PROVIDER_FAILED, PROVIDER_TRUNCATED -> 502;
      case NO_PROVIDER -> 503;
      case PROVIDER_TIMEOUT -> 504;
      default -> throw new IllegalArgumentException(code.wire());
    };
  }

  /** Settled once: the answer as it was reported, a part as it was shown, a failure for nothing. */
  private static void money(EdgePlay play, Sees sees) {
    assertThat(play.settled()).hasSize(1);
    JsonObject settled = play.settled().get(0);
    long paid = settled.getLong("billableMicroUsd");
    boolean fails = sees == Sees.ERROR || sees == Sees.PART;
    assertThat(settled.getString("status")).isEqualTo(fails ? "failed" : "completed");
    switch (sees) {
      case SECOND, FIRST, NOTHING -> assertThat(paid).isEqualTo(12 * 1_000 + 7 * 2_000);
      case PART -> assertThat(paid).isPositive();
      case ERROR -> assertThat(paid).isZero();
    }
    int calls = play.models().first().calls().size();
    assertThat(calls).isLessThanOrEqualTo(play.alone() ? 3 : 1);
    assertThat(play.models().second().calls()).hasSize(sees == Sees.SECOND ? 1 : 0);
  }
}
