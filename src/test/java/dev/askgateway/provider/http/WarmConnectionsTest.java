package dev.askgateway.provider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Clients;
import dev.askgateway.provider.Wait;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(VertxExtension.class)
@DisplayName("The connections of the upstream client")
class WarmConnectionsTest {
  private static final Duration CONNECT = Duration.ofSeconds(5);

  @RegisterExtension
  static final Clients CLIENTS = new Clients();

  /** Answers every request with 200 and tells of each connection as it comes. */
  private static final class Server {
    private final List<NetSocket> sockets = new CopyOnWriteArrayList<>();
    private final Map<Integer, Promise<Void>> awaited = new ConcurrentHashMap<>();
    private final NetServer net;

    Server(Vertx vertx) {
      net = vertx
          .createNetServer(new NetServerOptions().setHost("127.0.0.1"))
          .connectHandler(socket -> {
            socket.handler(bytes ->
                socket.write(Buffer.buffer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")));
            sockets.add(socket);
            come(sockets.size()).tryComplete();
          });
      Wait.on(net.listen(0));
    }

    private Promise<Void> come(int count) {
      return awaited.computeIfAbsent(count, absent -> Promise.promise());
    }

    void awaitConnections(int count) {
      Wait.on(come(count).future());
    }

    String url() {
      return "http://127.0.0.1:" + net.actualPort() + "/v1";
    }
  }

  private static Future<Integer> get(UpstreamClient client, String url) {
    return client.request(HttpMethod.GET, url, CONNECT).compose(request -> request
        .send()
        .compose(response -> response.body().map(body -> response.statusCode())));
  }

  @Test
  @DisplayName("are there before anybody asks, and answers use them")
  void warm(Vertx vertx) {
    Server server = new Server(vertx);
    UpstreamClient client = CLIENTS.open(vertx, ClientLimits.DEFAULT);
    Context loop = vertx.getOrCreateContext();
    loop.runOnContext(now -> client.keepWarm(server.url(), 3, CONNECT));
    server.awaitConnections(3);

    List<Integer> statuses = new ArrayList<>();
    Promise<Void> done = Promise.promise();
    loop.runOnContext(now -> Future.join(List.of(
            get(client, server.url()), get(client, server.url()), get(client, server.url())))
        .onSuccess(all -> statuses.addAll(all.list()))
        .<Void>mapEmpty()
        .onComplete(done));
    Wait.on(done.future());

    assertThat(statuses).containsExactly(200, 200, 200);
    assertThat(server.sockets).hasSize(3);
  }

  @Test
  @DisplayName("are made again when the other side closes them")
  void madeAgain(Vertx vertx) {
    Server server = new Server(vertx);
    UpstreamClient client = CLIENTS.open(vertx, ClientLimits.DEFAULT);
    vertx.getOrCreateContext().runOnContext(now -> client.keepWarm(server.url(), 2, CONNECT));
    server.awaitConnections(2);

    server.sockets.get(0).close();

    server.awaitConnections(3);
  }

  @Test
  @DisplayName("belong to the event loop that asked")
  void ownLoop(Vertx vertx) {
    Server server = new Server(vertx);
    UpstreamClient client = CLIENTS.open(vertx, ClientLimits.DEFAULT);

    List<String> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) { // contexts come from the loops in turns
      threads.add(Wait.onLoop(vertx, () -> {
        String asking = Thread.currentThread().getName();
        return client.request(HttpMethod.GET, server.url(), CONNECT).compose(request -> {
          String connected = Thread.currentThread().getName();
          return request
              .send()
              .compose(response -> response.body())
              .map(body -> asking.equals(connected)
                      && asking.equals(Thread.currentThread().getName())
                  ? asking
                  : "another loop");
        });
      }));
    }

    assertThat(threads).doesNotContain("another loop");
    assertThat(server.sockets).hasSize((int) threads.stream().distinct().count());
  }
}
