package dev.askgateway.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The values of all keys by their dotted names, in the order of {@code gateway.yaml}: defaults, laid
 * over by the file, laid over by the environment. Texts only; {@link Section} gives them types.
 */
final class ConfigTree {
  /** Names that other tools use for some of the keys. ASK_... wins over them. */
  static final Map<String, String> WELL_KNOWN = Map.of(
      "DATABASE_URL", "database.url",
      "DATABASE_MIGRATION_URL", "database.migrationUrl",
      "REDIS_URL", "redis.url",
      "OPENAI_BASE_URL", "openai.baseUrl",
      "OPENAI_API_KEY", "openai.apiKey",
      "OPENAI_MODEL", "openai.model",
      "PORT", "http.port");

  static final String PREFIX = "ASK_";

  private static final String SAMPLE = "sample";

  /** Valid values of the keys that have no default. None of them is ever handed out. */
  private static final Map<String, String> SAMPLES = Map.of(
      "auth.secret", "*".repeat(32),
      "auth.issuer", SAMPLE,
      "auth.audience", SAMPLE,
      "database.url", "postgresql://user:password@localhost/ask",
      "redis.url", "redis://localhost:6379",
      "openai.apiKey", SAMPLE,
      "openai.model", SAMPLE);

  /**
   * What a key is set to.
   *
   * @param items one text, or those of a list
   * @param origin where it was set, for people
   */
  record Entry(List<String> items, boolean list, String origin) {
    String text() {
      return String.join(",", items);
    }
  }

  private final Map<String, Entry> defaults;
  private final Map<String, Entry> entries;
  private final List<String> problems = new ArrayList<>();

  ConfigTree(Map<String, Entry> defaults) {
    this.defaults = Collections.unmodifiableMap(defaults);
    this.entries = new LinkedHashMap<>(defaults);
  }

  /** The environment variable of a key: http.maxBodyBytes is ASK_HTTP_MAX_BODY_BYTES. */
  static String variable(String key) {
    String snake = key.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replace('.', '_');
    return PREFIX + snake.toUpperCase(Locale.ROOT);
  }

  void layFile(YamlFile file) {
    problems.addAll(file.problems());
    file.entries().forEach((key, entry) -> {
      Entry known = defaults.get(key);
      if (known == null) {
        problems.add(
            key + " is " + Redaction.STARS + "; there is no such key (" + entry.origin() + ")");
      } else if (entry.list() && !known.list()) {
        problems.add(key + " is a list; it must be one value (" + entry.origin() + ")");
      } else {
        entries.put(key, known.list() && !entry.list() ? split(entry) : entry);
      }
    });
  }

  void layEnvironment(Map<String, String> environment) {
    WELL_KNOWN.forEach((variable, key) -> {
      String text = environment.getOrDefault(variable, "");
      if (!text.isEmpty()) { // Compose files pass on what is not set as an empty text.
        set(key, text, variable);
      }
    });
    Map<String, String> keys = new LinkedHashMap<>();
    defaults.keySet().forEach(key -> keys.put(variable(key), key));
    new TreeMap<>(environment).forEach((variable, text) -> {
      String key = keys.get(variable);
      if (key != null) {
        set(key, text, variable);
      } else if (variable.startsWith(PREFIX)) {
        // The value may be a secret under a misspelt name.
        problems.add(variable + " is " + Redaction.STARS + "; there is no such key (environment)");
      }
    });
  }

  private void set(String key, String text, String variable) {
    Entry one = new Entry(List.of(text), false, "environment " + variable);
    entries.put(key, entry(key).list() ? split(one) : one);
  }

  private static Entry split(Entry entry) {
    List<String> items = new ArrayList<>();
    for (String item : entry.text().split(",", -1)) {
      if (!item.isBlank()) {
        items.add(item.strip());
      }
    }
    return new Entry(items, true, entry.origin());
  }

  Entry entry(String key) {
    Entry entry = entries.get(key);
    if (entry == null) {
      throw new IllegalStateException("gateway.yaml has no default for " + key);
    }
    return entry;
  }

  boolean isDefault(String key) {
    return entry(key).equals(defaults.get(key));
  }

  /** Puts the defaults back, so that the rest can be checked although these keys are wrong. */
  void reset(Predicate<String> keys) {
    entries.replaceAll((key, entry) -> {
      Entry standard = defaults.get(key);
      return standard != null && keys.test(key) ? standard : entry;
    });
  }

  /** Whether the key has no default that could be used. */
  boolean isBare(String key) {
    return SAMPLES.containsKey(key);
  }

  /** Lets a sample stand in for a missing value that has no default. */
  void standIn(String key) {
    String sample = SAMPLES.get(key);
    if (sample != null) {
      entries.put(key, new Entry(List.of(sample), false, SAMPLE));
    }
  }

  boolean has(String key) {
    return defaults.containsKey(key);
  }

  Set<String> keys() {
    return defaults.keySet();
  }

  List<String> problems() {
    return problems;
  }

  /** All keys as YAML with secrets as stars and the origin of what is not a default. */
  String print() {
    StringBuilder text = new StringBuilder();
    String[] open = {};
    for (Map.Entry<String, Entry> each : entries.entrySet()) {
      String[] path = each.getKey().split("\\.", -1);
      for (int depth = 0; depth < path.length - 1; depth++) {
        if (depth >= open.length - 1 || !path[depth].equals(open[depth])) {
          text.append("  ".repeat(depth)).append(path[depth]).append(":\n");
        }
      }
      open = path;
      text.append("  ".repeat(path.length - 1))
          .append(path[path.length - 1])
          .append(": ")
          .append(shown(each.getKey(), each.getValue()))
          .append(
              each.getValue().equals(defaults.get(each.getKey()))
                  ? ""
                  : "  # " + each.getValue().origin())
          .append('\n');
    }
    return text.toString();
  }

  private static String shown(String key, Entry entry) {
    List<String> items =
        entry.items().stream().map(item -> Redaction.shown(key, item)).toList();
    return entry.list() ? items.toString() : String.join("", items);
  }
}
