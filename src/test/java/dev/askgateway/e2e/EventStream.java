package dev.askgateway.e2e;

import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An event stream on a socket of its own, read only as far as it is asked for: bytes first, cut at
 * blank lines, decoded last. Whoever does not read is a slow reader, whoever closes is gone.
 */
final class EventStream implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 15_000;

  private final Socket socket;
  private final InputStream in;
  private final int status;
  private final Map<String, String> headers = new HashMap<>();
  private final List<Frame> read = new ArrayList<>();
  private int chunkLeft;

  private EventStream(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), 1024);
    this.status = Integer.parseInt(line().split(" ")[1]);
    for (String header = line(); !header.isEmpty(); header = line()) {
      String[] pair = header.split(":\\s*", 2);
      headers.put(pair[0].toLowerCase(Locale.ROOT), pair[1]);
    }
  }

  static EventStream post(int port, String path, String token, JsonObject body) {
    return send(port, path, token, body, "");
  }

  /** With an idempotency key. */
  static EventStream post(int port, String path, String token, JsonObject body, String key) {
    return send(port, path, token, body, "\r\nIdempotency-Key: " + key);
  }

  private static EventStream send(
      int port, String path, String token, JsonObject body, String more) {
    byte[] bytes = body.encode().getBytes(StandardCharsets.UTF_8);
    return open(
        port,
        "POST " + path + " HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer " + token
            + "\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: "
            + bytes.length + more + "\r\n\r\n",
        bytes);
  }

  static EventStream get(int port, String path, String token) {
    return open(
        port,
        "GET " + path + " HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer " + token
            + "\r\nAccept: text/event-stream\r\n\r\n",
        new byte[0]);
  }

  private static EventStream open(int port, String head, byte[] body) {
    try {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(8 * 1024); // before connecting: a slow reader must show soon
      socket.connect(new InetSocketAddress("127.0.0.1", port));
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(body);
      return new EventStream(socket);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  int status() {
    return status;
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** The next frame, or null at the proper end of the body. */
  @Nullable
  Frame next() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int last = 0, now = body(); now >= 0; last = now, now = body()) {
        bytes.write(now);
        if (last == '\n' && now == '\n') {
          Frame frame = new Frame(bytes.toString(StandardCharsets.UTF_8));
          read.add(frame);
          return frame;
        }
      }
      if (bytes.size() > 0) {
        throw new AssertionError("the body ends inside a frame: " + bytes);
      }
      return null;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Reads on to the first frame that fits. */
  Frame until(Predicate<Frame> wanted) {
    for (Frame frame = next(); frame != null; frame = next()) {
      if (wanted.test(frame)) {
        return frame;
      }
    }
    throw new AssertionError("the stream ended without it: " + read);
  }

  /** Reads on to the first text. */
  Frame untilText() {
    return until(frame -> frame.type().equals("text-delta"));
  }

  /** Reads to the end and returns all frames from the first, heartbeats left out. */
  Told all() {
    while (next() != null) {
      // until the end
    }
    return new Told(read.stream().filter(frame -> !frame.raw().equals(": \n\n")).toList());
  }

  private int body() throws IOException {
    if (chunkLeft == 0) {
      String size = line();
      chunkLeft = Integer.parseInt(size.isEmpty() ? line() : size, 16);
      if (chunkLeft == 0) {
        return -1;
      }
    }
    chunkLeft--;
    int next = in.read();
    if (next < 0) {
      throw new IOException("cut inside a chunk");
    }
    return next;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the connection was closed");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  /** Leaves, as an app does that loses its network. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
