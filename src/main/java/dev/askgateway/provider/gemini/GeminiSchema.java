package dev.askgateway.provider.gemini;

import dev.askgateway.provider.Lenient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Writes a JSON schema in the part of OpenAPI's that Gemini takes. One member it does not know makes it
 * refuse the whole request, so only known ones are let through; a rule that has no counterpart is left
 * out. What may be anything at all becomes text, as a type has to be named.
 */
final class GeminiSchema {
  private static final Set<String> TYPES =
      Set.of("string", "number", "integer", "boolean", "array", "object");

  /** Members that mean the same in both. */
  private static final List<String> SAME = List.of(
      "title",
      "description",
      "minItems",
      "maxItems",
      "minProperties",
      "maxProperties",
      "minLength",
      "maxLength",
      "pattern",
      "minimum",
      "maximum");

  private static final Set<String> FORMATS =
      Set.of("float", "double", "int32", "int64", "enum", "date-time");

  /** Bounds of what references may unfold to: a schema may refer to itself. */
  private static final int MOST_DEPTH = 24;

  private static final int MOST_SCHEMAS = 2_000;

  private final SchemaParts parts;
  private int schemas;

  private GeminiSchema(JsonObject root) {
    this.parts = new SchemaParts(root);
  }

  static JsonObject of(JsonObject schema) {
    return new GeminiSchema(schema).write(schema, 0);
  }

  private JsonObject write(JsonObject from, int depth) {
    schemas++;
    if (depth > MOST_DEPTH || schemas > MOST_SCHEMAS) {
      return new JsonObject().put("type", "object");
    }
    JsonObject schema = parts.merged(from);
    List<JsonObject> options = options(schema);
    return switch (options.size()) {
      case 0 -> one(schema, depth);
      case 1 -> write(SchemaParts.joined(without(schema), options.get(0)), depth + 1);
      default -> anyOf(schema, options, depth);
    };
  }

  /** Schemas of which one has to hold: {@code anyOf}, {@code oneOf}, or several types. */
  private static List<JsonObject> options(JsonObject schema) {
    List<JsonObject> options = new ArrayList<>();
    if (schema.containsKey("properties")) {
      return options; // only rules about which members go together: they cannot be said
    }
    for (String key : List.of("anyOf", "oneOf")) {
      for (Object option : Lenient.array(schema, key)) {
        if (option instanceof JsonObject object && !"null".equals(object.getValue("type"))) {
          options.add(object);
        }
      }
    }
    JsonArray types = Lenient.array(schema, "type");
    if (options.isEmpty() && !types.isEmpty()) {
      types.stream()
          .filter(TYPES::contains)
          .forEach(type -> options.add(without(schema).put("type", type)));
    }
    return options;
  }

  /** The schema without what its options came from; that null is one of them is kept. */
  private static JsonObject without(JsonObject schema) {
    JsonObject rest = new JsonObject().mergeIn(schema);
    List.of("anyOf", "oneOf").forEach(rest::remove);
    if (rest.getValue("type") instanceof JsonArray) {
      rest.remove("type");
    }
    return nullable(schema) ? rest.put("nullable", true) : rest;
  }

  private static boolean nullable(JsonObject schema) {
    boolean option = Lenient.array(schema, "anyOf").stream().anyMatch(GeminiSchema::isNull)
        || Lenient.array(schema, "oneOf").stream().anyMatch(GeminiSchema::isNull);
    return option
        || Boolean.TRUE.equals(schema.getValue("nullable"))
        || Lenient.array(schema, "type").contains("null")
        || Lenient.array(schema, "enum").stream().anyMatch(Objects::isNull);
  }

  private static boolean isNull(Object option) {
    return option instanceof JsonObject object && "null".equals(object.getValue("type"));
  }

  /** Beside {@code anyOf} nothing else may stand, so what is said of all is said of each. */
  private JsonObject anyOf(JsonObject schema, List<JsonObject> options, int depth) {
    JsonArray written = new JsonArray();
    for (JsonObject option : options) {
      JsonObject one = write(option, depth + 1);
      boolean leaf = !one.containsKey("anyOf");
      String description = Lenient.text(schema, "description");
      if (leaf && !description.isEmpty() && !one.containsKey("description")) {
        one.put("description", description);
      }
      written.add(leaf && nullable(schema) ? one.put("nullable", true) : one);
    }
    return new JsonObject().put("anyOf", written);
  }

  private JsonObject one(JsonObject schema, int depth) {
    JsonObject written = new JsonObject().put("type", type(schema));
    for (String member : SAME) {
      if (schema.getValue(member) != null) {
        written.put(member, schema.getValue(member));
      }
    }
    if (FORMATS.contains(Lenient.text(schema, "format"))) {
      written.put("format", schema.getValue("format"));
    }
    if (nullable(schema)) {
      written.put("nullable", true);
    }
    JsonArray values = texts(schema);
    if (!values.isEmpty()) {
      written.put("enum", values);
    }
    if ("array".equals(written.getValue("type"))) {
      written.put("items", write(Lenient.object(schema, "items"), depth + 1));
    }
    properties(schema, written, depth);
    return written;
  }

  private static String type(JsonObject schema) {
    String type = Lenient.text(schema, "type");
    if (TYPES.contains(type)) {
      return type;
    }
    if (schema.containsKey("properties")) {
      return "object";
    }
    return schema.containsKey("items") ? "array" : "string";
  }

  /** The values of {@code enum} and {@code const} if they are texts: others are refused. */
  private static JsonArray texts(JsonObject schema) {
    JsonArray values = schema.getValue("const") instanceof String only
        ? new JsonArray().add(only)
        : Lenient.array(schema, "enum");
    JsonArray texts = new JsonArray();
    values.stream().filter(Objects::nonNull).forEach(texts::add);
    boolean all = texts.stream().allMatch(String.class::isInstance);
    return all && type(schema).equals("string") ? texts : new JsonArray();
  }

  private void properties(JsonObject schema, JsonObject written, int depth) {
    JsonObject members = new JsonObject();
    Lenient.object(schema, "properties").forEach(member -> {
      if (member.getValue() instanceof JsonObject property) {
        members.put(member.getKey(), write(property, depth + 1));
      } else if (Boolean.TRUE.equals(member.getValue())) {
        members.put(member.getKey(), write(new JsonObject(), depth + 1));
      }
    });
    JsonArray required = new JsonArray();
    Lenient.array(schema, "required").stream()
        .filter(name -> name instanceof String text && members.containsKey(text))
        .forEach(required::add);
    if (!members.isEmpty() && "object".equals(written.getValue("type"))) {
      written.put("properties", members);
      if (!required.isEmpty()) {
        written.put("required", required);
      }
    }
  }
}
