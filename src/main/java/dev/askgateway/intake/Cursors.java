package dev.askgateway.intake;

import dev.askgateway.core.GatewayError;
import dev.askgateway.store.ThreadRepository.Position;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Page positions as clients carry them: opaque, and refused when they are not ours. */
final class Cursors {
  private static final byte THREADS = 1;
  private static final byte TURNS = 2;
  private static final byte TRANSFERS = 3;

  private Cursors() {}

  static String ofThreads(Position position) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, position.updatedAt().toInstant());
    return encode(Buffer.buffer()
        .appendByte(THREADS)
        .appendLong(micros)
        .appendLong(position.id().getMostSignificantBits())
        .appendLong(position.id().getLeastSignificantBits()));
  }

  /** The position of a cursor, or the start without one. */
  static Position threads(@Nullable String cursor) {
    if (cursor == null) {
      return Position.START;
    }
    ByteBuffer bytes = decode(cursor, THREADS, 25);
    long micros = bytes.getLong();
    if (micros < 0 || micros > 253_402_300_799_000_000L) {
      throw refused();
    }
    Instant at = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return new Position(at.atOffset(ZoneOffset.UTC), new UUID(bytes.getLong(), bytes.getLong()));
  }

  static String ofTurns(long before) {
    return encode(Buffer.buffer().appendByte(TURNS).appendLong(before));
  }

  /** The sequence number a page ends before; without a cursor every turn is before it. */
  static long turns(@Nullable String cursor) {
    return cursor == null ? Long.MAX_VALUE : decode(cursor, TURNS, 9).getLong();
  }

  static String ofTransfers(long before) {
    return encode(Buffer.buffer().appendByte(TRANSFERS).appendLong(before));
  }

  /** The id a page of a statement ends before; without a cursor every transfer is before it. */
  static long transfers(@Nullable String cursor) {
    return cursor == null ? Long.MAX_VALUE : decode(cursor, TRANSFERS, 9).getLong();
  }

  private static String encode(Buffer bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.getBytes());
  }

  private static ByteBuffer decode(String cursor, byte kind, int length) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(cursor);
    } catch (IllegalArgumentException notBase64) {
      throw refused();
    }
    if (bytes.length != length || bytes[0] != kind) {
      throw refused();
    }
    return ByteBuffer.wrap(bytes, 1, length - 1);
  }

  private static GatewayError refused() {
    return GatewayError.invalid("cursor", "The cursor is not one of this list.");
  }
}
