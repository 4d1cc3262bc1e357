package dev.askgateway.intake;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.openapi.contract.MediaType;
import io.vertx.openapi.contract.OpenAPIContract;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The published contract: the document as it is served, and the rules that requests are held against.
 *
 * <p>The two differ where the validator knows less than OpenAPI does. It refuses a document with a media
 * type it cannot check (NDJSON, event streams), so request bodies of such types and all responses are
 * left out of the rules.
 *
 * @param document what {@code /openapi.yaml} answers
 * @param rules what requests are validated with
 * @param produces the media types of an operation's successes, by operation id
 */
record Contract(Buffer document, OpenAPIContract rules, Map<String, Set<String>> produces) {
  private static final String RESOURCE = "/openapi.yaml";
  private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

  /** Reads the contract from the class path, off the event loop. */
  static Future<Contract> load(Vertx vertx) {
    return vertx.executeBlocking(Contract::read).compose(document -> vertx
        .executeBlocking(() -> parse(document))
        .compose(raw -> OpenAPIContract.from(vertx, rules(raw))
            .map(rules -> new Contract(document, rules, produces(raw)))));
  }

  private static Buffer read() throws IOException {
    try (InputStream resource = Contract.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IOException(RESOURCE + " is not in the class path");
      }
      return Buffer.buffer(resource.readAllBytes());
    }
  }

  private static JsonObject parse(Buffer document) throws IOException {
    Map<String, Object> parsed = new ObjectMapper(new YAMLFactory())
        .readValue(document.getBytes(), new TypeReference<Map<String, Object>>() {});
    return new JsonObject(parsed);
  }

  private static JsonObject rules(JsonObject raw) {
    JsonObject rules = raw.copy();
    rules.remove("servers"); // a relative address, which the validator takes for a broken one
    rules.getJsonObject("components").remove("responses");
    forEachOperation(rules, operation -> {
      operation.put(
          "responses",
          new JsonObject().put("default", new JsonObject().put("description", "see the document")));
      JsonObject body = operation.getJsonObject("requestBody", new JsonObject());
      if (!body.getJsonObject("content", new JsonObject()).fieldNames().stream()
          .allMatch(MediaType::isMediaTypeSupported)) {
        operation.remove("requestBody");
      }
    });
    return rules;
  }

  private static Map<String, Set<String>> produces(JsonObject raw) {
    Map<String, Set<String>> produces = new HashMap<>();
    forEachOperation(raw, operation -> {
      Set<String> types = new HashSet<>();
      JsonObject responses = operation.getJsonObject("responses");
      responses.fieldNames().stream()
          .filter(status -> status.startsWith("2"))
          .map(status -> resolved(raw, responses.getJsonObject(status)))
          .forEach(response ->
              types.addAll(response.getJsonObject("content", new JsonObject()).fieldNames()));
      produces.put(operation.getString("operationId"), Set.copyOf(types));
    });
    return Map.copyOf(produces);
  }

  private static JsonObject resolved(JsonObject raw, JsonObject response) {
    String reference = response.getString("$ref", "");
    return reference.isEmpty()
        ? response
        : raw.getJsonObject("components")
            .getJsonObject("responses")
            .getJsonObject(reference.substring(reference.lastIndexOf('/') + 1));
  }

  private static void forEachOperation(
      JsonObject contract, java.util.function.Consumer<JsonObject> each) {
    JsonObject paths = contract.getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      JsonObject item = paths.getJsonObject(path);
      item.fieldNames().stream()
          .filter(METHODS::contains)
          .forEach(method -> each.accept(item.getJsonObject(method)));
    }
  }
}
