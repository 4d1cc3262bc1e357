package dev.askgateway.answer.completion;

import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.gate.Candidate;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.tokens.Counting;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tokens that a model will read of a request, for its hold: counted, times what the model's own
 * vocabulary makes more of it, and {@value #OF_MESSAGE} a message for what the vendor writes around
 * it, {@value #OF_IMAGE} an image. What goes above it all the same is the operator's loss: nobody is
 * charged more than was held.
 */
final class InputEstimate {
  private static final int OF_MESSAGE = 16;
  private static final int OF_IMAGE = 3_000;

  /** Of vocabularies that are not known. Measured: docs/decisions/0014-tokenizer.md. */
  private static final double UNKNOWN = 1.5;

  /** Of Anthropic's, the finest of the large vendors'. */
  private static final double ANTHROPIC = 2;

  private final Counting counting;
  private final Map<String, Double> margins = new HashMap<>();

  InputEstimate(Catalogue catalogue, Counting counting) {
    this.counting = counting;
    for (ModelConfig model : catalogue.models().values()) {
      double margin = margin(model, catalogue.providerOf(model));
      margins.merge(key(model.provider(), model.model()), margin, Math::max);
    }
  }

  /** OpenAI's own answering models have the vocabulary that is counted; its embedding models do not. */
  private static double margin(ModelConfig model, ProviderConfig server) {
    if (model.tokenMargin() > 0) {
      return model.tokenMargin();
    }
    return switch (server.dialect()) {
      case OPENAI ->
        server.isHostedBy("api.openai.com") && !model.capabilities().embeds() ? 1 : UNKNOWN;
      case ANTHROPIC -> ANTHROPIC;
      case GEMINI, EXTRACTIVE, ONNX -> UNKNOWN;
    };
  }

  /** What the model that cuts finest would read. Complete at once for short requests; never fails. */
  Future<Long> of(CompletionCommand command, Plan plan) {
    Input input = Input.of(command.request());
    double margin = plan.candidates().stream()
        .map(Candidate::provider)
        .mapToDouble(one -> margin(one.name(), one.model()))
        .max()
        .orElse(UNKNOWN);
    // What the neutral view does not know is part of the bytes.
    long least = command.openAiOnly() ? command.bytes() / 2 : 0;
    return counting.of(input.texts).map(count -> Math.max(count.at(margin) + input.around, least));
  }

  Future<Long> of(List<String> texts, EmbeddingModel model) {
    double margin = margin(model.name(), model.model());
    long around = (long) OF_MESSAGE * texts.size();
    return counting.of(texts).map(count -> count.at(margin) + around);
  }

  private double margin(String provider, String model) {
    return margins.getOrDefault(key(provider, model), UNKNOWN);
  }

  private static String key(String provider, String model) {
    return provider + ":" + model;
  }

  /** The texts of a request, and the tokens of what is none. */
  private static final class Input {
    private final List<String> texts = new ArrayList<>();
    private long around;

    static Input of(ModelRequest request) {
      Input input = new Input();
      request.messages().forEach(input::message);
      request.tools().forEach(input::tool);
      ModelRequest.Format format = request.format();
      if (format != null && format.schema() != null) {
        input.texts.add(format.schema().encode());
      }
      return input;
    }

    private void message(ModelRequest.Message message) {
      around += OF_MESSAGE;
      for (ModelRequest.Part part : message.parts()) {
        if (part instanceof ModelRequest.Text text) {
          texts.add(text.text());
        } else {
          around += OF_IMAGE;
        }
      }
      for (ModelRequest.Call call : message.calls()) {
        around += OF_MESSAGE;
        texts.add(call.name());
        texts.add(call.arguments());
      }
    }

    private void tool(ModelRequest.Tool tool) {
      around += OF_MESSAGE;
      texts.add(tool.name());
      texts.add(tool.description());
      texts.add(tool.parameters().encode());
    }
  }
}
