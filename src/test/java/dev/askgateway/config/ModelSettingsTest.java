package dev.askgateway.config;

import static dev.askgateway.config.ConfigLoaderTest.environment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.ProviderConfig.KeyHeader;
import dev.askgateway.provider.route.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The configuration of models")
class ModelSettingsTest {
  private static final String[] OPENAI = {
    "OPENAI_BASE_URL", "http://localhost:11434/v1", "OPENAI_API_KEY", "any", "OPENAI_MODEL", "m1"
  };

  @TempDir
  Path folder;

  private Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("mine.yaml"), yaml);
  }

  private static Catalogue catalogue(Path file, String... environment) {
    return ConfigLoader.load(file, environment(environment)).models().catalogue();
  }

  private static Catalogue catalogue(String... environment) {
    return ConfigLoader.load(null, environment(environment)).models().catalogue();
  }

  private static List<String> problems(Path file, String... environment) {
    return catchThrowableOfType(
            InvalidConfig.class, () -> ConfigLoader.load(file, environment(environment)))
        .problems();
  }

  private static List<String> modelsOf(Catalogue catalogue, String profile) {
    Profile found = catalogue.profiles().get(profile);
    return found == null ? List.of() : found.models();
  }

  @Test
  @DisplayName("quotes, embeds in this process and calls nobody when nothing is set")
  void nothingSet() {
    Catalogue catalogue = catalogue();
    assertThat(catalogue.providers()).containsOnlyKeys("extractive", "onnx");
    assertThat(catalogue.models()).containsOnlyKeys("quote", "e5-384");
    assertThat(catalogue.profiles()).containsOnlyKeys("assistant_grounded", "embedding_messages");
    assertThat(modelsOf(catalogue, "assistant_grounded")).containsExactly("quote");
    assertThat(modelsOf(catalogue, "embedding_messages")).containsExactly("e5-384");
  }

  @ParameterizedTest
  @DisplayName("calls nobody for a key, or a model's id, that lies in the environment alone")
  @ValueSource(
      strings = {
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "OPENAI_MODEL",
        "ANTHROPIC_MODEL",
        "GEMINI_MODEL"
      })
  void oneAlone(String variable) {
    assertThat(catalogue(variable, "x").providers()).containsOnlyKeys("extractive", "onnx");
  }

  @Test
  @DisplayName("takes a server like OpenAI by address, key and model")
  void openai() {
    Catalogue catalogue = catalogue(OPENAI);
    assertThat(catalogue.models().get("openai-default")).isNotNull().satisfies(model -> {
      assertThat(model.model()).isEqualTo("m1");
      assertThat(model.maxTokensMember()).isEqualTo(ModelConfig.MaxTokensMember.MAX_TOKENS);
      assertThat(catalogue.providerOf(model).baseUrl()).isEqualTo("http://localhost:11434/v1");
      assertThat(catalogue.providerOf(model).apiKey()).isEqualTo("any");
    });
    assertThat(modelsOf(catalogue, "assistant_grounded")).containsExactly("openai-default");
    assertThat(modelsOf(catalogue, "assistant_reasoning")).containsExactly("openai-default");
  }

  @Test
  @DisplayName("knows the address and the way to send a key of each vendor")
  void vendors() {
    Catalogue catalogue = catalogue(
        "OPENAI_API_KEY",
        "k1",
        "OPENAI_MODEL",
        "m1",
        "ANTHROPIC_API_KEY",
        "k2",
        "ANTHROPIC_MODEL",
        "m2",
        "GEMINI_API_KEY",
        "k3",
        "GEMINI_MODEL",
        "m3");
    assertThat(catalogue.providers().values())
        .filteredOn(provider -> !provider.isInProcess())
        .extracting("name", "dialect", "baseUrl", "apiKey", "keyHeader")
        .containsExactly(
            tuple("openai", Dialect.OPENAI, "https://api.openai.com/v1", "k1", KeyHeader.BEARER),
            tuple(
                "anthropic",
                Dialect.ANTHROPIC,
                "https://api.anthropic.com/v1",
                "k2",
                KeyHeader.X_API_KEY),
            tuple(
                "gemini",
                Dialect.GEMINI,
                "https://generativelanguage.googleapis.com/v1beta",
                "k3",
                KeyHeader.X_GOOG_API_KEY));
    assertThat(modelsOf(catalogue, "assistant_grounded"))
        .containsExactly("openai-default", "anthropic-default", "gemini-default");
  }

  @Test
  @DisplayName("needs a key and a model once an address is written down")
  void addressAlone() {
    assertThat(problems(null, "OPENAI_BASE_URL", "https://llm.example/v1"))
        .containsExactlyInAnyOrder(
            "providers.openai.apiKey is missing; it must be set for models.openai-default; any word"
                + " for a server that wants none (set it in a file or as"
                + " ASK_PROVIDERS_OPENAI_API_KEY)",
            "models.openai-default.model is missing; it must be 1 to 200 characters without blanks"
                + " around it (set it in a file or as ASK_MODELS_OPENAI_DEFAULT_MODEL)");
    assertThat(problems(
            null, "OPENAI_BASE_URL", "http://llm/v1", "OPENAI_API_KEY", "s k", "OPENAI_MODEL", "m"))
        .containsExactly("providers.openai.apiKey is ***; it must be visible ASCII characters"
            + " without blanks (environment OPENAI_API_KEY)");
  }

  @Test
  @DisplayName("needs no key for a server of the operator's own, and none for a person's account")
  void keyless() throws IOException {
    Path file = file("""
        providers:
          ollama: {baseUrl: "http://localhost:11434/v1", mode: local, retention: none}
          theirs: {baseUrl: "https://llm.example/v1", mode: byok}
        models:
          llama: {provider: ollama, model: llama3}
          own: {provider: theirs, model: x}
        profiles:
          assistant_grounded: {models: [llama], mode: local, retention: none}
        """);
    Catalogue catalogue = catalogue(file);
    assertThat(catalogue.providers()).containsKeys("ollama", "theirs");
    assertThat(modelsOf(catalogue, "assistant_grounded")).containsExactly("llama");
    assertThat(problems(file, "ASK_PROVIDERS_THEIRS_API_KEY", "k"))
        .containsExactly(
            "providers.theirs.apiKey is ***; it must be empty in the mode byok: the key"
                + " comes with each request (environment ASK_PROVIDERS_THEIRS_API_KEY)");
  }

  @Test
  @DisplayName("gives an added entry the defaults of its section, and takes dots in its name")
  void added() throws IOException {
    Path file = file("""
        providers:
          lab: {baseUrl: "https://lab.example/v1", keyHeader: api-key, region: eu}
        models:
          gpt-4.1:
            provider: lab
            model: gpt-4.1-2025
            tools: true
            price: {input: 5}
        profiles:
          quick.eu: {models: [gpt-4.1], region: eu, total: 30s, order: price, hedgeAfter: 500ms}
        """);
    GatewayConfig config = ConfigLoader.load(
        file,
        environment("ASK_PROVIDERS_LAB_API_KEY", "k", "ASK_MODELS_GPT_4_1_PRICE_OUTPUT", "7"));
    Catalogue catalogue = config.models().catalogue();
    assertThat(catalogue.providers().get("lab")).isNotNull().satisfies(lab -> {
      assertThat(lab.dialect()).isEqualTo(Dialect.OPENAI);
      assertThat(lab.apiKey()).isEqualTo("k");
      assertThat(lab.keyHeader()).isEqualTo(KeyHeader.API_KEY);
      assertThat(lab.includeUsage()).isTrue();
    });
    assertThat(catalogue.models().get("gpt-4.1")).isNotNull().satisfies(model -> {
      assertThat(model.model()).isEqualTo("gpt-4.1-2025");
      assertThat(model.capabilities().tools()).isTrue();
      assertThat(model.capabilities().contextTokens()).isEqualTo(128_000);
    });
    assertThat(catalogue.profiles().get("quick.eu")).isNotNull().satisfies(profile -> {
      assertThat(profile.order()).isEqualTo(Profile.Order.PRICE);
      assertThat(profile.attempts()).isEqualTo(3);
      assertThat(profile.hedgeAfter()).isEqualTo(Duration.ofMillis(500));
      assertThat(profile.deadlines().total()).isEqualTo(Duration.ofSeconds(30));
      assertThat(profile.policy().retention()).isEqualTo(DataPolicy.Retention.PROVIDER_POLICY);
    });
    assertThat(config.models().prices().models())
        .isEqualTo(Map.of("lab:gpt-4.1-2025", new PriceBook.Price(5, 0, 0, 7)));
    assertThat(config.models().providerNames())
        .containsExactlyInAnyOrder("lab", "extractive", "onnx", "deterministic");
    assertThat(ConfigLoader.print(file, environment()))
        .contains("  gpt-4.1:\n    provider: lab  # file " + file + " line 5\n")
        .contains("      input: 5  # file " + file + " line 8\n")
        .containsOnlyOnce("\nmodels:\n");
  }

  @Test
  @DisplayName("tells every problem of what a person wrote at once, and where")
  void allProblems() throws IOException {
    Path file = file("""
        providers:
          lab: {mode: managed}
          "my lab": {baseUrl: "http://h", apiKey: k}
        models:
          a: {model: x}
          b: {provider: nobody, model: x}
          c: {provider: openai, contextTokens: 10}
          d: {provider: anthropic, model: x, embeddingDimensions: 8}
          e: {provider: onnx, model: other, embeddingDimensions: 384}
          quote: {prise: 3}
        profiles:
          empty: {attempts: 0}
          none: {models: [nope]}
        """);
    String origin = " (file " + file + " line ";
    assertThat(problems(file, "ASK_MODELS_A_PRICE_INPUT", "-1"))
        .containsExactlyInAnyOrder(
            "providers.my lab cannot be; a name must be letters, digits, dots, dashes and"
                + " underscores, at most 60" + origin + "3)",
            "models.quote.prise is ***; there is no such key" + origin + "10)",
            "providers.lab.baseUrl is missing; it must be http:// or https:// with a host, without"
                + " user, password and fragment (set it in a file or as ASK_PROVIDERS_LAB_BASE_URL)",
            "models.a.price.input is -1; it must be 0 to 10000000000 (environment"
                + " ASK_MODELS_A_PRICE_INPUT)",
            "models.a.provider is missing; it must be one of openai, anthropic, gemini, extractive,"
                + " onnx, lab (set it in a file or as ASK_MODELS_A_PROVIDER)",
            "models.b.provider is nobody; it must be one of openai, anthropic, gemini, extractive,"
                + " onnx, lab" + origin + "6)",
            "models.c.model is missing; it must be 1 to 200 characters without blanks around it"
                + " (set it in a file or as ASK_MODELS_C_MODEL)",
            "models.c.contextTokens is 10; it must be 256 to 100000000" + origin + "7)",
            "providers.openai.apiKey is missing; it must be set for models.c; any word for a server"
                + " that wants none (set it in a file or as ASK_PROVIDERS_OPENAI_API_KEY)",
            "providers.anthropic.apiKey is missing; it must be set for models.d; any word for a"
                + " server that wants none (set it in a file or as ASK_PROVIDERS_ANTHROPIC_API_KEY)",
            "models.d.embeddingDimensions is 8; it must be 0 for the dialect anthropic" + origin
                + "8)",
            "models.e.model is other; it must be e5-small-v2-q, the one that is there" + origin
                + "9)",
            "profiles.empty.models is missing; it must be at least one of models"
                + " (set it in a file or as ASK_PROFILES_EMPTY_MODELS)",
            "profiles.empty.attempts is 0; it must be 1 to 20" + origin + "12)",
            "profiles.none.models is nope; it must be names under models; nope is none" + origin
                + "13)");
  }

  @Test
  @DisplayName("does not leave a shipped profile out once a person wrote down a part of it")
  void chosenProfile() throws IOException {
    Path file = file("profiles:\n  assistant_agent: {attempts: 1}\n");
    assertThat(problems(file))
        .containsExactly("profiles.assistant_agent.models is openai-default,anthropic-default,"
            + "gemini-default; it must be names under models of which one at least is set up"
            + " (default)");
  }

  @Test
  @DisplayName("does not leave out what a person's profile names")
  void namedByProfile() throws IOException {
    Path file = file("profiles:\n  assistant_grounded: {models: [anthropic-default, quote]}\n");
    assertThat(problems(file))
        .hasSize(2)
        .anyMatch(line -> line.startsWith("models.anthropic-default.model is missing"))
        .anyMatch(line -> line.startsWith("providers.anthropic.apiKey is missing"));
    assertThat(modelsOf(
            catalogue(file, "ANTHROPIC_API_KEY", "k", "ANTHROPIC_MODEL", "m"),
            "assistant_grounded"))
        .containsExactly("anthropic-default", "quote");
  }

  @Test
  @DisplayName("leaves out of shipped profiles what cannot do what they need")
  void needs() {
    assertThat(catalogue(OPENAI).profiles()).doesNotContainKeys("assistant_agent", "query_planner");
    Catalogue able = catalogue(environmentOf(
        "ASK_MODELS_OPENAI_DEFAULT_TOOLS", "true",
        "ASK_MODELS_OPENAI_DEFAULT_STRUCTURED_OUTPUT", "true"));
    assertThat(modelsOf(able, "assistant_agent")).containsExactly("openai-default");
    assertThat(modelsOf(able, "query_planner")).containsExactly("openai-default");
  }

  private static String[] environmentOf(String... more) {
    String[] all = Arrays.copyOf(OPENAI, OPENAI.length + more.length);
    System.arraycopy(more, 0, all, OPENAI.length, more.length);
    return all;
  }

  @ParameterizedTest
  @DisplayName("does not let a profile's models differ in what it asks for")
  @CsvSource(
      delimiter = '|',
      value = {
        "{models: [quote, e5-384]} | models that all answer, or all embed with vectors of one length;"
            + " e5-384 differs",
        "{models: [openai-default], tools: true} | models that can do what it needs; openai-default"
            + " cannot",
        "{models: [openai-default], mode: local} | models within its mode, retention and region;"
            + " openai-default is not",
        "{models: [quote, openai-default], retention: none} | models within its mode, retention and"
            + " region; openai-default is not",
        "{models: [openai-default], region: eu} | models within its mode, retention and region;"
            + " openai-default is not",
        "{models: [quote, quote]} | each model once",
      })
  void misfits(String profile, String rule) throws IOException {
    Path file = file("profiles:\n  mine: " + profile + "\n");
    assertThat(problems(file, OPENAI))
        .singleElement()
        .asString()
        .startsWith("profiles.mine.models is ")
        .contains("; it must be " + rule + " (file");
  }

  @Test
  @DisplayName("lets what runs in this process serve any policy")
  void inProcess() throws IOException {
    Path file =
        file("profiles:\n  mine: {models: [quote], mode: byok, retention: none, region: eu}\n");
    assertThat(modelsOf(catalogue(file), "mine")).containsExactly("quote");
  }

  @Test
  @DisplayName("does not quote in silence when a server's policy is not that of the answers")
  void policyOfGrounded() {
    assertThat(problems(null, environmentOf("ASK_PROVIDERS_OPENAI_MODE", "local")))
        .singleElement()
        .asString()
        .startsWith("profiles.assistant_grounded.models is ")
        .contains("models within its mode, retention and region; openai-default is not");
  }

  @Test
  @DisplayName("does not bill one model at two prices")
  void twoPrices() throws IOException {
    Path file = file("""
        models:
          again: {provider: openai, model: m1, price: {input: 3, output: 4}}
          openai-default: {price: {input: 3, output: 5}}
        """);
    assertThat(problems(file, OPENAI))
        .containsExactly("models.again.price.output is 4; it must be 5 as for openai-default, which"
            + " is the same model (file " + file + " line 2)");
  }

  @Test
  @DisplayName("does not guess which of two names a variable means, nor share a name")
  void ambiguous() throws IOException {
    Path file = file("""
        models:
          my-model: {provider: extractive, model: quote}
          my.model: {provider: extractive, model: quote}
        profiles:
          quote: {models: [quote]}
        """);
    assertThat(problems(file, "ASK_MODELS_MY_MODEL_TOOLS", "true"))
        .containsExactlyInAnyOrder(
            "ASK_MODELS_MY_MODEL_TOOLS is ***; it may be models.my-model.tools or"
                + " models.my.model.tools: set it in a file (environment)",
            "profiles.quote has the name of a model; callers name both");
  }

  @ParameterizedTest
  @DisplayName("adds no entry by the environment, and takes nothing for all of them")
  @ValueSource(
      strings = {
        "ASK_MODELS_NEW_MODEL",
        "ASK_PROVIDERS_NEW_API_KEY",
        "ASK_MODELS_TOOLS",
        "ASK_MODELS___TOOLS",
        "ASK_OPENAI_MODEL"
      })
  void unknownVariables(String variable) {
    assertThat(problems(null, variable, "x"))
        .containsExactly(variable + " is ***; there is no such key (environment)");
  }

  @ParameterizedTest
  @DisplayName("does not take")
  @ValueSource(
      strings = {
        "models:\n  \"*\": {tools: true}\n",
        "models:\n  m: {}\n",
        "models:\n  m: 5\n",
        "models:\n  quote: {outputTokens: 200000}\n",
        "models:\n  quote: {embeddingDimensions: 8}\n",
        "providers:\n  openai: {mode: LOCAL}\n",
        "providers:\n  openai: {retention: forever}\n",
        "providers:\n  openai: {keyHeader: x-key}\n",
        "providers:\n  openai: {dialect: OpenAI}\n",
        "providers:\n  openai: {region: E U}\n",
        "providers:\n  openai: {warmConnections: 65}\n",
        "providers:\n  onnx: {baseUrl: \"http://h\"}\n",
        "profiles:\n  assistant_grounded: {order: best}\n",
        "profiles:\n  assistant_grounded: {hedgeShare: 1.5}\n",
        "profiles:\n  assistant_grounded: {hedgeAfter: 3m}\n",
        "profiles:\n  assistant_grounded: {firstDelta: 3m}\n",
        "profiles:\n  assistant_grounded: {models: []}\n",
        "profiles:\n  assistant_grounded: {tools: 1}\n",
        "profiles:\n  query_planner: {total: 1m}\n",
      })
  void refuses(String yaml) throws IOException {
    assertThat(problems(file(yaml))).hasSize(1);
  }

  @ParameterizedTest
  @DisplayName(
      "messages are embedded by one model of a bearable length, and the next is another one")
  @CsvSource(
      delimiter = ';',
      value = {
        "[e5-384, m];384;[];profiles.embedding_messages.models is e5-384,m;one model, as vectors",
        "[quote];384;[];profiles.embedding_messages.models is quote;a model that embeds",
        "[e5-384];3072;[m];models.m.embeddingDimensions is 3072;at most 2000 for messages",
        "[m];384;[m];profiles.embedding_messages_next.models is m;another model than that of"
      })
  void messageModels(String models, int dimensions, String next, String problem, String rule)
      throws IOException {
    String yaml = "models:\n  m: {provider: openai, model: m, embeddingDimensions: " + dimensions
        + "}\nprofiles:\n  embedding_messages: {models: " + models + "}\n"
        + (next.equals("[]") ? "" : "  embedding_messages_next: {models: " + next + "}\n");

    assertThat(problems(file(yaml), OPENAI))
        .singleElement()
        .asString()
        .startsWith(problem + "; it must be " + rule);
  }

  @Test
  @DisplayName("messages' models are those of their two profiles, that of a new index first")
  void messageProfiles() throws IOException {
    String yaml = "models:\n  m: {provider: openai, model: m, embeddingDimensions: 8}\n"
        + "profiles:\n  embedding_messages_next: {models: [m]}\n";

    assertThat(ConfigLoader.load(file(yaml), environment(OPENAI)).models().messageProfiles())
        .extracting(Profile::models)
        .containsExactly(List.of("e5-384"), List.of("m"));
    assertThat(ConfigLoader.load(null, environment()).models().messageProfiles())
        .extracting(Profile::name)
        .containsExactly("embedding_messages");
  }
}
