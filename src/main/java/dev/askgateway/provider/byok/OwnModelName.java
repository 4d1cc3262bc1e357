package dev.askgateway.provider.byok;

import dev.askgateway.core.GatewayError;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A model of one's own by its full name: {@code own/CONNECTION/MODEL}. */
record OwnModelName(UUID connection, String model) {
  private static final String PREFIX = "own/";
  private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,119}");
  private static final Pattern FULL =
      Pattern.compile(PREFIX + "([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/(.+)");

  /** Whether the name means a model of one's own, well-formed or not. */
  static boolean isOne(String name) {
    return name.startsWith(PREFIX);
  }

  /** The name's parts. */
  static OwnModelName of(String name) {
    Matcher parts = FULL.matcher(name);
    if (!parts.matches() || !isModel(parts.group(2))) {
      throw GatewayError.notFound("model");
    }
    return new OwnModelName(UUID.fromString(parts.group(1)), parts.group(2));
  }

  /** Whether this can be a model's id. It may become part of an address: no steps upwards. */
  static boolean isModel(String id) {
    return MODEL.matcher(id).matches() && !id.contains("..") && !id.contains("//");
  }
}
