package dev.askgateway.provider.gemini;

import dev.askgateway.provider.Lenient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.Set;

/** Puts together what a JSON schema says in several places: by reference, and in {@code allOf}. */
record SchemaParts(JsonObject root) {
  /** A reference to a reference and so on: longer chains are circles. */
  private static final int MOST_HOPS = 8;

  /** The schema with its reference and its {@code allOf} in it; its own members win. */
  JsonObject merged(JsonObject schema) {
    JsonObject merged = schema;
    for (int hops = 0; hops < MOST_HOPS; hops++) {
      if (!merged.containsKey("$ref") && !merged.containsKey("allOf")) {
        return merged;
      }
      JsonObject whole = target(Lenient.text(merged, "$ref"));
      for (Object part : Lenient.array(merged, "allOf")) {
        whole = part instanceof JsonObject object ? joined(whole, object) : whole;
      }
      JsonObject own = new JsonObject().mergeIn(merged);
      own.remove("$ref");
      own.remove("allOf");
      merged = joined(whole, own);
    }
    return merged;
  }

  /** Both schemas at once; where they differ the second wins. */
  static JsonObject joined(JsonObject first, JsonObject second) {
    JsonObject joined = new JsonObject().mergeIn(first).mergeIn(second);
    JsonObject properties = new JsonObject()
        .mergeIn(Lenient.object(first, "properties"))
        .mergeIn(Lenient.object(second, "properties"));
    Set<Object> required = new LinkedHashSet<>();
    Lenient.array(first, "required").forEach(required::add);
    Lenient.array(second, "required").forEach(required::add);
    if (!properties.isEmpty()) {
      joined.put("properties", properties);
    }
    JsonArray names = new JsonArray();
    required.forEach(names::add);
    return names.isEmpty() ? joined : joined.put("required", names);
  }

  /** What {@code #/$defs/Name} and the like point at; nothing for addresses elsewhere. */
  private JsonObject target(String reference) {
    if (!reference.startsWith("#/")) {
      return new JsonObject();
    }
    JsonObject at = root;
    for (String step : reference.substring(2).split("/", -1)) {
      at = Lenient.object(at, step.replace("~1", "/").replace("~0", "~"));
    }
    return at;
  }
}
