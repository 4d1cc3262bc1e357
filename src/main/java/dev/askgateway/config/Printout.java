package dev.askgateway.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All keys of a tree as YAML, with secrets as stars and the origin of what is not a default. */
final class Printout {
  private final ConfigTree tree;
  private final StringBuilder text = new StringBuilder();
  private List<String> open = List.of();

  private Printout(ConfigTree tree) {
    this.tree = tree;
  }

  static String of(ConfigTree tree) {
    Printout printout = new Printout(tree);
    // An entry that a file adds comes last in the tree; here it belongs to its section.
    Map<String, List<String>> sections = new LinkedHashMap<>();
    tree.keys().forEach(key -> sections
        .computeIfAbsent(key.split("\\.", 2)[0], section -> new ArrayList<>())
        .add(key));
    sections.values().forEach(keys -> keys.forEach(printout::line));
    return printout.text.toString();
  }

  private void line(String key) {
    List<String> path = tree.path(key);
    int last = path.size() - 1;
    for (int depth = 0; depth < last; depth++) {
      List<String> above = path.subList(0, depth + 1);
      if (open.size() <= depth + 1 || !open.subList(0, depth + 1).equals(above)) {
        text.append("  ".repeat(depth)).append(path.get(depth)).append(":\n");
      }
    }
    open = path;
    text.append("  ".repeat(last))
        .append(path.get(last))
        .append(": ")
        .append(shown(key, tree.entry(key)))
        .append(tree.isDefault(key) ? "" : "  # " + tree.entry(key).origin())
        .append('\n');
  }

  private static String shown(String key, ConfigTree.Entry entry) {
    List<String> items =
        entry.items().stream().map(item -> Redaction.shown(key, item)).toList();
    return entry.list() ? items.toString() : String.join("", items);
  }
}
