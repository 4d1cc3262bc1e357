package dev.askgateway.answer.completion;

import dev.askgateway.core.TokenMeter;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Catalogue;
import dev.askgateway.provider.route.TokenMargins;
import dev.askgateway.provider.tokens.Counting;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * The tokens that a model will read of a request, for its hold: counted, times what the model's own
 * vocabulary makes more of it, and {@value #OF_MESSAGE} a message for what the vendor writes around
 * it; of an image what its model may make of one at most. What goes above it all the same is the
 * operator's loss: nobody is charged more than was held.
 */
final class InputEstimate {
  private static final int OF_MESSAGE = TokenMeter.OF_MESSAGE;

  private final Counting counting;
  private final TokenMargins margins;

  InputEstimate(Catalogue catalogue, Counting counting) {
    this.counting = counting;
    this.margins = new TokenMargins(catalogue);
  }

  /** Tokens of texts and what is around them, and of images. */
  record Tokens(long text, long images) {}

  /** What the model that cuts finest would read. Complete at once for short requests; never fails. */
  Future<Tokens> of(CompletionCommand command, Plan plan) {
    Input input = Input.of(command.request());
    double margin = margins.of(plan);
    long images = input.images == 0 ? 0 : input.images * margins.ofImage(plan);
    // What the neutral view does not know is part of the bytes.
    long least = command.openAiOnly() ? command.bytes() / 2 - images : 0;
    return counting
        .of(input.texts)
        .map(count -> new Tokens(Math.max(count.at(margin) + input.around, least), images));
  }

  Future<Long> of(List<String> texts, EmbeddingModel model) {
    double margin = margins.of(model);
    long around = (long) OF_MESSAGE * texts.size();
    return counting.of(texts).map(count -> count.at(margin) + around);
  }

  /** The texts of a request, and the tokens of what is none. */
  private static final class Input {
    private final List<String> texts = new ArrayList<>();
    private long around;
    private long images;

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
          images++;
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
