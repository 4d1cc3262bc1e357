package dev.askgateway.e2e;

import dev.askgateway.provider.ScriptedProvider;
import dev.askgateway.provider.ScriptedProvider.Exchange;
import dev.askgateway.provider.ScriptedProvider.Request;
import dev.askgateway.provider.Wait;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A person's own OpenAI-compatible server, over TLS on this machine. Its certificate is its own; while
 * the server is open this JVM trusts it, as an operator makes a gateway do: by javax.net.ssl.trustStore.
 */
final class OwnServer implements AutoCloseable {
  private static final String TRUSTED = "javax.net.ssl.trustStore";
  private static final String PASSWORD = "javax.net.ssl.trustStorePassword";
  private static final String OURS = "changeit";

  private final Vertx vertx = Vertx.vertx();
  private final AtomicReference<Consumer<Exchange>> script = new AtomicReference<>();
  private final ScriptedProvider provider =
      ScriptedProvider.listen(vertx, exchange -> script.get().accept(exchange));
  private final NetClient inside = vertx.createNetClient();
  private final NetServer front;

  OwnServer(Path directory) {
    Path store = certificate(directory.resolve("own.p12"));
    System.setProperty(TRUSTED, store.toString());
    System.setProperty(PASSWORD, OURS);
    int port = URI.create(provider.baseUrl()).getPort();
    front = vertx
        .createNetServer(new NetServerOptions()
            .setSsl(true)
            .setKeyCertOptions(new PfxOptions().setValue(bytes(store)).setPassword(OURS)))
        .connectHandler(outer -> {
          outer.pause();
          inside
              .connect(port, "127.0.0.1")
              .onComplete(inner -> join(outer, inner), away -> outer.close());
        });
    Wait.on(front.listen(0, "127.0.0.1"));
  }

  private static void join(NetSocket outer, NetSocket inner) {
    inner.pipeTo(outer);
    outer.pipeTo(inner);
  }

  private static Buffer bytes(Path file) {
    try {
      return Buffer.buffer(Files.readAllBytes(file));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Key and certificate for this machine, which nobody else has signed. */
  private static Path certificate(Path store) {
    List<String> command =
        new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/keytool", "-genkeypair"));
    command.addAll(List.of("-alias", "own", "-keyalg", "EC", "-validity", "2"));
    command.addAll(List.of("-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1"));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", OURS));
    command.addAll(List.of("-keystore", store.toString()));
    try {
      int code = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("keytool gave " + code);
      }
      return store;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  String baseUrl() {
    return "https://localhost:" + front.actualPort() + "/v1";
  }

  /** From now on each request gets this. */
  void does(Consumer<Exchange> next) {
    script.set(next);
  }

  /** Answers with that text, reports 120 tokens in and 30 out, and ends. */
  void says(String text) {
    does(ScriptedProvider.answer(Model.delta(text), Model.STOP, Model.USAGE, Model.DONE));
  }

  /** Every request that came so far. */
  List<Request> requests() {
    return provider.requests();
  }

  Request newest() {
    return requests().get(requests().size() - 1);
  }

  @Override
  public void close() {
    System.clearProperty(TRUSTED);
    System.clearProperty(PASSWORD);
    Wait.on(vertx.close());
  }
}
