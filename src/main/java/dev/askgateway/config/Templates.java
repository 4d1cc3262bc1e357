package dev.askgateway.config;

import dev.askgateway.provider.byok.OwnModels;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The sections whose entries have names, {@code providers}, {@code models} and {@code profiles}: any
 * name may be added there, and what its entry leaves out is as {@code gateway.yaml} has it under "*".
 */
final class Templates {
  /** What a name of an entry looks like. */
  private static final String NAMES =
      "a name must be letters, digits, dots, dashes and underscores, at most 60";

  /** Bills tell people's own providers from managed ones by the name. */
  private static final String NOT_OWN = "names with byok- are those of people's own providers";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,59}");
  private static final String ANY = ".*.";

  /**
   * A key of an entry, taken apart: {@code models.gpt-4.1.price.input} is {@code price.input} of
   * {@code gpt-4.1}. Dots in a name are no trouble: no key of an entry is the end of another.
   */
  record Key(String kind, String name, String leaf) {
    boolean isNamedWell() {
      return NAME.matcher(name).matches() && !isTaken();
    }

    private boolean isTaken() {
      return kind.equals("providers") && OwnModels.isOwn(name);
    }

    /** What a name has to be, and this one is not. */
    String rule() {
      return isTaken() ? NOT_OWN : NAMES;
    }

    /** What all keys of the entry begin with. */
    String section() {
      return kind + "." + name + ".";
    }

    /** The key that stands for this one of every name. */
    String template() {
      return kind + ANY + leaf;
    }
  }

  /** By kind, the keys of an entry with their defaults. */
  private final Map<String, Map<String, ConfigTree.Entry>> kinds = new LinkedHashMap<>();

  Templates(Map<String, ConfigTree.Entry> shipped) {
    shipped.forEach((key, entry) -> {
      if (isTemplate(key)) {
        int at = key.indexOf(ANY);
        kinds
            .computeIfAbsent(key.substring(0, at), kind -> new LinkedHashMap<>())
            .put(key.substring(at + ANY.length()), entry);
      }
    });
  }

  static boolean isTemplate(String key) {
    return key.contains(ANY);
  }

  /** The key taken apart, if it is one of an entry; its name may be no good one. */
  Optional<Key> key(String key) {
    int dot = key.indexOf('.');
    Map<String, ConfigTree.Entry> leaves =
        dot < 0 ? Map.of() : kinds.getOrDefault(key.substring(0, dot), Map.of());
    for (String leaf : leaves.keySet()) {
      int end = key.length() - leaf.length() - 1;
      if (end > dot && key.endsWith("." + leaf)) {
        return Optional.of(new Key(key.substring(0, dot), key.substring(dot + 1, end), leaf));
      }
    }
    return Optional.empty();
  }

  /** All keys of the entry that this key is of, with their defaults. */
  Map<String, ConfigTree.Entry> entry(Key key) {
    Map<String, ConfigTree.Entry> entry = new LinkedHashMap<>();
    kinds
        .getOrDefault(key.kind(), Map.of())
        .forEach((leaf, standard) -> entry.put(key.section() + leaf, standard));
    return entry;
  }
}
