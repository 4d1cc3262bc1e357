package dev.askgateway.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** One reading of a tree: which keys were asked for and what was wrong. Used by one thread. */
final class Reading {
  private final ConfigTree tree;
  private final Map<String, String> problems = new LinkedHashMap<>();
  private final Set<String> asked = new LinkedHashSet<>();

  Reading(ConfigTree tree) {
    this.tree = tree;
  }

  ConfigTree.Entry entry(String key) {
    asked.add(key);
    return tree.entry(key);
  }

  Set<String> asked() {
    return asked;
  }

  /** Notes a problem; the first one of a key is the one to tell. */
  void problem(String key, String text) {
    String origin = tree.has(key) ? " (" + tree.entry(key).origin() + ")" : "";
    problems.putIfAbsent(key, text + origin);
  }

  <T> T parsed(String key, String rule, Function<String, Optional<T>> parse) {
    ConfigTree.Entry entry = entry(key);
    try {
      Optional<T> value = parse.apply(entry.text());
      if (value.isPresent()) {
        return value.get();
      }
    } catch (ArithmeticException tooLarge) {
      // falls through: a number that does not fit is no number of this kind
    }
    problem(key, key + " is " + Redaction.shown(key, entry.text()) + "; it must be " + rule);
    tree.reset(key);
    return parse
        .apply(tree.entry(key).text())
        .orElseThrow(() -> new IllegalStateException("gateway.yaml: " + key + " is not " + rule));
  }

  /**
   * A constructor tells only the first rule that is broken. So the key it names gets its default back
   * and the record is built again, until it holds or nothing more can be found.
   */
  <T> Supplier<T> build(Section section, Function<Section, T> build) {
    Set<String> tried = new LinkedHashSet<>();
    while (true) {
      try {
        T built = build.apply(section);
        return () -> built;
      } catch (IllegalArgumentException broken) {
        String text = broken.getMessage() == null ? broken.toString() : broken.getMessage();
        String key = text.split(" ", 2)[0];
        problem(key, text);
        if (!key.startsWith(section.prefix()) || !tree.has(key) || !tried.add(key)) {
          return () -> {
            throw broken;
          };
        }
        tree.reset(key);
      }
    }
  }

  void verify() {
    List<String> all = new ArrayList<>(tree.problems());
    all.addAll(problems.values());
    if (!all.isEmpty()) {
      throw new InvalidConfig(all);
    }
  }
}
