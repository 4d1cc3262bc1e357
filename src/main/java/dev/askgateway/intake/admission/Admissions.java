package dev.askgateway.intake.admission;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.StandingDelay;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * What the event loops of a node share about who is let in: how many answers are open, which requests are
 * known, and whether the node is to go. Any thread may call any method.
 */
public final class Admissions {
  private enum Stage {
    SERVING,
    LEAVING,
    CLOSED
  }

  /** How long imports wait after somebody else was turned away, or was late. */
  private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final AdmissionConfig config;
  private final int maxOpen;
  private final boolean retrievesHere;
  private final StandingDelay connections;
  private final IntSupplier running;
  private final AdmissionListener listener;
  private final KnownRequests known = new KnownRequests();
  private final AtomicInteger open = new AtomicInteger();
  private final List<Admission> loops = new CopyOnWriteArrayList<>();
  private volatile Stage stage = Stage.SERVING;
  private volatile long shortNanos = System.nanoTime() - CALM_NANOS;

  /**
   * What a node admits by.
   *
   * @param answers whether questions are answered here, and not completions alone
   * @param retrievesHere whether retrieval asks no provider, so that its time is the node's own
   * @param connections the waits for connections of the database
   * @param running how many answers and completions run, also those whose reader has left
   */
  public Admissions(
      AdmissionConfig config,
      boolean answers,
      boolean retrievesHere,
      StandingDelay connections,
      IntSupplier running,
      AdmissionListener listener) {
    this.config = config;
    this.maxOpen = config.mostOpen(Runtime.getRuntime().maxMemory(), answers);
    this.retrievesHere = retrievesHere;
    this.connections = connections;
    this.running = running;
    this.listener = listener;
  }

  /** The part of the calling event loop, whose lateness is watched from now on. */
  public Admission onLoop(Vertx vertx) {
    Admission loop = new Admission(this, vertx);
    loops.add(loop);
    return loop;
  }

  /** The node is to go: it says so, and still takes requests. */
  public void leave() {
    stage = Stage.LEAVING;
  }

  /** From now on nothing new is begun. What is known is still told. */
  public void close() {
    stage = Stage.CLOSED;
  }

  /** Whether the node is to go, so that connections end with their answers. */
  public boolean isLeaving() {
    return stage != Stage.SERVING;
  }

  boolean isClosed() {
    return stage == Stage.CLOSED;
  }

  /** Takes a place among what is open, or does not. */
  boolean takePlace() {
    if (open.incrementAndGet() > maxOpen || running.getAsInt() >= maxOpen) {
      open.decrementAndGet();
      return false;
    }
    return true;
  }

  void leavePlace() {
    open.decrementAndGet();
  }

  void runsShort() {
    shortNanos = System.nanoTime();
  }

  /** Whether somebody was turned away or late just now. */
  boolean isShort() {
    return System.nanoTime() - shortNanos < CALM_NANOS;
  }

  /** Counts one who is turned away. An import's own waiting keeps no other import out. */
  GatewayError shed(Reason reason) {
    listener.shed(reason);
    if (reason != Reason.DRAINING && reason != Reason.IMPORT) {
      runsShort();
    }
    String message = reason == Reason.DRAINING
        ? "This server is about to stop; ask again."
        : "The server is busy; ask again in a moment.";
    return new GatewayError(GatewayError.Code.OVERLOADED, message).retryAfter(later());
  }

  private Duration later() {
    long middle = config.retryAfter().toMillis();
    return Duration.ofMillis(middle / 2 + ThreadLocalRandom.current().nextLong(middle + 1));
  }

  AdmissionConfig config() {
    return config;
  }

  boolean retrievesHere() {
    return retrievesHere;
  }

  StandingDelay connections() {
    return connections;
  }

  KnownRequests known() {
    return known;
  }

  AdmissionListener listener() {
    return listener;
  }

  /** How many requests may be beginning at a time, on all loops. */
  public int limit() {
    return loops.stream().mapToInt(Admission::limit).sum();
  }

  /** How many requests are beginning: let in, their model not asked yet. */
  public int inFlight() {
    return loops.stream().mapToInt(Admission::beginning).sum();
  }

  /** How many answers and completions are open. */
  public int open() {
    return open.get();
  }

  /** How it stands, for who looks at the node's health. */
  public JsonObject toJson() {
    String state = isLeaving() ? "draining" : isShort() ? "shedding" : "open";
    return new JsonObject()
        .put("state", state)
        .put("inFlight", inFlight())
        .put("limit", limit())
        .put("open", open())
        .put("maxOpen", maxOpen);
  }
}
