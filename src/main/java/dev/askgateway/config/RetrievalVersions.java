package dev.askgateway.config;

import dev.askgateway.core.Rule;
import dev.askgateway.retrieval.RetrievalConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Versions of retrieval that can be rolled out: the section {@code retrieval} with some of its keys set
 * otherwise, each held against the same rules.
 */
final class RetrievalVersions {
  private static final String KEY = "retrieval.versions";
  private static final String NAME = "[a-z0-9][a-z0-9._-]{0,39}";

  /** What is one for all searches of a node, and what is no constant of retrieval. */
  private static final Set<String> FIXED = Set.of("exactBelow", "versions");

  private RetrievalVersions() {}

  static Map<String, RetrievalConfig> read(Section root) {
    Map<String, RetrievalConfig> versions = new LinkedHashMap<>();
    root.section("retrieval").texts("versions").forEach((name, overrides) -> {
      require(name.matches(NAME), name, "names of small letters, digits and . _ -, at most 40");
      versions.put(name, version(root, name, overrides));
    });
    return Map.copyOf(versions);
  }

  private static RetrievalConfig version(Section root, String name, String overrides) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String one : overrides.split(";", -1)) {
      int colon = one.indexOf(':');
      require(colon > 0, name, "name=key:value;key:value");
      String key = one.substring(0, colon).strip();
      require(
          !FIXED.contains(key) && !key.contains(".") && root.has("retrieval." + key),
          name,
          "name=key:value with keys of retrieval; " + key + " is none that a version may set");
      keys.put("retrieval." + key, one.substring(colon + 1).strip());
    }
    try {
      return root.with(keys).verified(Sections::retrieval);
    } catch (InvalidConfig wrong) {
      require(
          false,
          name,
          "name=key:value with values that may be; " + wrong.problems().get(0));
      throw wrong;
    }
  }

  private static void require(boolean holds, String name, String rule) {
    Rule.require(holds, KEY, name, rule);
  }
}
