package dev.askgateway.provider.http;

import dev.askgateway.core.Rule;
import java.time.Duration;

/**
 * Bounds of the HTTP client that talks to models, for each event loop that builds one.
 *
 * @param maxConnections HTTP/1.1 connections to one host
 * @param maxHttp2Connections HTTP/2 connections to one host, each carrying many streams
 * @param maxWaiting calls that may wait for a connection to one host; one more fails at once
 * @param keepAlive how long an unused connection is kept
 * @param maxLineBytes longest line of an event stream
 * @param maxEventBytes longest event of an event stream
 * @param maxErrorBytes most of an error response that is read
 */
public record ClientLimits(
    int maxConnections,
    int maxHttp2Connections,
    int maxWaiting,
    Duration keepAlive,
    int maxLineBytes,
    int maxEventBytes,
    int maxErrorBytes) {

  public static final ClientLimits DEFAULT =
      new ClientLimits(4_096, 4, 1_000, Duration.ofSeconds(30), 1 << 20, 1 << 20, 64 << 10);

  public ClientLimits {
    Rule.range("upstream.maxConnections", maxConnections, 1, 10_000);
    Rule.range("upstream.maxHttp2Connections", maxHttp2Connections, 1, 1_000);
    Rule.range("upstream.maxWaiting", maxWaiting, 0, 100_000);
    Rule.range("upstream.keepAlive", keepAlive, Duration.ofSeconds(1), Duration.ofHours(1));
    Rule.range("upstream.maxLineBytes", maxLineBytes, 64, 16 << 20);
    Rule.range("upstream.maxEventBytes", maxEventBytes, 64, 16 << 20);
    Rule.range("upstream.maxErrorBytes", maxErrorBytes, 64, 1 << 20);
  }
}
