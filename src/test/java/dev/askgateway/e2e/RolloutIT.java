package dev.askgateway.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ScriptedProvider;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A rollout")
class RolloutIT {
  private static final String BEFORE = "scripted-1";
  private static final String NEXT = "scripted-2";
  private static final String NEWEST =
      "SELECT %s FROM ask.rollout_changes WHERE kind <> 'switch' ORDER BY version DESC LIMIT 1";
  private static final String ARMS =
      "SELECT count(*) FROM ask.answer_requests WHERE arm IS NOT NULL";
  private static final String PROFILE = "assistant_grounded=assistant_next";

  private static final String[] ANSWER = {
    Model.delta("Casa Nopal " + Words.ANSWER + " [S1]."), Model.STOP, Model.USAGE, Model.DONE
  };

  private static Model model;
  private static Operated all;
  private static Node one;
  private static Node two;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    model = new Model();
    model.says(ANSWER);
    Path file = Files.writeString(folder.resolve("gateway.yaml"), """
        models:
          next: {provider: openai, model: scripted-2}
        profiles:
          assistant_next: {models: [next]}
        """);
    Map<String, String> settings = model.settings(
        "GATEWAY_CONFIG", file.toString(),
        "ASK_RETRIEVAL_VERSIONS", "blind=termShare:1;cosineFloors:e5-384=1",
        "ASK_ROLLOUT_CHECK_INTERVAL", "100ms",
        "ASK_ROLLOUT_MIN_ANSWERS", "20");
    all = Operated.with("rollout", settings);
    one = all.start();
    two = all.start();
  }

  @AfterAll
  static void stop() {
    one.close();
    two.close();
    model.close();
  }

  /** Whatever a test left. */
  @AfterEach
  void nothingRuns() {
    model.says(ANSWER);
    all.run("switch", "models", "on");
    String name = all.text(NEWEST.formatted("name"));
    all.run("rollout", "rollback", name);
    for (Node node : List.of(one, two)) {
      Await.until(
          "nothing runs",
          () -> !seen(node).getString("state").equals("running")
              && "on".equals(Operated.ready(node, "models")));
    }
  }

  private static JsonObject seen(Node node) {
    return (JsonObject) Operated.ready(node, "rollout");
  }

  private void await(String state, int share) {
    for (Node node : List.of(one, two)) {
      Await.until("the rollout is " + state + " at " + share, () -> {
        JsonObject rollout = seen(node);
        return rollout != null
            && rollout.getString("state").equals(state)
            && rollout.getInteger("share") == share;
      });
    }
  }

  private static String modelOf(Api api) {
    return api.stream(Api.question(Samples.QUESTION)).all().last("data-finish").getString("model");
  }

  /** What answers them, the same on both nodes. */
  private String modelOf(Person person) {
    String answered = modelOf(one.as(person));
    assertThat(modelOf(two.as(person))).isEqualTo(answered);
    return answered;
  }

  private Person withBooking() {
    return Samples.withBooking(one).person();
  }

  /** How many requests of the newest rollout have that arm. */
  private String arms(String arm) {
    return all.text(
        "SELECT count(*) FROM ask.answer_requests WHERE arm = ? AND rollout_run = ("
            + NEWEST.formatted("run") + ")",
        arm);
  }

  @Test
  @DisplayName(
      "gives the accounts of its share the candidate on all nodes, keeps them in larger shares, and takes it back")
  void shares() {
    List<Person> people = Stream.generate(this::withBooking).limit(16).toList();
    String before = all.text(ARMS);
    assertThat(people).allMatch(person -> modelOf(person).equals(BEFORE));
    assertThat(all.text(ARMS)).as("nothing is rolled out").isEqualTo(before);
    assertThat(all.run("rollout", "start", "next", "--profile", PROFILE, "--share", "50"))
        .isZero();
    await("running", 50);
    assertThat(Operated.metric(one, "ask_rollout_share{rollout=\"next\"}")).isEqualTo(50);
    List<Person> in =
        people.stream().filter(person -> modelOf(person).equals(NEXT)).toList();
    assertThat(in)
        .as("nobody or all: once in 32,000 draws")
        .isNotEmpty()
        .hasSizeLessThan(people.size());
    assertThat(arms("candidate")).isEqualTo(String.valueOf(2 * in.size()));
    assertThat(arms("control")).isEqualTo(String.valueOf(2 * (people.size() - in.size())));

    assertThat(all.run("rollout", "share", "next", "75")).isZero();
    await("running", 75);
    assertThat(in).allMatch(person -> modelOf(person).equals(NEXT));

    assertThat(all.run("rollout", "share", "next", "100")).isZero();
    await("running", 100);
    assertThat(people).allMatch(person -> modelOf(person).equals(NEXT));

    assertThat(all.run("rollout", "rollback", "next", "--reason", "too slow")).isZero();
    await("rolled_back", 0);
    assertThat(people).allMatch(person -> modelOf(person).equals(BEFORE));
    assertThat(Operated.metric(two, "ask_rollout_share{rollout=\"next\"}")).isZero();
  }

  @Test
  @DisplayName("begins with listed accounts, whose other profiles are left alone")
  void listed() {
    Person ana = withBooking();
    Person ben = withBooking();
    assertThat(
            all.run("rollout", "start", "fixtures", "--profile", PROFILE, "--accounts", ana.id()))
        .isZero();
    await("running", 0);
    assertThat(modelOf(ana)).isEqualTo(NEXT);
    assertThat(modelOf(ben)).isEqualTo(BEFORE);
    JsonObject other = Api.question(Samples.QUESTION).put("profile", "openai-default");
    assertThat(one.as(ana).stream(other).all().last("data-finish").getString("model"))
        .isEqualTo(BEFORE);
    assertThat(arms("listed")).isEqualTo("2");
    assertThat(arms("control")).isEqualTo("2");

    assertThat(all.run("rollout", "finish", "fixtures")).isZero();
    await("finished", 0);
    assertThat(modelOf(ana)).isEqualTo(BEFORE);
  }

  @Test
  @DisplayName("is refused where it cannot be, and one runs at a time")
  void refused() {
    assertThat(all.run("rollout", "start", "x", "--profile", "assistant_grounded=nobody"))
        .isEqualTo(2);
    assertThat(
            all.run("rollout", "start", "x", "--profile", "assistant_grounded=embedding_messages"))
        .isEqualTo(2);
    assertThat(all.run("rollout", "start", "x", "--profile", PROFILE, "--share", "101"))
        .isEqualTo(2);
    assertThat(all.run("rollout", "start", "X Y", "--profile", PROFILE)).isEqualTo(2);
    assertThat(all.run("rollout", "share", "x", "5")).isEqualTo(1);
    assertThat(all.run("rollout", "start", "x", "--profile", PROFILE)).isZero();
    assertThat(all.run("rollout", "start", "y", "--profile", PROFILE)).isEqualTo(1);
    assertThat(all.run("rollout", "rollback", "y")).isEqualTo(1);
    assertThat(all.run("rollout", "rollback", "x")).isZero();
    assertThat(all.run("rollout", "rollback", "x")).isEqualTo(1);
    assertThat(all.run("rollout", "start", "x", "--profile", PROFILE)).isZero();
    assertThat(all.run("rollout", "status")).isZero();
  }

  @Test
  @DisplayName("gives nobody a candidate that the node has not, and no arm to quotes")
  void notHere() {
    Person ana = withBooking();
    assertThat(all.run("rollout", "start", "next", "--profile", PROFILE, "--share", "100"))
        .isZero();
    try (Node old = Node.start(Operated.without(all.settings(), "GATEWAY_CONFIG"))) {
      Await.until("it is seen", () -> seen(old) != null);
      assertThat(modelOf(old.as(ana))).isEqualTo(BEFORE);
    }
    assertThat(all.run("switch", "models", "off")).isZero();
    Await.until("models are off", () -> "off".equals(Operated.ready(one, "models")));
    assertThat(modelOf(one.as(ana))).isEqualTo("extractive-1");
    assertThat(arms("candidate")).isEqualTo("0");
  }

  @Test
  @DisplayName("of a version of retrieval searches for those who have it with its constants")
  void retrieval() {
    Person ana = withBooking();
    Person ben = withBooking();
    one.as(ana).awaitIndex();
    one.as(ben).awaitIndex();
    assertThat(all.run("rollout", "start", "r", "--retrieval", "deaf")).isEqualTo(2);
    assertThat(all.run("rollout", "start", "r")).isEqualTo(2);
    assertThat(all.run("rollout", "start", "r", "--retrieval", "blind", "--profile", PROFILE))
        .isEqualTo(2);
    assertThat(all.run("rollout", "start", "r", "--retrieval", "blind", "--accounts", ana.id()))
        .isZero();
    await("running", 0);
    for (Node node : List.of(one, two)) {
      assertThat(citations(node.as(ana))).isZero();
      assertThat(citations(node.as(ben))).isEqualTo(1);
    }
    assertThat(arms("listed")).isEqualTo("2");
    assertThat(all.run("rollout", "rollback", "r")).isZero();
    await("rolled_back", 0);
    assertThat(citations(two.as(ana))).isEqualTo(1);
  }

  private static int citations(Api api) {
    return api.stream(Api.question(Samples.QUESTION)).all().citations().size();
  }

  @Test
  @DisplayName("whose candidate answers without sources is taken back by the nodes themselves")
  void takenBack() {
    List<Person> people = Stream.generate(this::withBooking).limit(16).toList();
    model.does(
        NEXT,
        ScriptedProvider.answer(Model.delta("It was there."), Model.STOP, Model.USAGE, Model.DONE),
        ScriptedProvider.answer(
            Model.delta("Casa Nopal [S1]."), Model.STOP, Model.USAGE, Model.DONE));
    assertThat(all.run("rollout", "start", "silent", "--profile", PROFILE, "--share", "50"))
        .isZero();
    await("running", 50);
    for (int round = 0; round < 10 && seen(one).getString("state").equals("running"); round++) {
      people.forEach(person -> modelOf(one.as(person)));
      people.forEach(person -> modelOf(two.as(person)));
    }
    await("rolled_back", 0);

    assertThat(seen(two).getString("gate")).isEqualTo("sources");
    assertThat(people).allMatch(person -> modelOf(person).equals(BEFORE));
    String series = "ask_rollout_rollbacks_total{gate=\"sources\"}";
    assertThat(Operated.metric(one, series) + Operated.metric(two, series)).isEqualTo(1);
    assertThat(Operated.metric(one, "ask_rollout_share{rollout=\"silent\"}")).isZero();
    JsonObject numbers = new JsonObject(all.text(NEWEST.formatted("numbers")));
    JsonObject candidate = numbers.getJsonObject("candidate");
    assertThat(candidate.getInteger("unsourced")).isEqualTo(candidate.getInteger("completed"));
    assertThat(numbers.getJsonObject("control").getInteger("unsourced")).isZero();
    JsonObject measured = new JsonObject(all.text("SELECT measured FROM ask.answer_requests"
        + " WHERE arm = 'control' AND status = 'completed' ORDER BY created_at DESC LIMIT 1"));
    assertThat(measured.getLong("costMicroUsd")).isEqualTo(180);
    assertThat(measured.getInteger("sources")).isEqualTo(1);
    assertThat(measured.getLong("firstTextMs")).isLessThanOrEqualTo(measured.getLong("tookMs"));
  }
}
