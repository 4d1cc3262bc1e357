package dev.askgateway.load.stream;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Opens event streams of one gateway. One client for all persons; nothing here blocks. */
public final class EventStreams {
  private static final String EVENTS = "text/event-stream";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final URI base;
  private final LongSupplier clock;
  private final HttpClient http = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .executor(Executors.newFixedThreadPool(
          Runtime.getRuntime().availableProcessors(), EventStreams::thread))
      .build();

  public EventStreams(URI base, LongSupplier clock) {
    this.base = base;
    this.clock = clock;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "streams");
    thread.setDaemon(true);
    return thread;
  }

  /** Follows a POST. Fails with what was refused, what broke, or after two minutes. */
  public CompletableFuture<Told> post(
      String path, String token, String body, Wire wire, Turn turn) {
    return open(
        request(path, token, EVENTS)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)),
        wire,
        turn);
  }

  /** Follows a GET. */
  public CompletableFuture<Told> get(String path, String token, Wire wire) {
    return open(request(path, token, EVENTS).GET(), wire, Turn.NONE);
  }

  /** Posts an empty body and completes with the status. */
  public CompletableFuture<Integer> command(String path, String token) {
    HttpRequest request =
        request(path, token, "application/json").POST(BodyPublishers.noBody()).build();
    return http.sendAsync(request, BodyHandlers.discarding()).thenApply(HttpResponse::statusCode);
  }

  private HttpRequest.Builder request(String path, String token, String accept) {
    return HttpRequest.newBuilder(base.resolve(path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + token)
        .header("Accept", accept);
  }

  private CompletableFuture<Told> open(HttpRequest.Builder request, Wire wire, Turn turn) {
    Told told = new Told(clock);
    Reading reading = new Reading(wire, told, turn);
    http.sendAsync(request.build(), head -> body(head, reading)).whenComplete((sent, failure) -> {
      if (failure != null) {
        reading.over().completeExceptionally(failure);
      }
    });
    return reading.over().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static HttpResponse.BodySubscriber<Void> body(
      HttpResponse.ResponseInfo head, Reading reading) {
    if (head.statusCode() == 200) {
      return BodySubscribers.fromLineSubscriber(
          reading, read -> null, StandardCharsets.UTF_8, null);
    }
    reading.over().completeExceptionally(new IllegalStateException("status " + head.statusCode()));
    return BodySubscribers.replacing(null);
  }
}
