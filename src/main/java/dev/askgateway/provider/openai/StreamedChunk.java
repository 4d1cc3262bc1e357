package dev.askgateway.provider.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.http.UpstreamErrors;
import dev.askgateway.provider.sse.SseEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one event of a chat completion says, read in one pass over its bytes: this is the hottest path
 * of all, so no tree is built but for what is rare.
 */
final class StreamedChunk {
  private final boolean firstOnly;
  private final List<StreamedChoice> choices = new ArrayList<>(1);
  private @Nullable Object error;
  private @Nullable Usage usage;

  private StreamedChunk(boolean firstOnly) {
    this.firstOnly = firstOnly;
  }

  /**
   * Reads an event.
   *
   * @param firstOnly whether only the choice with index 0 counts: others are further answers
   * @return null when it is not one JSON object
   */
  static @Nullable StreamedChunk of(SseEvent event, boolean firstOnly) {
    StreamedChunk chunk = new StreamedChunk(firstOnly);
    return ChunkParser.read(event, chunk::members) ? chunk : null;
  }

  private void members(JsonParser at) throws IOException {
    for (String name = at.nextFieldName(); name != null; name = at.nextFieldName()) {
      JsonToken value = at.nextToken();
      switch (name) {
        case "choices" -> choices(at);
        case "usage" -> usage = OpenAiUsage.read(at);
        case "error" -> error = value == JsonToken.VALUE_NULL ? null : error(at);
        default -> at.skipChildren();
      }
    }
  }

  private static @Nullable Object error(JsonParser at) throws IOException {
    return UpstreamErrors.told(Trees.any(at));
  }

  private void choices(JsonParser at) throws IOException {
    if (!Lenient.isArray(at)) {
      return;
    }
    while (at.nextToken() != JsonToken.END_ARRAY) {
      if (Lenient.isObject(at)) {
        StreamedChoice choice = StreamedChoice.read(at);
        if (!firstOnly || (choice.index() == 0 && choices.isEmpty())) {
          choices.add(choice);
        }
      }
    }
  }

  /** The error member, or null for none. */
  @Nullable
  Object error() {
    return error;
  }

  /** The choices that count. */
  List<StreamedChoice> choices() {
    return choices;
  }

  /** The usage so far, wherever it is reported, or null. */
  @Nullable
  Usage usage() {
    Usage reported = usage;
    for (StreamedChoice choice : choices) {
      reported = reported == null ? choice.usage() : reported;
    }
    return reported;
  }

  /** Whether it has no choice but a usage report. */
  boolean isUsageOnly() {
    return choices.isEmpty() && usage != null;
  }
}
