package dev.askgateway.config;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.PriceBook.Price;
import dev.askgateway.budget.PriceContent;
import dev.askgateway.budget.PriceText;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A price book written as YAML: {@code id}, {@code validFrom}, {@code models}. Stricter than the
 * configuration, because it is money and stays: a price is a text in quotes, so that no tool between
 * made a binary fraction of it, and nothing may be said twice.
 *
 * <p>What is wrong is an {@link IllegalArgumentException} that names the key.
 */
public final class PriceFile {
  private static final Set<String> KEYS = Set.of("id", "validFrom", "models");

  private final String name;

  private PriceFile(String name) {
    this.name = name;
  }

  public static PriceBook read(Path path) {
    try {
      return parse(Files.readString(path), String.valueOf(path.getFileName()));
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("the file " + path + " cannot be read as UTF-8 text");
    }
  }

  static PriceBook parse(String text, String name) {
    Node root;
    try {
      root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
    } catch (YAMLException broken) {
      throw new IllegalArgumentException("the price book is not YAML (" + name + ")");
    }
    if (root == null) {
      throw new IllegalArgumentException("the price book is empty (" + name + ")");
    }
    return new PriceFile(name).book(root);
  }

  private PriceBook book(Node root) {
    Map<String, Node> keys = entries("", root);
    keys.forEach(
        (key, value) -> require(KEYS.contains(key), value, key, "id, validFrom or models"));
    String id = text("id", needed(keys, "id"), "a text");
    LocalDate validFrom = date("validFrom", needed(keys, "validFrom"));
    Map<String, Price> models = new LinkedHashMap<>();
    entries("models", needed(keys, "models"))
        .forEach((model, prices) -> models.put(model, price("models." + model, prices)));
    return new PriceBook(id, validFrom, models);
  }

  private Node needed(Map<String, Node> keys, String key) {
    Node node = keys.get(key);
    if (node == null) {
      throw new IllegalArgumentException(key + " is missing (" + name + ")");
    }
    return node;
  }

  private Price price(String key, Node prices) {
    Map<String, Long> rates = new LinkedHashMap<>();
    entries(key, prices).forEach((bucket, value) -> {
      String full = key + "." + bucket;
      require(
          PriceContent.BUCKETS.contains(bucket),
          value,
          full,
          "one of " + String.join(", ", PriceContent.BUCKETS.stream().sorted().toList()));
      String text = text(full, value, PriceText.RULE);
      rates.put(bucket, PriceText.parse(text).orElseThrow(() -> bad(full, value, PriceText.RULE)));
    });
    return PriceContent.price(key, rates);
  }

  /** The entries of a section, each key once. */
  private Map<String, Node> entries(String key, Node node) {
    String prefix = key.isEmpty() ? "" : key + ".";
    if (!(node instanceof MappingNode section)) {
      throw bad(key.isEmpty() ? "the price book" : key, node, "a section with keys");
    }
    Map<String, Node> entries = new LinkedHashMap<>();
    for (NodeTuple each : section.getValue()) {
      if (!(each.getKeyNode() instanceof ScalarNode named)) {
        throw bad(prefix + "?", each.getKeyNode(), "a plain name");
      }
      Node before = entries.put(named.getValue(), each.getValueNode());
      if (before != null) {
        throw new IllegalArgumentException(
            prefix + named.getValue() + " is there twice" + at(each.getKeyNode()));
      }
    }
    return entries;
  }

  private String text(String key, Node node, String rule) {
    if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.STR)) {
      return scalar.getValue();
    }
    throw bad(key, node, rule);
  }

  private LocalDate date(String key, Node node) {
    try {
      return LocalDate.parse(node instanceof ScalarNode scalar ? scalar.getValue() : "");
    } catch (DateTimeParseException noDate) {
      throw bad(key, node, "a day such as 2026-12-01");
    }
  }

  private void require(boolean holds, Node node, String key, String rule) {
    if (!holds) {
      throw bad(key, node, rule);
    }
  }

  private IllegalArgumentException bad(String key, Node node, String rule) {
    String value = node instanceof ScalarNode scalar ? "\"" + scalar.getValue() + "\"" : "wrong";
    return new IllegalArgumentException(key + " is " + value + "; it must be " + rule + at(node));
  }

  private String at(Node node) {
    return " (" + name + " line " + (node.getStartMark().getLine() + 1) + ")";
  }
}
