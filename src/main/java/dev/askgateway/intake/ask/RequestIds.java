package dev.askgateway.intake.ask;

import dev.askgateway.core.UserId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/** Ids that the same request gets each time it is sent. */
final class RequestIds {
  private RequestIds() {}

  /** The id of what a person names by these parts; no two lists of parts share one by their seams. */
  static UUID derived(UserId user, String... parts) {
    MessageDigest digest = sha256();
    update(digest, user.value());
    for (String part : parts) {
      update(digest, part);
    }
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    // Version 8 (made by a rule of one's own) and the usual variant.
    long high = (hash.getLong() & ~0xF000L) | 0x8000L;
    long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  static byte[] sha256(String text) {
    return sha256().digest(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void update(MessageDigest digest, String part) {
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException("every Java has SHA-256", never);
    }
  }
}
