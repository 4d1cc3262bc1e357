package dev.askgateway.provider.openai;

import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelConfig.MaxTokensMember;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A client's own request with only what must be ours put in: the model's name, the stream and its
 * usage, and what this server calls things. Members that nobody here knows pass through.
 */
final class VerbatimBody {
  private VerbatimBody() {}

  /** The body. The original is left as it is: another model may be asked with it next. */
  static JsonObject of(
      ProviderConfig provider, ModelConfig model, ModelRequest request, JsonObject original) {
    JsonObject body = new JsonObject(new LinkedHashMap<>(original.getMap()));
    body.put("model", model.model()).put("stream", true);
    if (provider.includeUsage()) {
      JsonObject options = Lenient.object(original, "stream_options").copy();
      body.put("stream_options", options.put("include_usage", true));
    } else {
      body.remove("stream_options"); // the server refuses it
    }
    if (!model.sendTemperature()) {
      body.remove("temperature");
    }
    cap(body, model, request.maxOutputTokens());
    return body;
  }

  /** One cap under the server's name: the least of the client's, the request's and the model's. */
  private static void cap(JsonObject body, ModelConfig model, @Nullable Integer ours) {
    long cap = ours == null ? Long.MAX_VALUE : ours;
    for (MaxTokensMember member : MaxTokensMember.values()) {
      Long asked = Lenient.number(body, member.wire());
      if (asked != null) {
        cap = Math.min(cap, asked);
        body.remove(member.wire());
      }
    }
    if (cap != Long.MAX_VALUE) {
      body.put(
          model.maxTokensMember().wire(), Math.min(cap, model.capabilities().outputTokens()));
    }
  }
}
