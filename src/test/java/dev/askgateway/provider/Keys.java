package dev.askgateway.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Keys of servers in tests. */
public final class Keys {
  private Keys() {}

  /** A key and a certificate of its own making for a host, to serve with and to trust. */
  public static PfxOptions selfSigned(Path directory, String host)
      throws IOException, InterruptedException {
    Path store = directory.resolve("keys.p12");
    List<String> command = List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        "test",
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + host,
        "-ext",
        "san=dns:" + host,
        "-validity",
        "2",
        "-storetype",
        "PKCS12",
        "-storepass",
        "changeit",
        "-keystore",
        store.toString());
    Process keytool = new ProcessBuilder(command).inheritIO().start();
    assertThat(keytool.waitFor()).isZero();
    return new PfxOptions()
        .setValue(Buffer.buffer(Files.readAllBytes(store)))
        .setPassword("changeit");
  }
}
