package dev.askgateway.provider.openai;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A tool call that has begun. What comes before its name is held back. */
final class StartedCall {
  private static final int MOST_HELD_CHARS = 1 << 20;

  private final @Nullable Long upstreamIndex;
  private final StringBuilder held = new StringBuilder();
  private final JsonDepth depth = new JsonDepth();
  private String upstreamId = "";
  private String name = "";
  private String signature = "";
  private int index = -1;

  StartedCall(@Nullable Long upstreamIndex) {
    this.upstreamIndex = upstreamIndex;
  }

  @Nullable
  Long upstreamIndex() {
    return upstreamIndex;
  }

  String upstreamId() {
    return upstreamId;
  }

  boolean isTold() {
    return index >= 0;
  }

  /** Whether the piece, which index or id led to this call, belongs to it and begins no other. */
  boolean goesOnWith(CallPiece piece) {
    boolean hasId = !piece.id().isBlank();
    if (piece.name().isBlank() || name.isEmpty() || (hasId && piece.id().equals(upstreamId))) {
      return true;
    }
    boolean sameName = piece.name().equals(name);
    if (hasId && !upstreamId.isBlank()) {
      return sameName && !depth.isClosed(); // another id on the way, or the next call
    }
    boolean again = depth.isClosed() && piece.arguments().stripLeading().startsWith("{");
    boolean other = !sameName && !depth.isOpen();
    return !again && !other;
  }

  /**
   * Takes a piece.
   *
   * @param next the index to use if this is the piece that the call is told from
   * @return what is to be told, or null for nothing yet
   */
  TokenEvent.@Nullable ToolCall take(CallPiece piece, int next) {
    depth.read(piece.arguments());
    upstreamId = upstreamId.isBlank() ? piece.id() : upstreamId;
    name = name.isEmpty() ? piece.name().strip() : name;
    signature = piece.signature().isEmpty() ? signature : piece.signature();
    if (isTold()) {
      return piece.arguments().isEmpty() && piece.signature().isEmpty()
          ? null
          : new TokenEvent.ToolCall(index, "", "", piece.arguments(), piece.signature());
    }
    if (held.length() + piece.arguments().length() > MOST_HELD_CHARS) {
      throw ProviderFailure.error(Kind.PROTOCOL, "a tool call without a name");
    }
    held.append(piece.arguments());
    if (name.isEmpty()) {
      return null;
    }
    index = next;
    String arguments = held.toString();
    held.setLength(0);
    return new TokenEvent.ToolCall(index, id(), name, arguments, signature);
  }

  /** Upstream's id, or one of our own where it has none: the result must be matched to its call. */
  private String id() {
    return upstreamId.isBlank()
        ? "call_" + UUID.randomUUID().toString().replace("-", "")
        : upstreamId;
  }
}
