package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.Timeout;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(value = 10, timeUnit = TimeUnit.SECONDS)
class GroupCommitTest {

  /** Keeps what it is given until it is told to answer. */
  private static final class Server {
    private final List<List<Integer>> groups = new ArrayList<>();
    private final List<Promise<List<Future<String>>>> replies = new ArrayList<>();

    Future<List<Future<String>>> commit(List<Integer> calls) {
      groups.add(calls);
      Promise<List<Future<String>>> reply = Promise.promise();
      replies.add(reply);
      return reply.future();
    }

    void answer(int group) {
      replies
          .get(group)
          .complete(groups.get(group).stream()
              .map(call -> call < 0
                  ? Future.<String>failedFuture("refused " + call)
                  : Future.succeededFuture("done " + call))
              .toList());
    }
  }

  private static List<Future<String>> add(GroupCommit<Integer, String> group, int from, int to) {
    return IntStream.range(from, to).mapToObj(group::add).toList();
  }

  @Test
  @DisplayName("calls of one turn go together, and each gets the answer of its own")
  void together(Vertx vertx, VertxTestContext test) {
    Server server = new Server();
    vertx.runOnContext(start -> {
      GroupCommit<Integer, String> group =
          new GroupCommit<>(vertx, new Turnstile(), 2, server::commit);
      Future<String> first = group.add(7);
      Future<String> refused = group.add(-1);
      Future<String> last = group.add(9);
      test.verify(() -> assertThat(server.groups).isEmpty());
      vertx.runOnContext(turned -> {
        test.verify(() -> assertThat(server.groups).containsExactly(List.of(7, -1, 9)));
        server.answer(0);
        test.verify(() -> {
          assertThat(first.result()).isEqualTo("done 7");
          assertThat(refused.cause()).hasMessage("refused -1");
          assertThat(last.result()).isEqualTo("done 9");
        });
        test.completeNow();
      });
    });
  }

  @Test
  @DisplayName("a group that fails has failed for all its calls, and for no other")
  void failure(Vertx vertx, VertxTestContext test) {
    Server server = new Server();
    vertx.runOnContext(start -> {
      GroupCommit<Integer, String> group =
          new GroupCommit<>(vertx, new Turnstile(), 2, server::commit);
      List<Future<String>> lost = add(group, 0, 3);
      vertx.runOnContext(turned -> {
        Future<String> other = group.add(9);
        server.replies.get(0).fail("away");
        test.verify(
            () -> assertThat(lost).allSatisfy(call -> assertThat(call.cause()).hasMessage("away")));
        vertx.runOnContext(later -> {
          server.answer(1);
          test.verify(() -> assertThat(other.result()).isEqualTo("done 9"));
          test.completeNow();
        });
      });
    });
  }

  @Test
  @DisplayName("a group that cannot even be made has failed, and the next one goes")
  void thrown(Vertx vertx, VertxTestContext test) {
    Server server = new Server();
    vertx.runOnContext(start -> {
      GroupCommit<Integer, String> group = new GroupCommit<>(vertx, new Turnstile(), 0, calls -> {
        if (calls.contains(0)) {
          throw new IllegalStateException("broken");
        }
        return server.commit(calls);
      });
      Future<String> broken = group.add(0);
      vertx.runOnContext(one -> {
        test.verify(() -> assertThat(broken.cause()).hasMessage("broken"));
        Future<String> next = group.add(1);
        vertx.runOnContext(two -> {
          server.answer(0);
          test.verify(() -> assertThat(next.result()).isEqualTo("done 1"));
          test.completeNow();
        });
      });
    });
  }

  @Test
  @DisplayName("with a group under way the next one gathers until that one is through")
  void gathers(Vertx vertx, VertxTestContext test) {
    Server server = new Server();
    vertx.runOnContext(start -> {
      GroupCommit<Integer, String> group =
          new GroupCommit<>(vertx, new Turnstile(), 0, server::commit);
      group.add(0);
      vertx.runOnContext(one -> {
        group.add(1);
        vertx.runOnContext(two -> {
          group.add(2);
          test.verify(() -> assertThat(server.groups).containsExactly(List.of(0)));
          server.answer(0);
          vertx.runOnContext(three -> {
            test.verify(() -> assertThat(server.groups.get(1)).isEqualTo(List.of(1, 2)));
            test.completeNow();
          });
        });
      });
    });
  }

  @Test
  @DisplayName("a call that may not wait for long is sent although none before it is through")
  void waitsNotForEver(Vertx vertx, VertxTestContext test) {
    Server server = new Server();
    vertx.runOnContext(start -> {
      GroupCommit<Integer, String> group = new GroupCommit<>(vertx, new Turnstile(), 2, calls -> {
        Future<List<Future<String>>> reply = server.commit(calls);
        if (calls.contains(1)) {
          test.verify(() -> assertThat(server.groups).containsExactly(List.of(0), List.of(1, 2)));
          test.completeNow();
        }
        return reply;
      });
      group.add(0);
      vertx.runOnContext(one -> {
        group.add(1);
        group.add(2);
      });
    });
  }

  @Test
  @DisplayName(
      "groups that share a turnstile go one after the other, in the order in which they came")
  void oneAfterTheOther(Vertx vertx, VertxTestContext test) {
    Server server = new Server();
    Turnstile turnstile = new Turnstile();
    vertx.runOnContext(start -> {
      GroupCommit<Integer, String> one = new GroupCommit<>(vertx, turnstile, 0, server::commit);
      GroupCommit<Integer, String> two = new GroupCommit<>(vertx, turnstile, 0, server::commit);
      one.add(1);
      two.add(2);
      vertx.runOnContext(turned -> {
        one.add(3);
        two.add(4);
        vertx.runOnContext(later -> {
          test.verify(() -> assertThat(server.groups).containsExactly(List.of(1)));
          server.answer(0);
          test.verify(() -> assertThat(server.groups).containsExactly(List.of(1), List.of(2, 4)));
          server.answer(1);
          test.verify(() ->
              assertThat(server.groups).containsExactly(List.of(1), List.of(2, 4), List.of(3)));
          test.completeNow();
        });
      });
    });
  }

  @Test
  @DisplayName("however many come at once, a group has a limit and none is left behind")
  void limit(Vertx vertx, VertxTestContext test) {
    Server server = new Server();
    vertx.runOnContext(start -> {
      GroupCommit<Integer, String> group = new GroupCommit<>(vertx, new Turnstile(), 2, calls -> {
        Future<List<Future<String>>> reply = server.commit(calls);
        server.answer(server.groups.size() - 1);
        return reply;
      });
      Future.all(add(group, 0, 1_000))
          .onComplete(test.succeeding(all -> test.verify(() -> {
            assertThat(server.groups)
                .allSatisfy(calls -> assertThat(calls.size()).isLessThanOrEqualTo(128));
            assertThat(server.groups.stream().flatMap(List::stream))
                .containsExactlyElementsOf(IntStream.range(0, 1_000).boxed().toList());
            test.completeNow();
          })));
    });
  }
}
