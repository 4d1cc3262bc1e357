package dev.askgateway.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A YAML file flattened to dotted keys. Values stay the text that was written: nothing is guessed to
 * be a number, so that a secret of digits keeps its leading zeros.
 */
record YamlFile(Map<String, ConfigTree.Entry> entries, List<String> problems) {
  /** What the origin of a value from a file begins with. */
  static final String ORIGIN = "file ";

  // Deeper than any key; also what ends a file whose aliases point at themselves.
  private static final int MAX_DEPTH = 4;

  static YamlFile read(Path path) {
    try {
      return parse(Files.readString(path), ORIGIN + path);
    } catch (IOException unreadable) {
      return new YamlFile(
          Map.of(), List.of("the configuration file " + path + " cannot be read as UTF-8 text"));
    }
  }

  static YamlFile parse(String text, String name) {
    YamlFile file = new YamlFile(new LinkedHashMap<>(), new ArrayList<>());
    try {
      Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
      if (root instanceof MappingNode map) {
        file.flatten("", map, name, 1);
      } else if (root != null) {
        file.problems.add("the configuration (" + name + ") must be sections with keys");
      }
    } catch (MarkedYAMLException broken) {
      // Its message quotes the line, which may hold a secret.
      int line = broken.getProblemMark() == null ? 1 : broken.getProblemMark().getLine() + 1;
      file.problems.add("the configuration is not YAML (" + name + " line " + line + ")");
    } catch (YAMLException broken) {
      file.problems.add("the configuration is not YAML (" + name + ")");
    }
    return file;
  }

  private void flatten(String prefix, MappingNode map, String name, int depth) {
    for (NodeTuple each : map.getValue()) {
      String origin = name + " line " + (each.getKeyNode().getStartMark().getLine() + 1);
      if (!(each.getKeyNode() instanceof ScalarNode named) || depth > MAX_DEPTH) {
        problems.add("a name must be a plain word (" + origin + ")");
        continue;
      }
      String key = prefix + named.getValue();
      if (each.getValueNode() instanceof MappingNode section
          && !section.getValue().isEmpty()) {
        flatten(key + ".", section, name, depth + 1);
      } else {
        put(key, each.getValueNode(), origin);
      }
    }
  }

  private void put(String key, Node value, String origin) {
    List<String> items = new ArrayList<>();
    boolean plain = true;
    if (value instanceof SequenceNode list) {
      for (Node item : list.getValue()) {
        plain &= item instanceof ScalarNode;
        items.add(item instanceof ScalarNode scalar ? scalar.getValue() : "");
      }
    } else if (value instanceof ScalarNode scalar) {
      items.add(scalar.getValue());
    } else {
      plain = false;
    }
    boolean written =
        value instanceof SequenceNode || !value.getTag().getValue().endsWith(":null");
    if (!plain || !written) {
      problems.add(key + " has no plain value; leave the key out or set it (" + origin + ")");
    } else if (entries.containsKey(key)) {
      problems.add(key + " is set twice (" + origin + ")");
    } else {
      entries.put(key, new ConfigTree.Entry(items, value instanceof SequenceNode, origin));
    }
  }
}
