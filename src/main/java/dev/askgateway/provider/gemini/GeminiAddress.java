package dev.askgateway.provider.gemini;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** How a model is named in addresses and bodies. */
final class GeminiAddress {
  private GeminiAddress() {}

  /** The resource: {@code models/ID}, unless the id already says what it is ("tunedModels/x"). */
  static String resource(String model) {
    return model.indexOf('/') < 0 ? "models/" + model : model;
  }

  /** The path of an operation on a model; nothing in the model's id can leave the path. */
  static String path(String model, String operation) {
    return Arrays.stream(resource(model).split("/", -1))
            .map(segment -> URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"))
            .collect(Collectors.joining("/", "/", ":"))
        + operation;
  }
}
