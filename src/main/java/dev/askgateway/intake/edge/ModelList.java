package dev.askgateway.intake.edge;

import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.route.ListedModel;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What can be named as a model, profiles first, as OpenAI lists them. Written once. */
final class ModelList {
  private static final String OURS = "ask-gateway";

  private final Map<String, Buffer> models = new LinkedHashMap<>();
  private final Buffer all;

  /** @param created what is told as the time they were made, in seconds since 1970 */
  ModelList(List<ListedModel> listed, long created) {
    JsonArray list = new JsonArray();
    for (ListedModel model : listed) {
      JsonObject one = new JsonObject()
          .put("id", model.name())
          .put("object", "model")
          .put("created", created)
          .put("owned_by", model.provider().isEmpty() ? OURS : model.provider())
          .put("capabilities", capabilities(model.capabilities()));
      models.put(model.name(), one.toBuffer());
      list.add(one);
    }
    all = new JsonObject().put("object", "list").put("data", list).toBuffer();
  }

  private static JsonObject capabilities(Capabilities can) {
    return can.embeds()
        ? new JsonObject()
            .put("embeddings", true)
            .put("dimensions", can.embeddingDimensions())
            .put("context_tokens", can.contextTokens())
        : new JsonObject()
            .put("chat", true)
            .put("context_tokens", can.contextTokens())
            .put("output_tokens", can.outputTokens())
            .put("tools", can.tools())
            .put("structured_output", can.structuredOutput())
            .put("images", can.images());
  }

  Buffer all() {
    return all;
  }

  @Nullable
  Buffer one(String id) {
    return models.get(id);
  }
}
