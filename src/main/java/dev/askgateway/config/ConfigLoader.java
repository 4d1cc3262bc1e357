package dev.askgateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the configuration: {@code gateway.yaml}, then the file, then the environment. */
public final class ConfigLoader {
  /** The variable that names the file when no {@code --config} does. */
  public static final String FILE_VARIABLE = "GATEWAY_CONFIG";

  private ConfigLoader() {}

  /**
   * The whole configuration.
   *
   * @param file laid over the defaults; null: the one that GATEWAY_CONFIG names, if it does
   * @throws InvalidConfig with every problem there is
   */
  public static GatewayConfig load(@Nullable Path file, Map<String, String> environment) {
    return load(file, environment, GatewayConfig::from);
  }

  /**
   * The part of the configuration that {@code build} asks for. Only its values are checked, and for
   * the rest only that there are no unknown keys.
   *
   * @throws InvalidConfig with every problem there is
   */
  public static <T> T load(
      @Nullable Path file, Map<String, String> environment, Function<Section, T> build) {
    return build.apply(new Section(new Reading(tree(file, environment)), ""));
  }

  /** All keys with their effective values as YAML, secrets as stars. Nothing is checked. */
  public static String print(@Nullable Path file, Map<String, String> environment) {
    return Printout.of(tree(file, environment));
  }

  static ConfigTree tree(@Nullable Path file, Map<String, String> environment) {
    ConfigTree tree = new ConfigTree(defaults());
    String named = environment.getOrDefault(FILE_VARIABLE, "");
    if (file != null) {
      tree.layFile(YamlFile.read(file));
    } else if (!named.isEmpty()) {
      tree.layFile(YamlFile.read(Path.of(named)));
    }
    tree.layEnvironment(environment);
    return tree;
  }

  /** What {@code gateway.yaml} says, the entries under "*" included. */
  static Map<String, ConfigTree.Entry> defaults() {
    YamlFile shipped = YamlFile.parse(defaultText(), "default");
    if (!shipped.problems().isEmpty()) {
      throw new IllegalStateException(shipped.problems().toString());
    }
    Map<String, ConfigTree.Entry> defaults = new LinkedHashMap<>();
    shipped
        .entries()
        .forEach((key, entry) ->
            defaults.put(key, new ConfigTree.Entry(entry.items(), entry.list(), "default")));
    return defaults;
  }

  /** The text of {@code gateway.yaml}, with its comments. */
  public static String defaultText() {
    try (InputStream yaml = ConfigLoader.class.getResourceAsStream("/gateway.yaml")) {
      if (yaml == null) {
        throw new IllegalStateException("gateway.yaml is not in the jar");
      }
      return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
