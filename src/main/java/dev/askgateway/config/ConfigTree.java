package dev.askgateway.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The values of all keys by their dotted names, in the order of {@code gateway.yaml}: defaults, laid
 * over by the file, laid over by the environment. Texts only; {@link Section} gives them types.
 */
final class ConfigTree {
  /** Names that other tools use for some of the keys. ASK_... wins over them. */
  static final Map<String, String> WELL_KNOWN = Map.ofEntries(
      Map.entry("DATABASE_URL", "database.url"),
      Map.entry("DATABASE_MIGRATION_URL", "database.migrationUrl"),
      Map.entry("REDIS_URL", "redis.url"),
      Map.entry("OPENAI_BASE_URL", "providers.openai.baseUrl"),
      Map.entry("OPENAI_API_KEY", "providers.openai.apiKey"),
      Map.entry("OPENAI_MODEL", "models.openai-default.model"),
      Map.entry("ANTHROPIC_API_KEY", "providers.anthropic.apiKey"),
      Map.entry("ANTHROPIC_MODEL", "models.anthropic-default.model"),
      Map.entry("GEMINI_API_KEY", "providers.gemini.apiKey"),
      Map.entry("GEMINI_MODEL", "models.gemini-default.model"),
      Map.entry("OTEL_EXPORTER_OTLP_ENDPOINT", "tracing.endpoint"),
      Map.entry("OTEL_EXPORTER_OTLP_PROTOCOL", "tracing.protocol"),
      Map.entry("OTEL_EXPORTER_OTLP_HEADERS", "tracing.headers"),
      Map.entry("OTEL_TRACES_SAMPLER_ARG", "tracing.sampleRatio"),
      Map.entry("OTEL_SERVICE_NAME", "tracing.serviceName"),
      Map.entry("OTEL_RESOURCE_ATTRIBUTES", "tracing.attributes"),
      Map.entry("PORT", "http.port"));

  static final String PREFIX = "ASK_";

  private static final String ENVIRONMENT = "environment ";

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

