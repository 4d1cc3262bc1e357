package dev.askgateway.provider.http;

import dev.askgateway.provider.Deadlines;
import io.vertx.core.Future;
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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The one HTTP client towards other people's servers. Everything that could end a long stream behind
 * our back is off: only {@link Deadlines} count. HTTP/2 where TLS negotiates it, HTTP/1.1 otherwise,
 * no pipelining, no compression, no redirects (they would carry the key to another host).
 */
public final class UpstreamClient {
  private final Vertx vertx;
  private final ClientLimits limits;
  private final HttpClientAgent agent;
  private final Set<HttpConnection> used = ConcurrentHashMap.newKeySet();
  private final LongAdder dataKeepAlives = new LongAdder();
  private final @Nullable AddressGuard guard;

  private UpstreamClient(
      Vertx vertx, ClientLimits limits, HttpClientAgent agent, @Nullable AddressGuard guard) {
    this.vertx = vertx;
    this.limits = limits;
    this.agent = agent;
    this.guard = guard;
  }

  public static UpstreamClient create(Vertx vertx, ClientLimits limits) {
    return create(vertx, limits, new HttpClientOptions());
  }

  /** With options of a caller's own, such as whom to trust; what a stream depends on is still set. */
  public static UpstreamClient create(Vertx vertx, ClientLimits limits, HttpClientOptions base) {
    return new UpstreamClient(vertx, limits, agent(vertx, limits, base), null);
  }

  /** With connections only to where the guard lets them go. */
  public static UpstreamClient guarded(Vertx vertx, ClientLimits limits, AddressGuard guard) {
    return new UpstreamClient(vertx, limits, agent(vertx, limits, new HttpClientOptions()), guard);
  }

  private static HttpClientAgent agent(Vertx vertx, ClientLimits limits, HttpClientOptions base) {
    return vertx
        .httpClientBuilder()
        .with(options(base, limits))
        .with(pool(limits))
        .build();
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
    return guard == null
        ? agent.request(options)
        : guard
            .admit(options.getHost(), options.getPort())
            .timeout(connect.toMillis(), TimeUnit.MILLISECONDS)
            .compose(address -> agent.request(options.setServer(address)));
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
    return agent.shutdown(0, TimeUnit.SECONDS);
  }
}
