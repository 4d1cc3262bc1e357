package dev.askgateway.answer.rollout;

import dev.askgateway.core.UserId;
import dev.askgateway.store.Arm.Place;
import dev.askgateway.store.Rollout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Draws who is in the share of a rollout: by a hash of the account that is keyed with the rollout. The
 * same on all nodes, another one in each rollout, nothing that an account's name could be chosen for, and
 * whoever is in a share is in every larger one.
 */
final class Draw {
  private static final String HASH = "HmacSHA256";

  /** Places that accounts are drawn to, a hundred for each per cent. */
  static final int PLACES = 10_000;

  private Draw() {}

  static Place of(Rollout rollout, UserId user) {
    if (rollout.listed().contains(user.value())) {
      return Place.LISTED;
    }
    boolean in = place(rollout.run(), user) < rollout.share() * (PLACES / 100);
    return in ? Place.CANDIDATE : Place.CONTROL;
  }

  /** From 0 to {@link #PLACES}, which is left out. */
  static int place(UUID run, UserId user) {
    ByteBuffer key = ByteBuffer.allocate(16)
        .putLong(run.getMostSignificantBits())
        .putLong(run.getLeastSignificantBits());
    try {
      Mac mac = Mac.getInstance(HASH);
      mac.init(new SecretKeySpec(key.array(), HASH));
      byte[] hash = mac.doFinal(user.value().getBytes(StandardCharsets.UTF_8));
      return (int) Long.remainderUnsigned(ByteBuffer.wrap(hash).getLong(), PLACES);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every Java has " + HASH, missing);
    }
  }
}
