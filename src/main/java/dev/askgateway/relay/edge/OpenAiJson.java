package dev.askgateway.relay.edge;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.Usage;
import io.vertx.core.json.JsonObject;

/** Our words in OpenAI's. */
final class OpenAiJson {
  private OpenAiJson() {}

  /** A finish reason; what OpenAI has no name for is a plain stop. */
  static String of(FinishReason reason) {
    return switch (reason) {
      case LENGTH -> "length";
      case CONTENT_FILTER -> "content_filter";
      case TOOL_CALLS -> "tool_calls";
      case STOP, ERROR, OTHER -> "stop";
    };
  }

  /** Usage with the parts inside the totals. */
  static JsonObject of(Usage usage) {
    long input = usage.inputTokens() + usage.cacheReadTokens() + usage.cacheWriteTokens();
    JsonObject details = new JsonObject().put("cached_tokens", usage.cacheReadTokens());
    if (usage.imageTokens() > 0) {
      details.put("image_tokens", usage.imageTokens());
    }
    return new JsonObject()
        .put("prompt_tokens", input)
        .put("completion_tokens", usage.outputTokens())
        .put("total_tokens", input + usage.outputTokens())
        .put("prompt_tokens_details", details)
        .put(
            "completion_tokens_details",
            new JsonObject().put("reasoning_tokens", usage.reasoningTokens()));
  }
}
