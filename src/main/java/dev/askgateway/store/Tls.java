package dev.askgateway.store;

import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * How a connection is secured, by the parameters that PostgreSQL's own clients know.
 *
 * @param mode {@code sslmode}; disable when it is not said
 * @param rootCertificate {@code sslrootcert}, a PEM file; else the trust of the Java runtime
 */
record Tls(SslMode mode, Optional<String> rootCertificate) {

  /** @throws IllegalArgumentException for a mode that is none: it must not end in plain text */
  static Tls of(String query) {
    String mode = parameter(query, "sslmode").orElse("disable");
    SslMode known = Arrays.stream(SslMode.values())
        .filter(value -> value.value.equals(mode))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "database.url has an unknown sslmode; it must be disable, allow, prefer, require,"
                + " verify-ca or verify-full"));
    return new Tls(known, parameter(query, "sslrootcert"));
  }

  private static Optional<String> parameter(String query, String name) {
    return Arrays.stream(query.split("&"))
        .filter(pair -> pair.startsWith(name + "="))
        .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
        .findFirst();
  }

  void applyTo(PgConnectOptions connect) {
    if (mode == SslMode.DISABLE) {
      return;
    }
    boolean verifies = mode == SslMode.VERIFY_CA || mode == SslMode.VERIFY_FULL;
    ClientSSLOptions options = new ClientSSLOptions()
        .setTrustAll(!verifies)
        .setHostnameVerificationAlgorithm(mode == SslMode.VERIFY_FULL ? "HTTPS" : "");
    rootCertificate.ifPresent(
        file -> options.setTrustOptions(new PemTrustOptions().addCertPath(file)));
    connect.setSslMode(mode).setSslOptions(options);
  }
}
