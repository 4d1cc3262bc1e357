package dev.askgateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("gateway.yaml")
class ConfigDocsTest {
  private static final Path DOCS = Path.of("docs/configuration.md");
  private static final ConfigTree.Entry NOTHING = new ConfigTree.Entry(List.of(), false, "nowhere");
  private static final String HEAD =
      "| key | environment | default | meaning |\n|---|---|---|---|\n";

  @Test
  @DisplayName("names exactly the keys that the records read")
  void keysAreRead() {
    ConfigTree tree = ConfigLoader.tree(null, ConfigLoaderTest.environment());
    Reading reading = new Reading(tree);
    GatewayConfig.from(new Section(reading, ""));
    assertThat(reading.asked()).containsExactlyInAnyOrderElementsOf(tree.keys());
  }

  @Test
  @DisplayName("gives each key an environment variable of its own")
  void variablesDiffer() {
    var keys = ConfigLoader.tree(null, Map.of()).keys();
    assertThat(keys.stream().map(ConfigTree::variable)).doesNotHaveDuplicates();
    assertThat(keys).containsAll(ConfigTree.WELL_KNOWN.values());
    assertThat(ConfigTree.variable("http.maxBodyBytes")).isEqualTo("ASK_HTTP_MAX_BODY_BYTES");
    assertThat(ConfigTree.variable("retrieval.rrfK")).isEqualTo("ASK_RETRIEVAL_RRF_K");
    assertThat(ConfigTree.variable("models.e5-384.price.cacheRead"))
        .isEqualTo("ASK_MODELS_E5_384_PRICE_CACHE_READ");
  }

  @Test
  @DisplayName("says of each key what it means")
  void everyKeyHasAComment() {
    Map<String, String> meanings = meanings();
    assertThat(meanings.keySet()).isEqualTo(ConfigLoader.defaults().keySet());
    assertThat(meanings)
        .allSatisfy((key, meaning) -> assertThat(meaning).as(key).endsWith("."));
  }

  @Test
  @DisplayName("is the table of docs/configuration.md")
  void tableAgrees() throws IOException {
    StringBuilder table = new StringBuilder(HEAD);
    Map<String, ConfigTree.Entry> defaults = ConfigLoader.defaults();
    meanings().forEach((written, meaning) -> {
      String key = written.replace(".*.", ".NAME.");
      String value = defaults.getOrDefault(written, NOTHING).text();
      table
          .append("| `")
          .append(key)
          .append("` | `")
          .append(ConfigTree.variable(key))
          .append("` | ")
          .append(value.isEmpty() ? "" : "`" + value + "`")
          .append(" | ")
          .append(meaning)
          .append(" |\n");
    });
    Path wanted = Path.of("target/configuration-table.md");
    Files.writeString(wanted, table);
    assertThat(Files.readString(DOCS).contains(table))
        .as("%s holds the table of %s", DOCS, wanted)
        .isTrue();
  }

  /** The comment over each key, by the key; read from the text, which the parser does not keep. */
  private static Map<String, String> meanings() {
    Map<String, String> meanings = new LinkedHashMap<>();
    List<String> path = new ArrayList<>();
    StringBuilder comment = new StringBuilder();
    for (String line : ConfigLoader.defaultText().lines().toList()) {
      String text = line.strip();
      if (text.startsWith("#")) {
        comment.append(comment.isEmpty() ? "" : " ").append(text.substring(1).strip());
        continue;
      }
      if (!text.isEmpty()) {
        int depth = (line.length() - line.stripLeading().length()) / 2;
        path.subList(depth, path.size()).clear();
        path.add(text.substring(0, text.indexOf(':')).replace("\"", ""));
        if (!text.endsWith(":")) {
          meanings.put(String.join(".", path), comment.toString());
        }
      }
      comment.setLength(0);
    }
    return meanings;
  }
}
