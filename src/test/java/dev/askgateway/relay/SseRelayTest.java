package dev.askgateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.answer.SampleEvents;
import dev.askgateway.core.AnswerEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetSocket;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class SseRelayTest {
  private static final RelayConfig QUICK =
      new RelayConfig(Duration.ofMillis(40), Duration.ofMillis(200), RelayConfig.Compat.NONE);

  private static final class Counting implements RelayListener {
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    final AtomicInteger givenUp = new AtomicInteger();

    @Override
    public void opened() {
      opened.incrementAndGet();
    }

    @Override
    public void closed() {
      closed.incrementAndGet();
    }

    @Override
    public void givenUp() {
      givenUp.incrementAndGet();
    }
  }

  private static Future<Integer> serve(Vertx vertx, Consumer<HttpServerRequest> handler) {
    return vertx
        .createHttpServer()
        .requestHandler(handler::accept)
        .listen(0, "127.0.0.1")
        .map(server -> server.actualPort());
  }

  @Test
  @DisplayName("the head goes out with the first event, a comment first, and says not to buffer")
  void head(Vertx vertx, VertxTestContext test) {
    serve(vertx, request -> {
          SseRelay relay = new SseRelay(vertx, request, QUICK, RelayListener.NONE);
          relay.write(SampleEvents.opened());
          relay.write(SampleEvents.completed());
        })
        .compose(port -> vertx
            .createHttpClient()
            .request(HttpMethod.GET, port, "127.0.0.1", "/")
            .compose(HttpClientRequest::send))
        .compose(response -> {
          test.verify(() -> {
            assertThat(response.getHeader("content-type")).startsWith("text/event-stream");
            assertThat(response.getHeader("x-accel-buffering")).isEqualTo("no");
            assertThat(response.getHeader("cache-control")).isEqualTo("no-cache, no-transform");
            assertThat(response.getHeader("x-vercel-ai-ui-message-stream")).isEqualTo("v1");
          });
          return response.body();
        })
        .onComplete(test.succeeding(body -> test.verify(() -> {
          assertThat(body.toString()).startsWith(": open\n\n").endsWith("[DONE]\n\n");
          test.completeNow();
        })));
  }

  @Test
  @DisplayName("while an answer is quiet, comments keep the way open")
  void heartbeat(Vertx vertx, VertxTestContext test) {
    serve(vertx, request -> new SseRelay(vertx, request, QUICK, RelayListener.NONE)
            .write(SampleEvents.opened()))
        .compose(port -> vertx
            .createHttpClient()
            .request(HttpMethod.GET, port, "127.0.0.1", "/")
            .compose(HttpClientRequest::send))
        .onComplete(test.succeeding(response -> {
          Buffer seen = Buffer.buffer();
          response.handler(bytes -> {
            seen.appendBuffer(bytes);
            if (seen.toString().endsWith("\n\n: \n\n: \n\n")) {
              response.request().reset(); // an open response would keep the server from closing
              test.completeNow();
            }
          });
        }));
  }

  @Test
  @DisplayName("a reader who never drains is given up in bounded time, and the owner hears of it")
  void neverDrains(Vertx vertx, VertxTestContext test) {
    Counting counting = new Counting();
    Promise<Void> gone = Promise.promise();
    Promise<Void> cut = Promise.promise();
    serve(vertx, request -> {
          SseRelay relay = new SseRelay(vertx, request, QUICK, counting);
          request.connection().closeHandler(closed -> cut.complete());
          relay.closeHandler(gone::tryComplete);
          relay.write(SampleEvents.opened());
          AnswerEvent big = new AnswerEvent.Text("x".repeat(1 << 20));
          for (int i = 0; i < 64 && !relay.full(); i++) {
            relay.write(big);
          }
        })
        .compose(port -> vertx.createNetClient().connect(port, "127.0.0.1"))
        .onComplete(test.succeeding((NetSocket socket) -> {
          socket.pause();
          socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
          gone.future().onComplete(given -> socket.resume()); // so that it sees the end, and closes
        }));
    gone.future()
        .compose(left -> cut.future()) // with all that was queued for it
        .onComplete(test.succeeding(left -> test.verify(() -> {
          assertThat(counting.givenUp).hasValue(1);
          assertThat(counting.closed).hasValue(1);
          test.completeNow();
        })));
  }

  @Test
  @DisplayName("a reader who hangs up is noticed once, and later writes go nowhere")
  void hangsUp(Vertx vertx, VertxTestContext test) {
    Counting counting = new Counting();
    AtomicInteger left = new AtomicInteger();
    serve(vertx, request -> {
          SseRelay relay = new SseRelay(vertx, request, QUICK, counting);
          relay.closeHandler(() -> {
            left.incrementAndGet();
            relay.write(new AnswerEvent.Text("nobody reads this"));
            relay.write(SampleEvents.completed());
            vertx.runOnContext(later -> test.verify(() -> {
              assertThat(left).hasValue(1);
              assertThat(counting.closed).hasValue(1);
              test.completeNow();
            }));
          });
          relay.write(SampleEvents.opened());
        })
        .compose(port -> vertx
            .createHttpClient()
            .request(HttpMethod.GET, port, "127.0.0.1", "/")
            .compose(HttpClientRequest::send))
        .onComplete(test.succeeding(
            response -> response.handler(first -> response.request().reset())));
  }

  @Test
  @DisplayName("a client that left before anybody watched is told of when somebody does")
  void leftBefore(Vertx vertx, VertxTestContext test) {
    Promise<SseRelay> relay = Promise.promise();
    Promise<JsonRelay> json = Promise.promise();
    Promise<Void> closed = Promise.promise();
    serve(vertx, request -> {
          boolean first = request.path().equals("/sse");
          if (first) {
            relay.complete(new SseRelay(vertx, request, QUICK, RelayListener.NONE));
          } else {
            json.complete(new JsonRelay(request.response()));
          }
          request
              .connection()
              .closeHandler(gone -> vertx.runOnContext(later -> {
                if (!first) {
                  closed.tryComplete();
                }
              }));
        })
        .compose(port -> vertx
            .createNetClient()
            .connect(port, "127.0.0.1")
            .compose(
                socket -> socket.write("GET /sse HTTP/1.1\r\nHost: x\r\n\r\n").map(socket))
            .compose(socket -> relay.future().compose(there -> socket.close()))
            .compose(gone -> vertx.createNetClient().connect(port, "127.0.0.1"))
            .compose(
                socket -> socket.write("GET /json HTTP/1.1\r\nHost: x\r\n\r\n").map(socket))
            .compose(socket -> json.future().compose(there -> socket.close())))
        .compose(gone -> closed.future())
        .onComplete(test.succeeding(left -> test.verify(() -> {
          AtomicInteger told = new AtomicInteger();
          relay.future().result().closeHandler(told::incrementAndGet);
          json.future().result().closeHandler(told::incrementAndGet);
          assertThat(told).hasValue(2);
          test.completeNow();
        })));
  }

  @Test
  @DisplayName("a reader whose queue is full of heartbeats alone is given up like any other")
  void fullOfHeartbeats(Vertx vertx, VertxTestContext test) {
    Counting counting = new Counting();
    Promise<Void> gone = Promise.promise();
    serve(vertx, request -> {
          // A queue of two bytes is full with the first comment that a paused reader leaves there.
          request.response().setWriteQueueMaxSize(2);
          SseRelay relay = new SseRelay(vertx, request, QUICK, counting);
          relay.closeHandler(gone::tryComplete);
          relay.write(SampleEvents.opened());
          request.response().write("x".repeat(32 << 20)); // past what the kernel takes
        })
        .compose(port -> vertx.createNetClient().connect(port, "127.0.0.1"))
        .onComplete(test.succeeding((NetSocket socket) -> {
          socket.pause();
          socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
          gone.future().onComplete(given -> socket.resume()); // so that it sees the end, and closes
        }));
    gone.future()
        .onComplete(test.succeeding(left -> test.verify(() -> {
          assertThat(counting.givenUp).hasValue(1);
          test.completeNow();
        })));
  }
}
