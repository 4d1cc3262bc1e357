package dev.askgateway.provider.byok;

import dev.askgateway.core.UserId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets with AES-256-GCM. A sealed secret opens only for the person, the connection, the
 * destination and the key id it was sealed for: copied to another row, or its row turned to another
 * address, it is worth nothing.
 *
 * <p>The bytes: format (1), nonce (12 random ones), ciphertext with its tag (16).
 */
public final class SecretBox {
  private static final byte FORMAT = 1;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  private final Map<String, SecretKey> keys = new HashMap<>();
  private final String currentKey;
  private final SecureRandom random = new SecureRandom();

  /** The configuration's keys; those of a disabled one seal and open nothing. */
  public SecretBox(ByokConfig config) {
    config
        .keys()
        .forEach((id, base64) ->
            keys.put(id, new SecretKeySpec(Base64.getDecoder().decode(base64), "AES")));
    currentKey = config.currentKey();
  }

  /**
   * Where a secret belongs.
   *
   * @param destination whom it may be told: the provider and its address
   */
  public record Owner(UserId user, UUID connection, String destination) {}

  /** A sealed secret and the id of its key. */
  public record Sealed(Buffer bytes, String keyId) {}

  /** Why a secret does not open: in no words but these, whatever was wrong with it. */
  public static final class CannotOpen extends Exception {
    private CannotOpen(String why) {
      super(why, null, false, false);
    }
  }

  /** Seals with the current key. */
  public Sealed seal(Owner owner, String secret) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key(currentKey), nonce);
      cipher.updateAAD(bound(owner, currentKey));
      byte[] hidden = cipher.doFinal(secret.getBytes(StandardCharsets.UTF_8));
      return new Sealed(
          Buffer.buffer().appendByte(FORMAT).appendBytes(nonce).appendBytes(hidden), currentKey);
    } catch (GeneralSecurityException | CannotOpen impossible) {
      throw new IllegalStateException("a secret could not be sealed"); // without what it says
    }
  }

  /** The secret, whichever of the configured keys sealed it. */
  public String open(Owner owner, Sealed sealed) throws CannotOpen {
    SecretKey key = key(sealed.keyId());
    byte[] bytes = sealed.bytes().getBytes();
    if (bytes.length < 1 + NONCE_BYTES + TAG_BYTES || bytes[0] != FORMAT) {
      throw new CannotOpen("the sealed secret has no known form");
    }
    byte[] nonce = new byte[NONCE_BYTES];
    System.arraycopy(bytes, 1, nonce, 0, NONCE_BYTES);
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, nonce);
      cipher.updateAAD(bound(owner, sealed.keyId()));
      int from = 1 + NONCE_BYTES;
      return new String(cipher.doFinal(bytes, from, bytes.length - from), StandardCharsets.UTF_8);
    } catch (GeneralSecurityException notOurs) {
      throw new CannotOpen("the sealed secret is not of this place, or was changed");
    }
  }

  /** Whether it should be sealed anew. */
  public boolean isOld(Sealed sealed) {
    return !sealed.keyId().equals(currentKey);
  }

  public String currentKey() {
    return currentKey;
  }

  private SecretKey key(String id) throws CannotOpen {
    SecretKey key = keys.get(id);
    if (key == null) {
      throw new CannotOpen("the key of the sealed secret is not configured");
    }
    return key;
  }

  private static Cipher cipher(int mode, SecretKey key, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * 8, nonce));
    return cipher;
  }

  /** Each part with its length before it, so that no two places look alike. */
  private static byte[] bound(Owner owner, String keyId) {
    Buffer bound = Buffer.buffer().appendByte(FORMAT);
    for (String part : new String[] {
      owner.user().value(), owner.connection().toString(), owner.destination(), keyId
    }) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      bound.appendInt(bytes.length).appendBytes(bytes);
    }
    return bound.getBytes();
  }
}
