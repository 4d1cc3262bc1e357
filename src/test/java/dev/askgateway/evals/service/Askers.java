package dev.askgateway.evals.service;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.parsetools.RecordParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Asks over HTTP on one event loop, and reads the streams. */
final class Askers implements AutoCloseable {
  private static final int CONNECTIONS = 20_000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final HttpClient http;
  private final int port;

  /** @param port of the gateway on this machine */
  Askers(int port) {
    this.port = port;
    http = vertx.createHttpClient(
        new HttpClientOptions().setKeepAliveTimeout(15),
        new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(-1));
  }

  /** Who asks what. */
  record Question(String token, String text) {}

  /**
   * Asks so many a second, whatever the answers do, and waits until all are over.
   *
   * @param questions the question of each number, from 0
   * @param leaving whether the asker of a number leaves in the middle of the answer
   */
  List<Told> arrive(
      int count, double perSecond, IntFunction<Question> questions, IntFunction<Boolean> leaving)
      throws Exception {
    return begin(count, perSecond, questions, leaving).over();
  }

  /** The same, but returns at once. */
  Arrivals begin(
      int count, double perSecond, IntFunction<Question> questions, IntFunction<Boolean> leaving) {
    Arrivals arrivals = new Arrivals(count, perSecond, questions, leaving);
    loop.runOnContext(start -> arrivals.start());
    return arrivals;
  }

  /** Asks so many at a time until the time is over, and waits for the last. */
  List<Told> busy(int atOnce, Duration time, IntFunction<Question> questions) throws Exception {
    List<Told> all = new ArrayList<>();
    int[] next = {0};
    long until = System.nanoTime() + time.toNanos();
    List<Future<Void>> chains = new ArrayList<>();
    for (int i = 0; i < atOnce; i++) {
      Promise<Void> end = Promise.promise();
      chains.add(end.future());
      loop.runOnContext(start -> step(all, next, until, questions, end));
    }
    Future.all(chains).await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return all;
  }

  private void step(
      List<Told> all, int[] next, long until, IntFunction<Question> questions, Promise<Void> end) {
    if (System.nanoTime() >= until) {
      end.complete();
      return;
    }
    ask(questions.apply(next[0]++), System.nanoTime(), false).onComplete(told -> {
      all.add(told.result());
      step(all, next, until, questions, end);
    });
  }

  /** Never fails: what went wrong is in what it tells. On the loop. */
  private Future<Told> ask(Question question, long due, boolean leaves) {
    Told told = new Told(due);
    Promise<Told> over = Promise.promise();
    String body = new JsonObject()
        .put("question", question.text())
        .put("requestId", UUID.randomUUID().toString())
        .encode();
    http.request(HttpMethod.POST, port, "127.0.0.1", "/ai/assistant/messages")
        .compose(request -> send(request, question, body))
        .compose(response -> read(response, told, leaves))
        .onComplete(done -> {
          if (done.failed() && !told.left) {
            told.error = told.error.isEmpty() ? "broken" : told.error;
          }
          told.end = System.nanoTime() - due;
          over.complete(told);
        });
    return over.future();
  }

  private static Future<HttpClientResponse> send(
      HttpClientRequest request, Question question, String body) {
    return request
        .putHeader("authorization", "Bearer " + question.token())
        .putHeader("content-type", "application/json")
        .putHeader("accept", "text/event-stream")
        .send(Buffer.buffer(body));
  }

  private static Future<Void> read(HttpClientResponse response, Told told, boolean leaves) {
    told.status = response.statusCode();
    RecordParser events = RecordParser.newDelimited("\n\n", event -> {
      told.event(event);
      if (leaves && !told.left && told.texts == 2) {
        told.left = true;
        response.request().reset();
      }
    });
    response.handler(events);
    return response.end();
  }

  /** Questions on their way. */
  final class Arrivals {
    private final List<Told> all = new ArrayList<>();
    private final Promise<Void> end = Promise.promise();
    private final Promise<Void> allSent = Promise.promise();
    private final int count;
    private final double perSecond;
    private final IntFunction<Question> questions;
    private final IntFunction<Boolean> leaving;
    private long begun;
    private int sent;

    private Arrivals(
        int count,
        double perSecond,
        IntFunction<Question> questions,
        IntFunction<Boolean> leaving) {
      this.count = count;
      this.perSecond = perSecond;
      this.questions = questions;
      this.leaving = leaving;
    }

    private void start() {
      begun = System.nanoTime();
      vertx.setPeriodic(1, this::due);
    }

    private void due(long timer) {
      while (sent < count) {
        long due = begun + (long) (sent * 1e9 / perSecond);
        if (due > System.nanoTime()) {
          return;
        }
        int number = sent++;
        ask(questions.apply(number), due, leaving.apply(number)).onSuccess(told -> {
          all.add(told);
          if (all.size() == count) {
            end.complete();
          }
        });
      }
      vertx.cancelTimer(timer);
      allSent.complete();
    }

    /** Complete when the last was asked. */
    Future<Void> sent() {
      return allSent.future();
    }

    /** Waits for the end of all. */
    List<Told> over() throws Exception {
      end.future().await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return all;
    }
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
