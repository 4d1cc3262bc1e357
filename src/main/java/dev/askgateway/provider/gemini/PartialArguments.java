package dev.askgateway.provider.gemini;

import dev.askgateway.provider.Lenient;
import dev.askgateway.provider.ProviderFailure;
import dev.askgateway.provider.ProviderFailure.Kind;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the arguments of a streamed call together from pieces like {@code {"jsonPath":
 * "$.rooms[0].name", "stringValue": "ki", "willContinue": true}}. Text for a place that has text is
 * added to it. Bounded, as the paths are upstream's.
 */
final class PartialArguments {
  private static final int MOST_CHARS = 256 << 10;
  private static final int MOST_STEPS = 32;
  private static final int MOST_PATH_CHARS = 512;
  private static final int MOST_ENTRIES = 10_000;

  private static final Pattern STEP = Pattern.compile("\\.([^.\\[\\]]+)"
      + "|\\[(\\d{1,6})]"
      + "|\\['((?:[^'\\\\]|\\\\.)*)']"
      + "|\\[\"((?:[^\"\\\\]|\\\\.)*)\"]");

  private final Map<Object, Object> root = new LinkedHashMap<>();
  private int chars;
  private int entries;

  void addAll(JsonArray pieces) {
    for (Object piece : pieces) {
      if (piece instanceof JsonObject object) {
        add(path(Lenient.text(object, "jsonPath")), object);
      }
    }
  }

  /** The arguments as far as they came. */
  String json() {
    return object(root).encode();
  }

  private void add(List<Object> path, JsonObject piece) {
    Map<Object, Object> place = root;
    for (Object step : path.subList(0, path.size() - 1)) {
      Object next = place.get(step);
      if (!(next instanceof Map)) {
        next = new LinkedHashMap<>();
        put(place, step, next);
      }
      place = cast(next);
    }
    Object last = path.get(path.size() - 1);
    String text = piece.getValue("stringValue") instanceof String value ? value : null;
    if (text == null) {
      put(place, last, value(piece));
      return;
    }
    chars += text.length();
    bound(chars <= MOST_CHARS);
    if (place.get(last) instanceof Words before) {
      before.text().append(text);
    } else {
      put(place, last, new Words(new StringBuilder(text)));
    }
  }

  private void put(Map<Object, Object> place, Object step, Object value) {
    entries++;
    bound(entries <= MOST_ENTRIES);
    place.put(step, value);
  }

  private static Object value(JsonObject piece) {
    Object plain = piece.containsKey("numberValue")
        ? piece.getValue("numberValue")
        : piece.getValue("boolValue");
    return plain instanceof Number || plain instanceof Boolean ? plain : Null.NULL;
  }

  /** Text that may be added to. */
  private record Words(StringBuilder text) {}

  /** A place that holds null, told apart from a place that holds nothing. */
  private enum Null {
    NULL
  }

  /** The names and places of a path: strings for members, numbers for entries of lists. */
  private static List<Object> path(String text) {
    bound(text.length() <= MOST_PATH_CHARS);
    List<Object> steps = new ArrayList<>();
    Matcher step = STEP.matcher(text);
    int at = text.startsWith("$") ? 1 : 0;
    while (at < text.length() && step.region(at, text.length()).lookingAt()) {
      steps.add(step(step));
      at = step.end();
    }
    if (at < text.length() || steps.isEmpty() || steps.size() > MOST_STEPS) {
      throw ProviderFailure.error(Kind.PROTOCOL, "a path of partial arguments");
    }
    return steps;
  }

  private static Object step(Matcher step) {
    if (step.group(2) != null) {
      return Integer.valueOf(step.group(2));
    }
    String name = step.group(1);
    String quoted = step.group(3) == null ? step.group(4) : step.group(3);
    return name != null ? name : String.valueOf(quoted).replaceAll("\\\\(.)", "$1");
  }

  private static JsonObject object(Map<Object, Object> members) {
    JsonObject object = new JsonObject();
    members.forEach((key, value) -> object.put(key.toString(), plain(value)));
    return object;
  }

  private static @Nullable Object plain(Object value) {
    if (value instanceof Map) {
      Map<Object, Object> members = cast(value);
      boolean list = members.keySet().stream().allMatch(Integer.class::isInstance);
      return list ? array(members) : object(members);
    }
    if (value instanceof Words words) {
      return words.text().toString();
    }
    return value == Null.NULL ? null : value;
  }

  /** A list in the order of its places; one that was left out leaves no gap. */
  private static JsonArray array(Map<Object, Object> entries) {
    JsonArray array = new JsonArray();
    entries.keySet().stream()
        .map(Integer.class::cast)
        .sorted()
        .forEach(place -> array.add(plain(Objects.requireNonNull(entries.get(place)))));
    return array;
  }

  @SuppressWarnings("unchecked")
  private static Map<Object, Object> cast(Object map) {
    return (Map<Object, Object>) map;
  }

  private static void bound(boolean kept) {
    if (!kept) {
      throw ProviderFailure.error(Kind.PROTOCOL, "partial arguments over their bounds");
    }
  }
}
