package dev.askgateway.intake.edge;

import dev.askgateway.core.GatewayError;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * The id of a request: its idempotency key when that is a UUID, one made of the key when it is not,
 * else a new one.
 *
 * @param fingerprint of the body, where a key could come again with another one
 * @param keyed whether the client named it, and so can send it again
 */
record EdgeRequestId(UUID id, Buffer fingerprint, boolean keyed) {
  private static final int LONGEST_KEY = 255;
  private static final Buffer NEVER_COMPARED = Buffer.buffer(new byte[1]);

  /** @param fresh the id of a request that names none */
  static EdgeRequestId of(HttpServerRequest request, Buffer body, UUID fresh) {
    String key = request.getHeader("idempotency-key");
    if (key == null) {
      return new EdgeRequestId(fresh, NEVER_COMPARED, false);
    }
    if (key.isEmpty() || key.length() > LONGEST_KEY) {
      throw GatewayError.invalid(
          "Idempotency-Key", "The idempotency key is 1 to " + LONGEST_KEY + " characters long.");
    }
    return new EdgeRequestId(named(key), Buffer.buffer(sha256(body)), true);
  }

  private static UUID named(String key) {
    return key.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
        ? UUID.fromString(key)
        : UUID.nameUUIDFromBytes(("edge\0" + key).getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] sha256(Buffer body) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(body.getBytes());
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException("every Java has SHA-256", never);
    }
  }
}
