package dev.askgateway.intake.auth;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a token says of its own signature, read before anything is verified.
 *
 * @param keyId the key it names, or null
 */
record TokenHead(String algorithm, @Nullable String keyId) {

  /** The head of a compact token, or empty when there is none that can be read. */
  static Optional<TokenHead> of(String token) {
    int end = token.indexOf('.');
    if (end <= 0 || token.chars().filter(c -> c == '.').count() != 2) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(token.substring(0, end));
      JsonObject head = new JsonObject(Buffer.buffer(bytes));
      // "crit" names rules that must be understood: none are.
      if (!(head.getValue("alg") instanceof String algorithm) || head.containsKey("crit")) {
        return Optional.empty();
      }
      return Optional.of(
          new TokenHead(algorithm, head.getValue("kid") instanceof String kid ? kid : null));
    } catch (RuntimeException unreadable) {
      return Optional.empty();
    }
  }
}
