package dev.askgateway.intake.edge;

import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.relay.edge.EmbeddingList;
import dev.askgateway.relay.edge.Unsupported;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Reads a request for embeddings as OpenAI defines it. */
final class EmbeddingReader {
  private static final int MOST_TEXTS = 2048;

  private EmbeddingReader() {}

  /** Embeddings that were asked for. */
  record Asked(String model, EmbeddingModel.Request request, EmbeddingList.Encoding encoding) {}

  /**
   * Reads a request.
   *
   * @throws dev.askgateway.core.GatewayError invalid_request with the member's path
   * @throws Unsupported for lists of tokens
   */
  static Asked read(JsonObject json) {
    Fields body = Fields.of(json);
    EmbeddingList.Encoding encoding =
        switch (body.textOr("encoding_format", "float")) {
          case "float" -> EmbeddingList.Encoding.FLOAT;
          case "base64" -> EmbeddingList.Encoding.BASE64;
          default -> throw body.bad("encoding_format", "float or base64");
        };
    return new Asked(
        body.required("model"),
        new EmbeddingModel.Request(
            texts(body), EmbeddingModel.Purpose.DOCUMENT, body.count("dimensions")),
        encoding);
  }

  private static List<String> texts(Fields body) {
    Object input = body.value("input");
    if (input instanceof String text && !text.isEmpty()) {
      return List.of(text);
    }
    if (!(input instanceof JsonArray list) || list.isEmpty() || list.size() > MOST_TEXTS) {
      throw body.bad("input", "a text or a list of 1 to " + MOST_TEXTS + " texts, none empty");
    }
    List<String> texts = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      Object one = list.getValue(i);
      if (one instanceof Number || one instanceof JsonArray) {
        throw new Unsupported("input", "Lists of tokens are not supported: send text.");
      }
      if (!(one instanceof String text) || text.isEmpty()) {
        throw Fields.wrong("input." + i, "a text that is not empty");
      }
      texts.add(text);
    }
    return texts;
  }
}
