package dev.askgateway.provider.http;

import dev.askgateway.provider.Deadlines;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The one HTTP client towards other people's servers. Everything that could end a long stream behind
 * our back is off: only {@link dev.askgateway.provider.Deadlines} count. HTTP/2 where TLS negotiates
 * it, HTTP/1.1 otherwise, no pipelining, no compression, no redirects (they would carry the key to
 * another host).
 *
 * <p>Each event loop that asks has connections of its own: a shared pool hands out connections of any
 * loop, and then every piece of an answer would hop from one thread to another.
 */
public final class UpstreamClient {
  private static final long WARM_LOOK_MILLIS = 2_000;

  /**
   * Whoever waits for a call hears of its failure by the call itself. Without a handler beside that
   * the library logs each one as an error, in upstream's words.
   */
  private static final Handler<Throwable> UNSEEN = failure -> {};

  private final Vertx vertx;
  private final ClientLimits limits;
  private final HttpClientOptions options;
  private final LongAdder dataKeepAlives = new LongAdder();
  private final @Nullable AddressGuard guard;
  private final Map<Thread, HttpClientAgent> agents = new ConcurrentHashMap<>();
  private final Set<HttpConnection> used = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private UpstreamClient(
      Vertx vertx, ClientLimits limits, HttpClientOptions base, @Nullable AddressGuard guard) {
    this.vertx = vertx;
    this.limits = limits;
    this.options = options(base, limits);
    this.guard = guard;
  }

  public static UpstreamClient create(Vertx vertx, ClientLimits limits) {
    return create(vertx, limits, new HttpClientOptions());
  }

  /** With options of a caller's own, such as whom to trust; what a stream depends on is still set. */
  public static UpstreamClient create(Vertx vertx, ClientLimits limits, HttpClientOptions base) {
    return new UpstreamClient(vertx, limits, base, null);
  }

  /** With connections only to where the guard lets them go. */
  public static UpstreamClient guarded(Vertx vertx, ClientLimits limits, AddressGuard guard) {
    return guarded(vertx, limits, guard, new HttpClientOptions());
  }

  /** The same with options of a caller's own. */
  public static UpstreamClient guarded(
      Vertx vertx, ClientLimits limits, AddressGuard guard, HttpClientOptions base) {
    return new UpstreamClient(vertx, limits, base, guard);
  }

  /** The client of the calling event loop; every other thread shares that of its own. */
  private HttpClientAgent agent() {
    return agents.computeIfAbsent(Thread.currentThread(), loop -> vertx
        .httpClientBuilder()
        .with(options)
        .with(pool(limits))
        .withConnectHandler(connection -> connection.exceptionHandler(UNSEEN))
        .build());
  }

  private static HttpClientOptions options(HttpClientOptions base, ClientLimits limits) {
    HttpClientOptions options = new HttpClientOptions(base);
    options
        .setProtocolVersion(HttpVersion.HTTP_1_1)
        .setUseAlpn(true)
        .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
        .setHttp2ClearTextUpgrade(false)
        .setHttp2KeepAliveTimeout((int) limits.keepAlive().toSeconds())
        .setHttp2MultiplexingLimit(100)
        .setKeepAlive(true)
        .setKeepAliveTimeout((int) limits.keepAlive().toSeconds())
        .setPipelining(false)
        .setMaxChunkSize(8 << 10)
        .setMaxInitialLineLength(4 << 10)
        .setMaxHeaderSize(16 << 10)
        .setDecompressionSupported(false)
        .setMaxRedirects(0)
        .setVerifyHost(true);
    options
        .setIdleTimeout(0)
        .setReadIdleTimeout(0)
        .setWriteIdleTimeout(0)
        .setConnectTimeout((int) Deadlines.MOST_CONNECT.toMillis())
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setSslHandshakeTimeout(Deadlines.MOST_CONNECT.toMillis())
        .setTcpNoDelay(true)
        .setTcpKeepAlive(true);
    return options;
  }

  private static PoolOptions pool(ClientLimits limits) {
    return new PoolOptions()
        .setHttp1MaxSize(limits.maxConnections())
        .setHttp2MaxSize(limits.maxHttp2Connections())
        .setMaxWaitQueueSize(limits.maxWaiting())
        .setMaxLifetime(0)
        .setCleanerPeriod(1_000)
        .setEventLoopSize(0);
  }

  /**
   * A request on a connection, still to be sent.
   *
   * @param connect limit of everything up to here: waiting for the pool, look-up, connect, TLS
   */
  public Future<HttpClientRequest> request(HttpMethod method, String url, Duration connect) {
    RequestOptions options = new RequestOptions()
        .setMethod(method)
        .setAbsoluteURI(url)
        .setFollowRedirects(false)
        .setConnectTimeout(connect.toMillis())
        .setIdleTimeout(0);
    HttpClientAgent agent = agent();
    if (guard == null) {
      return on(agent, options);
    }
    long endNanos = System.nanoTime() + connect.toNanos();
    return guard
        .admit(options.getHost(), options.getPort())
        .timeout(connect.toMillis(), TimeUnit.MILLISECONDS)
        .compose(address -> {
          long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
          return on(agent, options.setServer(address).setConnectTimeout(Math.max(1, leftMillis)));
        });
  }

  private static Future<HttpClientRequest> on(HttpClientAgent agent, RequestOptions options) {
    return agent.request(options).map(request -> request.exceptionHandler(UNSEEN));
  }

  /**
   * Keeps so many connections to an address open on the calling event loop, so that no answer waits
   * for a look-up, a connect and a handshake. They are looked after every two seconds until the
   * client is closed; one that cannot be made is tried again then.
   */
  public void keepWarm(String url, int connections, Duration connect) {
    if (connections > 0) {
      warm(url, connections, connect);
      vertx.setPeriodic(WARM_LOOK_MILLIS, timer -> {
        if (closed) {
          vertx.cancelTimer(timer);
        } else {
          warm(url, connections, connect);
        }
      });
    }
  }

  /** Takes that many at once, which makes the missing ones, and gives them back unused. */
  private void warm(String url, int connections, Duration connect) {
    List<Future<HttpClientRequest>> taken = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      taken.add(request(HttpMethod.GET, url, connect));
    }
    Future.join(taken)
        .onComplete(all -> taken.forEach(one -> one.onSuccess(HttpClientRequest::reset)));
  }

  /**
   * Whether nobody has asked this before about the connection. One that was used may turn out to
   * have been closed by the other side at the moment it is used again.
   */
  public boolean isFirstUse(HttpConnection connection) {
    boolean first = used.add(connection);
    if (first) {
      connection.closeHandler(closed -> used.remove(connection));
    }
    return first;
  }

  /** Keep-alives that servers wrote as data, where nothing but the answer belongs. For a metric. */
  public LongAdder dataKeepAlives() {
    return dataKeepAlives;
  }

  public Vertx vertx() {
    return vertx;
  }

  public ClientLimits limits() {
    return limits;
  }

  /** Closes all connections at once. */
  public Future<Void> close() {
    closed = true;
    return Future.join(agents.values().stream()
            .map(agent -> agent.shutdown(0, TimeUnit.SECONDS))
            .toList())
        .mapEmpty();
  }
}
