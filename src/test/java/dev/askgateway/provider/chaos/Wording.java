package dev.askgateway.provider.chaos;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ProviderConfig.KeyHeader;
import java.util.List;
import java.util.Set;

/** How one vendor puts things: events of a stream with their framing, lines ended by LF. */
public interface Wording {

  /** What servers of one dialect do differently. Each wording knows some of them. */
  enum Habit {
    /** Something comes before the first real event. */
    PREFACE,
    /** Usage in every event, cumulative. */
    USAGE_EVERYWHERE,
    /** The reason to stop is beside the last text. */
    FINISH_WITH_LAST,
    /** Keep-alives in between. */
    PINGS,
    /** Members that are null instead of absent. */
    NULLS,
    /** Content as a list of parts, several in one event. */
    PARTS,
    /** Events, blocks and members that are newer than we are. */
    NEWS
  }

  Dialect dialect();

  /** The events of the script, in order: a preamble, the pieces, the end. */
  List<String> events(Script script);

  /** An error inside a response that began with 200. */
  String error(int status);

  /** The body of a refusal. */
  String refusal(int status);

  /** What the vendor sends while the model thinks. */
  String ping();

  /** An event with text whose JSON breaks off. */
  String malformed();

  default KeyHeader keyHeader() {
    return switch (dialect()) {
      case ANTHROPIC -> KeyHeader.X_API_KEY;
      case GEMINI -> KeyHeader.X_GOOG_API_KEY;
      default -> KeyHeader.BEARER;
    };
  }

  static Wording of(Dialect dialect, Set<Habit> habits) {
    return switch (dialect) {
      case OPENAI -> new OpenAiWording(habits);
      case ANTHROPIC -> new AnthropicWording(habits);
      case GEMINI -> new GeminiWording(habits);
      default -> throw new IllegalArgumentException(dialect.wire());
    };
  }

  static Wording of(Dialect dialect) {
    return of(dialect, Set.of());
  }

  /** The events as one text. */
  default String say(Script script) {
    return String.join("", events(script));
  }
}
