package dev.askgateway.telemetry.trace;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.askgateway.provider.Wait;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** A collector of traces on a real socket: OTLP over HTTP, decoded. */
public final class Collector implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final List<Recorded> spans = new CopyOnWriteArrayList<>();
  private final List<String> exports = new CopyOnWriteArrayList<>();
  private final Map<String, String> headers = new ConcurrentHashMap<>();
  private final HttpServer server = vertx.createHttpServer().requestHandler(this::receive);
  private volatile int status = 200;

  public Collector() {
    Wait.on(server.listen(0, "127.0.0.1"));
  }

  public String endpoint() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  /** From now on each export is answered so. */
  public void answers(int code) {
    status = code;
  }

  private void receive(HttpServerRequest request) {
    request.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
    request
        .body()
        .compose(body -> vertx.executeBlocking(() -> taken(request.path(), body)))
        .onSuccess(answer -> request.response().setStatusCode(answer).end());
  }

  /** Off the event loop: the first export loads the decoder. */
  private int taken(String path, Buffer body) {
    int answer = status;
    if (answer == 200 && path.equals("/v1/traces")) {
      keep(parsed(body));
    }
    return answer;
  }

  private void keep(ExportTraceServiceRequest export) {
    // Ids are random bytes, which may spell anything.
    exports.add(export.toString().replaceAll("_id: \".*\"", "_id: .."));
    export.getResourceSpansList().stream()
        .flatMap(from -> from.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .map(Recorded::new)
        .forEach(spans::add);
  }

  private static ExportTraceServiceRequest parsed(Buffer body) {
    try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(body.getBytes()))) {
      return ExportTraceServiceRequest.parseFrom(plain.readAllBytes());
    } catch (InvalidProtocolBufferException notProtobuf) {
      throw new IllegalStateException(notProtobuf);
    } catch (IOException notZipped) {
      throw new UncheckedIOException(notZipped);
    }
  }

  /** All that came so far. */
  public List<Recorded> spans() {
    return List.copyOf(spans);
  }

  /** The same as text, with everything that was sent, names of attributes and resources too. */
  public String everything() {
    return String.join("\n", exports);
  }

  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** The spans of one trace. */
  public Trace trace(String traceId) {
    return new Trace(
        spans.stream().filter(span -> span.traceId().equals(traceId)).toList());
  }

  @Override
  public void close() {
    Wait.on(vertx.close());
  }
}
