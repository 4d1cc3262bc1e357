package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerEvent.PhaseName;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.Timeout;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class LogTailTest {
  private static final UserId ANA = new UserId("ana");
  private static final int ROUNDS = 150;

  /** One turn: written by one node, followed by three readers on another, all on one loop. */
  private static final class Scene implements LogTail.Stored {
    private final Vertx vertx;
    private final Loop loop;
    private final Random dice;
    private final FlakyLog log;
    private final LogWriter<AnswerEvent> writer;
    private final Transcript shown = new Transcript();
    private final List<CollectingSink> readers = new ArrayList<>();
    private final boolean dies;
    private Transcript kept = new Transcript();
    private boolean terminal;

    Scene(Vertx vertx, int seed) {
      this.vertx = vertx;
      loop = Loop.current(vertx);
      dice = new Random(seed);
      dies = dice.nextInt(3) == 0;
      // What a dead node left is all there is: where it dies, the log only loses replies.
      log = new FlakyLog(vertx, dice, dies ? 0 : 10, 15, dies ? 0 : 3);
      writer = new LogWriter<>(vertx, loop, log, ANA, SampleEvents.TURN, () -> {});
    }

    Future<?> play() {
      List<Future<?>> all = new ArrayList<>();
      all.add(write(answer(), 0));
      for (int i = 0; i < 3; i++) {
        CollectingSink reader = new CollectingSink();
        readers.add(reader);
        all.add(vertx.timer(1 + dice.nextInt(120)).compose(on -> {
          tail().feed().subscribe(reader, loop);
          return reader.ended();
        }));
      }
      return Future.all(all);
    }

    private LogTail tail() {
      return new LogTail(
          vertx, loop, log, this, ANA, SampleEvents.TURN, Duration.ofSeconds(1), () -> {});
    }

    private List<AnswerEvent> answer() {
      List<AnswerEvent> events = new ArrayList<>(List.of(
          SampleEvents.opened(),
          SampleEvents.phase(PhaseName.RETRIEVING),
          SampleEvents.sources(),
          SampleEvents.phase(PhaseName.ANSWERING),
          new AnswerEvent.ModelCalled("openai", "gpt", 400),
          new AnswerEvent.TextStarted()));
      for (int i = dice.nextInt(30); i >= 0; i--) {
        events.add(new AnswerEvent.Text("word" + dice.nextInt(9) + " "));
        if (i == 3) {
          events.add(SampleEvents.sources("S1"));
          events.add(new AnswerEvent.Text("[S1]"));
        }
      }
      events.add(SampleEvents.phase(PhaseName.SAVING));
      return events;
    }

    private Future<?> write(List<AnswerEvent> events, int next) {
      if (next == events.size() || (dies && dice.nextInt(40) == 0)) {
        return end(next == events.size());
      }
      shown.add(events.get(next));
      writer.write(events.get(next));
      return vertx.timer(1 + dice.nextInt(5)).compose(later -> write(events, next + 1));
    }

    /** The owner stores what it showed; whoever sweeps after it stores what the log has. */
    private Future<?> end(boolean alive) {
      if (alive) {
        kept = shown;
        terminal = true;
        writer.write(SampleEvents.completed());
        return Future.succeededFuture();
      }
      log.deaf();
      return vertx.timer(300).compose(lapsed -> swept());
    }

    private Future<?> swept() {
      return LogTail.whole(log, ANA, SampleEvents.TURN)
          .recover(lost -> LogTail.whole(log, ANA, SampleEvents.TURN))
          .map(events -> {
            kept = Transcript.of(events);
            terminal = true;
            return kept;
          });
    }

    @Override
    public Future<Optional<JsonObject>> find() {
      JsonObject row = new JsonObject()
          .put("requestId", SampleEvents.REQUEST.toString())
          .put("assistantTurnId", SampleEvents.TURN.toString())
          .put("kind", "turn")
          .put("profile", "assistant_grounded")
          .put("createdAt", SampleEvents.AT.toString())
          .put("status", terminal ? dies ? "failed" : "completed" : "streaming")
          .put("content", terminal ? kept.text() : "")
          .put("citations", kept.citedJson())
          .put("outcome", new JsonObject().put("finishReason", dies ? "error" : "stop"));
      return vertx.timer(1 + dice.nextInt(5)).map(Optional.of(row));
    }

    @Override
    public void follow(Duration validFor) {
      // nobody asks in this scene
    }
  }

  @Test
  @Timeout(value = 60, timeUnit = TimeUnit.SECONDS)
  @DisplayName(
      "whatever the log loses or repeats, who follows it has the stored text, once, in order")
  void equalsStored(Vertx vertx, VertxTestContext test) {
    vertx.runOnContext(on -> {
      List<Scene> scenes = new ArrayList<>();
      List<Future<?>> played = new ArrayList<>();
      for (int seed = 0; seed < ROUNDS; seed++) {
        Scene scene = new Scene(vertx, seed);
        scenes.add(scene);
        played.add(scene.play());
      }
      Future.all(played)
          .onComplete(test.succeeding(done -> test.verify(() -> {
            assertThat(scenes).anyMatch(scene -> scene.dies).anyMatch(scene -> !scene.dies);
            for (int seed = 0; seed < ROUNDS; seed++) {
              for (CollectingSink reader : scenes.get(seed).readers) {
                assertFollowed(reader, scenes.get(seed), "seed " + seed);
              }
            }
            test.completeNow();
          })));
    });
  }

  private static void assertFollowed(CollectingSink reader, Scene scene, String seed) {
    assertThat(reader.text()).as(seed).isEqualTo(scene.kept.text());
    assertThat(Transcript.of(reader.events).cited()).as(seed).isEqualTo(scene.kept.cited());
    assertThat(reader.events.get(0)).as(seed).isInstanceOf(AnswerEvent.Opened.class);
    assertThat(reader.events)
        .as(seed)
        .filteredOn(AnswerEvent.Ended.class::isInstance)
        .hasSize(1);
    assertThat(reader.events).as(seed).last().isInstanceOf(AnswerEvent.Ended.class);
    assertThat(reader.events)
        .as(seed)
        .filteredOn(event -> event instanceof AnswerEvent.Phase
            || event instanceof AnswerEvent.TextStarted
            || event instanceof AnswerEvent.Opened)
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("a reader who comes as the last one leaves gets each event once")
  void comesAsLastLeaves(Vertx vertx, VertxTestContext test) {
    vertx.runOnContext(on -> {
      Scene scene = new Scene(vertx, 1);
      FlakyLog log = new FlakyLog(vertx, new Random(3), 0, 0, 0);
      LogWriter<AnswerEvent> writer =
          new LogWriter<>(vertx, Loop.current(vertx), log, ANA, SampleEvents.TURN, () -> {});
      LogTail tail = new LogTail(
          vertx,
          Loop.current(vertx),
          log,
          scene,
          ANA,
          SampleEvents.TURN,
          Duration.ofSeconds(1),
          () -> {});
      writer.write(SampleEvents.opened());
      CollectingSink first = new CollectingSink();
      tail.feed().subscribe(first, Loop.current(vertx));
      first.leave();
      CollectingSink second = new CollectingSink();
      Loop loop = Loop.current(vertx);
      vertx
          .timer(1)
          .onSuccess(left -> {
            tail.feed().subscribe(second, loop);
            writer.write(new AnswerEvent.TextStarted());
            writer.write(new AnswerEvent.Text("once"));
            writer.write(SampleEvents.completed());
          })
          .compose(begun -> second.ended())
          .onComplete(test.succeeding(events -> test.verify(() -> {
            assertThat(events)
                .containsExactly(
                    SampleEvents.opened(),
                    new AnswerEvent.TextStarted(),
                    new AnswerEvent.Text("once"),
                    SampleEvents.completed());
            test.completeNow();
          })));
    });
  }
}
