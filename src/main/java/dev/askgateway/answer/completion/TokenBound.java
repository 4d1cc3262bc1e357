package dev.askgateway.answer.completion;

import dev.askgateway.provider.ModelRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * A bound of the tokens that a model reads of a request, for its hold. Four characters a token is a
 * mean; a hold must not be too small. English and code come at three to four characters a token,
 * digits and base 64 near two, other scripts at one to two tokens a character. So: half a token for an
 * ASCII character, two for any other, {@value #OF_MESSAGE} a message for what the vendor writes around
 * it, {@value #OF_IMAGE} an image. What goes above it all the same is the operator's loss: nobody is
 * charged more than was held.
 */
final class TokenBound {
  private static final int OF_MESSAGE = 16;
  private static final int OF_IMAGE = 3_000;

  /** In half tokens. */
  private long halves;

  private TokenBound() {}

  static long of(CompletionCommand command) {
    TokenBound bound = new TokenBound();
    ModelRequest request = command.request();
    request.messages().forEach(bound::message);
    for (ModelRequest.Tool tool : request.tools()) {
      bound.text(tool.name());
      bound.text(tool.description());
      bound.json(tool.parameters());
    }
    ModelRequest.Format format = request.format();
    if (format != null && format.schema() != null) {
      bound.json(format.schema());
    }
    // What the neutral view does not know is part of the bytes.
    return Math.max((bound.halves + 1) / 2, command.openAiOnly() ? command.bytes() / 2 : 0);
  }

  static long of(List<String> texts) {
    TokenBound bound = new TokenBound();
    texts.forEach(text -> {
      bound.text(text);
      bound.halves += 2 * OF_MESSAGE;
    });
    return (bound.halves + 1) / 2;
  }

  private void message(ModelRequest.Message message) {
    halves += 2 * OF_MESSAGE;
    for (ModelRequest.Part part : message.parts()) {
      if (part instanceof ModelRequest.Text text) {
        text(text.text());
      } else {
        halves += 2 * OF_IMAGE;
      }
    }
    for (ModelRequest.Call call : message.calls()) {
      text(call.name());
      text(call.arguments());
      halves += 2 * OF_MESSAGE;
    }
  }

  private void json(JsonObject schema) {
    text(schema.encode());
  }

  private void text(String text) {
    for (int i = 0; i < text.length(); i++) {
      halves += text.charAt(i) < 0x80 ? 1 : 4;
    }
  }
}
