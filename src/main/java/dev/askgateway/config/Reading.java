package dev.askgateway.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One reading of a tree: which keys were asked for and what was wrong. Used by one thread. */
final class Reading {
  private static final Pattern BROKEN =
      Pattern.compile("(\\S+) is .*?; it must be (.*)", Pattern.DOTALL);

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

  ConfigTree tree() {
    return tree;
  }

  Set<String> asked() {
    return asked;
  }

  /**
   * Notes that a key's value breaks a rule; the first one of a key is the one to tell. The value is
   * shown as it was written, or as stars: whatever a record put into its message is not.
   */
  private void problem(String key, String rule) {
    ConfigTree.Entry entry = tree.entry(key);
    boolean missing = entry.text().isBlank();
    String value = missing ? "missing" : Redaction.shown(key, entry.text());
    String origin = missing && tree.isDefault(key)
        ? "set it in a file or as " + ConfigTree.variable(key)
        : entry.origin();
    problems.putIfAbsent(key, key + " is " + value + "; it must be " + rule + " (" + origin + ")");
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
    problem(key, rule);
    tree.reset(key::equals);
    return parse
        .apply(tree.entry(key).text())
        .orElseThrow(() -> new IllegalStateException("gateway.yaml: " + key + " is not " + rule));
  }

  /**
   * A constructor tells only the first rule that is broken. So the key it names gets its default back
   * and the record is built again, until it holds. What no default can mend (a missing address, a
   * rule between two keys of which the other one is wrong) is mended by a wider step each time.
   */
  <T> T build(Section section, Function<Section, T> build) {
    Map<String, Integer> named = new HashMap<>();
    while (true) {
      try {
        return build.apply(section);
      } catch (IllegalArgumentException broken) {
        String key = noted(broken);
        mend(key, named.merge(key, 1, Integer::sum));
      }
    }
  }

  /**
   * As {@link #build} for an entry with a name, which the rest can do without: what neither a default
   * nor a sample mends is given up.
   */
  <T> Optional<T> attempt(Section section, Function<Section, T> build) {
    Map<String, Integer> named = new HashMap<>();
    while (true) {
      try {
        return Optional.of(build.apply(section));
      } catch (IllegalArgumentException broken) {
        String key = noted(broken);
        int times = named.merge(key, 1, Integer::sum);
        if (times > 2 || (times == 2 && !tree.isBare(key))) {
          return Optional.empty();
        }
        mend(key, times);
      }
    }
  }

  /** Whether there was a problem with a key that begins so. */
  boolean isFaulty(String section) {
    return problems.keySet().stream().anyMatch(key -> key.startsWith(section));
  }

  /** Notes the problem that a record tells, and says of which key it is. */
  private String noted(IllegalArgumentException broken) {
    Matcher form = BROKEN.matcher(String.valueOf(broken.getMessage()));
    if (!form.matches() || !tree.has(form.group(1))) {
      // Not its message: nobody knows what is in it.
      throw new IllegalStateException("a rule was broken that names no key of gateway.yaml");
    }
    problem(form.group(1), form.group(2));
    return form.group(1);
  }

  private void mend(String key, int times) {
    String section = key.substring(0, key.indexOf('.') + 1);
    switch (times) {
      case 1 -> tree.reset(key::equals);
      case 2 -> tree.standIn(key);
      case 3 -> tree.reset(other -> other.startsWith(section) && !tree.isBare(other));
      case 4 -> tree.reset(other -> !tree.isBare(other));
      default ->
        throw new IllegalStateException("gateway.yaml breaks the rule of its own key " + key);
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
