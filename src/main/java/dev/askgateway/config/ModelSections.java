package dev.askgateway.config;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.core.Rule;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.onnx.OnnxEmbedder;
import dev.askgateway.provider.route.Catalogue;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The providers and models that are set up. Of what is shipped, that is what has a key or an address
 * of a person's own, and a model's id; the rest is left out. What a person wrote down is never left
 * out: it works, or the start stops.
 */
final class ModelSections {
  private final Section providerSections;
  private final Section modelSections;
  private final Map<String, ProviderConfig> providers = new LinkedHashMap<>();
  private final Map<String, ModelConfig> models = new LinkedHashMap<>();
  private final PriceList prices = new PriceList();
  private final Set<String> listed;

  /** @param listed the models that profiles of a person's own name */
  private ModelSections(Section root, Set<String> listed) {
    providerSections = root.section("providers");
    modelSections = root.section("models");
    this.listed = listed;
  }

  static ModelSettings read(Section root) {
    ProfileSections profiles = new ProfileSections(root);
    ModelSections sections = new ModelSections(root, profiles.listed());
    sections.readAll();
    Section prices = root.section("prices");
    return new ModelSettings(
        Catalogue.of(
            sections.serving(),
            List.copyOf(sections.models.values()),
            profiles.read(sections.models, sections.providers, sections.faulty())),
        new PriceBook(prices.string("id"), prices.date("validFrom"), sections.prices.byUpstream()));
  }

  private void readAll() {
    for (String name : providerSections.names()) {
      providerSections
          .section(name)
          .attempt(section -> NamedSections.provider(name, section))
          .ifPresent(provider -> providers.put(name, provider));
    }
    for (String name : modelSections.names()) {
      Section section = modelSections.section(name);
      section
          .attempt(model -> model(name, model))
          .flatMap(there -> there)
          .filter(there -> !section.isFaulty())
          .ifPresent(there -> models.put(name, there));
    }
  }

  private List<ProviderConfig> serving() {
    Set<String> serving = new HashSet<>();
    models.values().forEach(model -> serving.add(model.provider()));
    return providers.values().stream()
        .filter(provider -> serving.contains(provider.name()))
        .toList();
  }

  /** The models about which there is something to tell already, and those of such providers. */
  private Set<String> faulty() {
    Set<String> faulty = new HashSet<>();
    for (String name : modelSections.names()) {
      Section model = modelSections.section(name);
      if (model.isFaulty() || providerSections.section(model.string("provider")).isFaulty()) {
        faulty.add(name);
      }
    }
    return faulty;
  }

  private Optional<ModelConfig> model(String name, Section model) {
    Capabilities capabilities = NamedSections.capabilities(model);
    ModelConfig.MaxTokensMember maxTokensMember = NamedSections.maxTokensMember(model);
    boolean sendTemperature = model.bool("sendTemperature");
    double tokenMargin = model.decimal("tokenMargin");
    int imageTokens = model.integer("imageTokens");
    PriceBook.Price price = NamedSections.price(name, model);
    String provider = model.string("provider");
    String id = model.string("model");
    boolean wanted = listed.contains(name) || model.isChosen() || isExpected(name, provider);
    if (id.isEmpty() && !wanted) {
      return Optional.empty();
    }
    ModelConfig config = new ModelConfig(
        name,
        provider,
        id,
        capabilities,
        maxTokensMember,
        sendTemperature,
        tokenMargin,
        imageTokens);
    Rule.require(
        providerSections.names().contains(provider),
        "models." + name + ".provider",
        provider,
        "one of " + String.join(", ", providerSections.names()));
    ProviderConfig server = providers.get(provider);
    if (server == null || providerSections.section(provider).isFaulty()) {
      return Optional.empty(); // What is wrong with it is told there.
    }
    Catalogue.requireKind(config, server);
    requireShipped(config, server);
    if (!isServed(config, server, wanted)) {
      return Optional.empty();
    }
    prices.add(config, price);
    return Optional.of(config);
  }

  /** Whether its provider was given an address, and it is the first of that provider's models, none of which has an id. */
  private boolean isExpected(String name, String provider) {
    List<Section> others = modelSections.names().stream()
        .map(modelSections::section)
        .filter(other -> other.string("provider").equals(provider))
        .toList();
    boolean first = modelSections.names().stream()
        .filter(other -> modelSections.section(other).string("provider").equals(provider))
        .findFirst()
        .equals(Optional.of(name));
    return first
        && isAddressed(provider)
        && others.stream().allMatch(other -> other.string("model").isEmpty());
  }

  private boolean isAddressed(String provider) {
    return providerSections.names().contains(provider)
        && providerSections.section(provider).isSet("baseUrl");
  }

  /** The embedding model in this process is the one that comes with the gateway. */
  private static void requireShipped(ModelConfig model, ProviderConfig server) {
    if (server.dialect() == Dialect.ONNX) {
      String key = "models." + model.id();
      Rule.require(
          model.model().equals(OnnxEmbedder.MODEL),
          key + ".model",
          model.model(),
          OnnxEmbedder.MODEL + ", the one that is there");
      Rule.require(
          model.capabilities().embeddingDimensions() == OnnxEmbedder.DIMENSIONS,
          key + ".embeddingDimensions",
          model.capabilities().embeddingDimensions(),
          OnnxEmbedder.DIMENSIONS + " for " + OnnxEmbedder.MODEL);
    }
  }

  /** Whether it can be asked: where the operator's account pays, there must be a key of it. */
  private boolean isServed(ModelConfig model, ProviderConfig server, boolean wanted) {
    boolean keyless = providerSections.section(server.name()).secret("apiKey").isEmpty()
        && !server.isInProcess()
        && server.policy().mode() == DataPolicy.Mode.MANAGED;
    Rule.require(
        !keyless || !(wanted || isAddressed(server.name())),
        "providers." + server.name() + ".apiKey",
        "missing",
        "set for models." + model.id() + "; any word for a server that wants none");
    return !keyless;
  }
}
