package dev.askgateway.provider;

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
      new ClientLimits(256, 4, 1_000, Duration.ofSeconds(30), 1 << 20, 1 << 20, 64 << 10);

  public ClientLimits {
    require("maxConnections", maxConnections, 1, 10_000);
    require("maxHttp2Connections", maxHttp2Connections, 1, 1_000);
    require("maxWaiting", maxWaiting, 0, 100_000);
    require("keepAlive", keepAlive.toSeconds(), 1, 3_600);
    require("maxLineBytes", maxLineBytes, 64, 16 << 20);
    require("maxEventBytes", maxEventBytes, 64, 16 << 20);
    require("maxErrorBytes", maxErrorBytes, 64, 1 << 20);
  }

  private static void require(String key, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "provider.client." + key + " is " + value + "; it must be " + least + " to " + most);
    }
  }
}