    /** Whether it was set for this gateway, not by a name that other tools use too. */
    boolean isChosen() {
      return origin.startsWith(YamlFile.ORIGIN) || origin.startsWith(ENVIRONMENT + PREFIX);
    }
  }

  private final Templates templates;
  private final Map<String, Entry> defaults = new LinkedHashMap<>();
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Map<String, Set<String>> names = new LinkedHashMap<>();
  private final Set<String> shippedSections = new HashSet<>();
  private final List<String> problems = new ArrayList<>();

  /** @param shipped what {@code gateway.yaml} says, the entries under "*" included */
  ConfigTree(Map<String, Entry> shipped) {
    templates = new Templates(shipped);
    shipped.forEach((key, entry) -> {
      if (!Templates.isTemplate(key)) {
        templates.key(key).ifPresent(this::name);
        defaults.put(key, entry);
      }
    });
    entries.putAll(defaults);
    names.forEach((kind, all) -> all.forEach(name -> shippedSections.add(kind + "." + name + ".")));
  }

  private ConfigTree(ConfigTree other) {
    templates = other.templates;
    defaults.putAll(other.defaults);
    entries.putAll(other.entries);
    names.putAll(other.names);
    shippedSections.addAll(other.shippedSections);
  }

  /** The same with those keys set otherwise, of which each is there; without its problems. */
  ConfigTree with(Map<String, String> keys) {
    ConfigTree other = new ConfigTree(this);
    keys.forEach((key, text) -> {
      Entry one = new Entry(List.of(text), false, "a version of it");
      other.entries.put(key, entry(key).list() ? split(one) : one);
    });
    return other;
  }

  /** Makes room for the entry that the key is of. */
  private void name(Templates.Key key) {
    if (names.computeIfAbsent(key.kind(), kind -> new LinkedHashSet<>()).add(key.name())) {
      defaults.putAll(templates.entry(key));
      entries.putAll(templates.entry(key));
    }
  }

  /** The environment variable of a key: http.maxBodyBytes is ASK_HTTP_MAX_BODY_BYTES. */
  static String variable(String key) {
    String snake = key.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replaceAll("[^A-Za-z0-9]", "_");
    return PREFIX + snake.toUpperCase(Locale.ROOT);
  }

  void layFile(YamlFile file) {
    problems.addAll(file.problems());
    Set<String> misnamed = new HashSet<>();
    file.entries().forEach((key, entry) -> {
      Optional<Templates.Key> named = templates.key(key);
      if (named.isPresent() && !named.get().isNamedWell()) {
        String section = named.get().kind() + "." + named.get().name();
        if (misnamed.add(section)) {
          problems.add(section + " cannot be; " + named.get().rule() + " (" + entry.origin() + ")");
        }
        return;
      }
      named.ifPresent(this::name);
      lay(key, entry);
    });
    Set<String> shared = new LinkedHashSet<>(names("profiles"));
    shared.retainAll(names("models"));
    shared.forEach(
        name -> problems.add("profiles." + name + " has the name of a model; callers name both"));
  }

  private void lay(String key, Entry entry) {
    Entry known = defaults.get(key);
    if (known == null) {
      problems.add(
          key + " is " + Redaction.STARS + "; there is no such key (" + entry.origin() + ")");
    } else if (entry.list() && !known.list()) {
      problems.add(key + " is a list; it must be one value (" + entry.origin() + ")");
    } else {
      entries.put(key, known.list() && !entry.list() ? split(entry) : entry);
    }
  }

  void layEnvironment(Map<String, String> environment) {
    WELL_KNOWN.forEach((variable, key) -> {
      String text = environment.getOrDefault(variable, "");
      if (!text.isEmpty()) { // Compose files pass on what is not set as an empty text.
        set(key, text, variable);
      }
    });
    Map<String, List<String>> keys = new LinkedHashMap<>();
    defaults.keySet().forEach(key -> keys.computeIfAbsent(variable(key), first -> new ArrayList<>())
        .add(key));
    new TreeMap<>(environment).forEach((variable, text) -> {
      List<String> meant = keys.getOrDefault(variable, List.of());
      if (meant.size() == 1) {
        set(meant.get(0), text, variable);
      } else if (variable.startsWith(PREFIX)) {
        // The value may be a secret under a misspelt name.
        problems.add(variable + " is " + Redaction.STARS + "; "
            + (meant.isEmpty()
                ? "there is no such key (environment)"
                : "it may be " + String.join(" or ", meant) + ": set it in a file (environment)"));
      }
    });
  }

  private void set(String key, String text, String variable) {
    Entry one = new Entry(List.of(text), false, ENVIRONMENT + variable);
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
    return sample(key).isPresent();
  }

  /** Lets a sample stand in for a missing value that has no default. */
  void standIn(String key) {
    sample(key)
        .ifPresent(sample ->
            entries.put(key, new Entry(List.of(sample), entry(key).list(), Samples.ORIGIN)));
  }

  private Optional<String> sample(String key) {
    return Samples.of(templates.key(key).map(Templates.Key::template).orElse(key));
  }

  boolean has(String key) {
    return defaults.containsKey(key);
  }

  Set<String> keys() {
    return defaults.keySet();
  }

  /** The names under a section whose entries have names, in their order. */
  List<String> names(String kind) {
    return List.copyOf(names.getOrDefault(kind, Set.of()));
  }

  /** Whether {@code gateway.yaml} has the entry whose keys begin so. */
  boolean isShipped(String section) {
    return shippedSections.contains(section);
  }

  /** Whether any key that begins so was set for this gateway. */
  boolean isChosen(String section) {
    return entries.entrySet().stream()
        .anyMatch(each -> each.getKey().startsWith(section) && each.getValue().isChosen());
  }

  /** The words of a key; a name is one, dots and all. */
  List<String> path(String key) {
    List<String> path = new ArrayList<>();
    Optional<Templates.Key> named = templates.key(key);
    named.ifPresent(parts -> path.addAll(List.of(parts.kind(), parts.name())));
    path.addAll(List.of(named.map(Templates.Key::leaf).orElse(key).split("\\.", -1)));
    return path;
  }

  List<String> problems() {
    return problems;
  }
}
