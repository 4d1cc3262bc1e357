package dev.askgateway.provider.openai;

import dev.askgateway.core.FinishReason;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which choices of a completion have begun, and why they stopped. */
final class Stops {
  /** Most choices that are told apart; the rest counts as output and for nothing here. */
  private static final int MOST = 128;

  private final int asked;

  /** Upstream's reason by the choice's index, "" while it goes on. */
  private final Map<Long, String> reasons = new LinkedHashMap<>();

  private int stopped;

  /** For so many choices asked for; a server may give fewer. */
  Stops(int asked) {
    this.asked = asked;
  }

  void take(StreamedChoice choice) {
    String reason = choice.finishReason();
    if (reason.equals("error")) {
      throw ProviderFailure.error(Kind.UNAVAILABLE, "in stream, finish reason error");
    }
    String before = reasons.get(choice.index());
    if (before == null ? reasons.size() < MOST : !reason.isEmpty()) {
      reasons.put(choice.index(), reason);
      stopped += (before == null || before.isEmpty()) && !reason.isEmpty() ? 1 : 0;
    }
  }

  boolean anyChoice() {
    return !reasons.isEmpty();
  }

  /** Whether all that were asked for have stopped. */
  boolean all() {
    return stopped >= asked;
  }

  /** Whether all that have begun have stopped. */
  boolean allBegun() {
    return stopped > 0 && stopped == reasons.size();
  }

  /** The reason of the choice with index 0, or of the first that there is; "" for none. */
  String reason() {
    String first = reasons.get(0L);
    return first == null ? reasons.values().stream().findFirst().orElse("") : first;
  }

  /** A reason in our words. */
  static FinishReason reason(String wire, boolean refused) {
    return switch (wire) {
      case "stop" -> refused ? FinishReason.CONTENT_FILTER : FinishReason.STOP;
      case "length" -> FinishReason.LENGTH;
      case "content_filter" -> FinishReason.CONTENT_FILTER;
      case "tool_calls", "function_call" -> FinishReason.TOOL_CALLS;
      default -> FinishReason.OTHER;
    };
  }
}
