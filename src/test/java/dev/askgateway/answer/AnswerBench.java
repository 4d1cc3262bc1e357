package dev.askgateway.answer;

import dev.askgateway.budget.RedisCancelSignals;
import dev.askgateway.budget.RedisConfig;
import dev.askgateway.budget.RedisEventLog;
import dev.askgateway.budget.RedisLink;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.EventLog;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.devservices.DevServices;
import dev.askgateway.store.Database;
import dev.askgateway.store.Migrations;
import dev.askgateway.store.StoreConfig;
import dev.askgateway.store.TurnRepository;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A database of its own, a scripted model, and gateway nodes as far as answers go. */
final class AnswerBench implements AutoCloseable {
  static final UserId ANA = new UserId("ana");

  final Vertx vertx = Vertx.vertx();
  final ScriptedEngine engine = new ScriptedEngine();
  final StoreConfig store;
  private final Random random = new Random(7);
  private final List<Node> nodes = new ArrayList<>();

  AnswerBench(String prefix) {
    String url = DevServices.shared().freshDatabase(prefix);
    store = store(url, url);
    new Migrations(store).migrate();
  }

  static StoreConfig store(String url, String owner) {
    return new StoreConfig(url, owner, "ask", "ask_gateway", 8, Duration.ofSeconds(5));
  }

  static AnswerConfig config(Duration lease, Duration grace) {
    return new AnswerConfig(
        lease, Duration.ofMillis(100), grace, 100_000, 6, AnswerConfig.Reveal.CITED);
  }

  /** One gateway process. */
  record Node(AnswerService answers, Database database, RedisCancelSignals signals) {}

  Node node(String name, AnswerConfig config) {
    return node(name, config, store, RedisEventLog.ofTurns(redis()), true);
  }

  /** A node that never renews its leases: dead to all others. */
  Node dead(String name, AnswerConfig config) {
    return node(name, config, store, RedisEventLog.ofTurns(redis()), false);
  }

  RedisLink redis() {
    return new RedisLink(
        vertx,
        new RedisConfig(
            DevServices.shared().redisUrl(), Duration.ofSeconds(1), Duration.ofMinutes(5)));
  }

  /** @param keeps whether it renews its leases and sweeps: one that does not is dead to the others */
  Node node(
      String name,
      AnswerConfig config,
      StoreConfig store,
      EventLog<AnswerEvent> log,
      boolean keeps) {
    Database database = new Database(vertx, store);
    RedisCancelSignals signals = new RedisCancelSignals(vertx, redis());
    AnswerService answers = new AnswerService(
        vertx,
        new TurnRepository(database),
        log,
        signals,
        engine,
        config,
        new SilentListener(),
        Clock.systemUTC(),
        name);
    if (keeps) {
      answers.start();
    }
    Node node = new Node(answers, database, signals);
    nodes.add(node);
    return node;
  }

  CollectingSink ask(Node node, AskCommand command) {
    CollectingSink sink = new CollectingSink();
    await(onLoop(() -> node.answers().ask(command, sink)));
    return sink;
  }

  CollectingSink attach(Node node, UUID request) {
    CollectingSink sink = new CollectingSink();
    await(onLoop(() -> node.answers().attach(ANA, request, sink)));
    return sink;
  }

  static AskCommand question(UUID request) {
    return command(request, new AskCommand.NewThread(), "When is dinner?");
  }

  static AskCommand command(UUID request, AskCommand.Target target, String question) {
    return command(ANA, request, target, question);
  }

  static AskCommand command(UserId user, UUID request, AskCommand.Target target, String question) {
    return new AskCommand(
        user,
        request,
        target,
        question,
        Scope.GLOBAL,
        null,
        null,
        "assistant_grounded",
        Buffer.buffer(question),
        Span.NONE);
  }

  UUID id() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  <T> Future<T> onLoop(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    vertx.getOrCreateContext().runOnContext(on -> work.get().onComplete(done));
    return done.future();
  }

  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new AssertionError(failed.getCause());
    } catch (Exception late) {
      throw new AssertionError(late);
    }
  }

  /** All values of all rows, as the owner sees them. */
  List<Object> sql(String query) {
    try (Connection connection = owner();
        ResultSet rows = connection.createStatement().executeQuery(query)) {
      List<Object> values = new ArrayList<>();
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          values.add(rows.getObject(i));
        }
      }
      return values;
    } catch (SQLException broken) {
      throw new AssertionError(broken);
    }
  }

  void sqlUpdate(String statement) {
    try (Connection connection = owner()) {
      connection.createStatement().executeUpdate(statement);
    } catch (SQLException broken) {
      throw new AssertionError(broken);
    }
  }

  Connection owner() throws SQLException {
    StoreConfig.Address owner = StoreConfig.Address.of("url", store.migrationUrl());
    return DriverManager.getConnection(owner.jdbc(), owner.user(), owner.password());
  }

  /** What a question's assistant turn holds. */
  List<Object> turn(UUID request, String columns) {
    return sql("SELECT " + columns
        + " FROM ask.conversation_assistant_turns WHERE role = 'assistant' AND request_id = '"
        + request + "'");
  }

  List<Object> usage(UUID request, String columns) {
    return sql(
        "SELECT " + columns + " FROM ask.ai_usage_events WHERE request_id = '" + request + "'");
  }

  String hold(UUID request) {
    return (String) sql("SELECT state FROM ask.budget_holds WHERE request_id = '" + request + "'")
        .get(0);
  }

  /** Looks every 20 ms until it is so, for at most 20 seconds. */
  void until(BooleanSupplier so) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!so.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not come to be");
      }
      await(vertx.timer(20));
    }
  }

  @Override
  public void close() {
    for (Node node : nodes) {
      node.signals().close();
      await(node.answers().drain(Duration.ZERO));
      await(node.database().close());
    }
    await(vertx.close());
  }
}
