package dev.askgateway.provider.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a tree of the value at a parser: for what is rare, since each tree costs. */
final class Trees {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Trees() {}

  /** What makes the parsers. */
  static JsonFactory factory() {
    return MAPPER.getFactory();
  }

  /** The object that begins at the parser. */
  static JsonObject object(JsonParser at) throws IOException {
    return any(at) instanceof JsonObject object ? object : new JsonObject();
  }

  /** The value at the parser, objects and arrays as Vert.x has them. */
  static @Nullable Object any(JsonParser at) throws IOException {
    Object value = MAPPER.readValue(at, Object.class);
    if (value instanceof Map<?, ?> members) {
      JsonObject object = new JsonObject();
      members.forEach((name, member) -> object.put(String.valueOf(name), member));
      return object;
    }
    return value instanceof List<?> elements ? new JsonArray(elements) : value;
  }
}
