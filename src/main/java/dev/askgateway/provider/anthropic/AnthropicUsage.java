package dev.askgateway.provider.anthropic;

import dev.askgateway.core.Usage;
import dev.askgateway.provider.Lenient;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The usage of one message. Each report replaces the members it has: they are totals so far, never
 * increments. Input, cache reads and cache writes are apart already; thinking is inside the output.
 *
 * <p>The output is known only at the end. Until then it is estimated from what was said, so that an
 * answer that is stopped half-way still has its real input and a fair output.
 */
final class AnthropicUsage {
  private final Tokens message = new Tokens();
  private final Tokens compaction = new Tokens();
  private long thinking;
  private boolean reported;
  private boolean total;

  /** What the message starts with: its output is only what is there by then. */
  void started(JsonObject usage) {
    reported |= message.replace(usage);
    details(usage);
  }

  /** A running total, in practice the last one. */
  void soFar(JsonObject usage) {
    started(usage);
    total |= Lenient.number(usage, "output_tokens") != null;
  }

  private void details(JsonObject usage) {
    JsonObject output = Lenient.object(usage, "output_tokens_details");
    thinking = Lenient.numberOr(output, "thinking_tokens", thinking);
    if (usage.getValue("iterations") != null) {
      compaction.clear();
      for (Object iteration : Lenient.array(usage, "iterations")) {
        if (iteration instanceof JsonObject object
            && Lenient.text(object, "type").equals("compaction")) {
          compaction.add(object);
        }
      }
    }
  }

  /** The usage after so many characters of any content; null when nothing was reported. */
  @Nullable
  Usage after(long chars) {
    if (!reported) {
      return null;
    }
    long output = total ? message.output : Math.max(message.output, Usage.tokens(chars));
    return new Usage(
        message.input + compaction.input,
        message.read + compaction.read,
        message.written + compaction.written,
        output + compaction.output,
        thinking,
        !total);
  }

  /** Four counters. A compaction's own are left out of the message's. */
  private static final class Tokens {
    private long input;
    private long read;
    private long written;
    private long output;

    private boolean replace(JsonObject usage) {
      input = Lenient.numberOr(usage, "input_tokens", input);
      read = Lenient.numberOr(usage, "cache_read_input_tokens", read);
      written = Lenient.numberOr(usage, "cache_creation_input_tokens", written);
      output = Lenient.numberOr(usage, "output_tokens", output);
      return Lenient.number(usage, "input_tokens") != null
          || Lenient.number(usage, "output_tokens") != null;
    }

    private void add(JsonObject usage) {
      Tokens more = new Tokens();
      more.replace(usage);
      input += more.input;
      read += more.read;
      written += more.written;
      output += more.output;
    }

    private void clear() {
      replace(new JsonObject()
          .put("input_tokens", 0)
          .put("cache_read_input_tokens", 0)
          .put("cache_creation_input_tokens", 0)
          .put("output_tokens", 0));
    }
  }
}
