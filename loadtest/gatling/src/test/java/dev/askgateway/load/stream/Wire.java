package dev.askgateway.load.stream;

import com.fasterxml.jackson.databind.JsonNode;

/** What the events of a stream mean, for each of the two kinds of stream. */
public enum Wire {
  /** The AI SDK's UI message stream of an answer. */
  UI_MESSAGES {
    @Override
    void read(JsonNode event, Told told) {
      JsonNode data = event.path("data");
      switch (event.path("type").asText()) {
        case "data-thread" -> told.thread(data.path("threadId").asText());
        case "data-status" -> told.phase(data.path("phase").asText());
        case "text-delta" -> told.text(event.path("delta").asText());
        case "data-error" -> told.failed(data.path("code").asText());
        case "data-finish" -> told.ended(data.path("state").asText());
        default -> {
          // ids, sources and frames of blocks are of no concern here
        }
      }
    }
  },

  /** OpenAI's chunks of a chat completion. */
  CHUNKS {
    @Override
    void read(JsonNode event, Told told) {
      if (event.has("error")) {
        told.failed(event.at("/error/code").asText());
        return;
      }
      JsonNode choice = event.at("/choices/0");
      String text = choice.at("/delta/content").asText("");
      if (!text.isEmpty()) {
        told.text(text);
      }
      if (choice.path("finish_reason").isTextual()) {
        told.ended("completed");
      }
    }
  };

  abstract void read(JsonNode event, Told told);
}
