package dev.askgateway.provider.openai;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Joins the pieces of tool calls, which servers number, name and repeat in every way there is: without
 * an index or with the same for all, with an id that is blank, repeated or another one later, with a
 * name that comes late or again. A call is told from the piece on that names it.
 */
final class ToolCalls {
  /** Most calls of one answer. */
  private static final int MOST = 256;

  private final List<StartedCall> calls = new ArrayList<>();
  private int told;

  /** Takes the pieces of one event. */
  void take(List<CallPiece> pieces, Consumer<TokenEvent> out) {
    if (pieces.isEmpty()) {
      return;
    }
    Set<StartedCall> touched = new HashSet<>();
    for (CallPiece piece : pieces) {
      StartedCall call = find(piece, touched);
      touched.add(call);
      boolean first = !call.isTold();
      TokenEvent.ToolCall event = call.take(piece, told);
      if (event != null) {
        out.accept(event);
        told += first ? 1 : 0;
      }
    }
  }

  /** Whether any call has been told. */
  boolean any() {
    return told > 0;
  }

  /** Whether a call is still without a name, so that nobody can make it. */
  boolean anyNameless() {
    return told < calls.size();
  }

  private StartedCall find(CallPiece piece, Set<StartedCall> touched) {
    StartedCall known = piece.index() == null ? unnumbered(piece, touched) : latest(piece.index());
    if (known != null && known.goesOnWith(piece)) {
      return known;
    }
    if (calls.size() == MOST) {
      throw ProviderFailure.error(Kind.PROTOCOL, "over " + MOST + " tool calls");
    }
    StartedCall fresh = new StartedCall(piece.index());
    calls.add(fresh);
    return fresh;
  }

  /** By its id; else the last call, if this event has not gone on with it: it would not do so twice. */
  private @Nullable StartedCall unnumbered(CallPiece piece, Set<StartedCall> touched) {
    for (StartedCall call : calls) {
      if (!piece.id().isBlank() && piece.id().equals(call.upstreamId())) {
        return call;
      }
    }
    StartedCall last = calls.isEmpty() ? null : calls.get(calls.size() - 1);
    return last == null || touched.contains(last) ? null : last;
  }

  /** The last call with that index: it may be used again for the next one. */
  private @Nullable StartedCall latest(long index) {
    for (int i = calls.size() - 1; i >= 0; i--) {
      Long known = calls.get(i).upstreamIndex();
      if (known != null && known == index) {
        return calls.get(i);
      }
    }
    return null;
  }
}
