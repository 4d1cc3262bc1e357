package dev.askgateway.provider.extractive;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelProvider;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ProviderFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Answers by quoting the evidence: the same answer for the same prompt, without a key or a model, in
 * a stream of words like any other provider's.
 */
public final class ExtractiveProvider implements ModelProvider {
  /** What it is called as a model, whatever the configuration calls it. */
  public static final String MODEL = "extractive-1";

  private static final String NOTHING = "Nothing in your messages answers this.";
  private static final Pattern PIECE = Pattern.compile("\\s*\\S+");

  private final Vertx vertx;

  public ExtractiveProvider(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public String name() {
    return "extractive";
  }

  @Override
  public String model() {
    return MODEL;
  }

  @Override
  public Dialect dialect() {
    return Dialect.EXTRACTIVE;
  }

  @Override
  public Future<TokenStream> open(ModelRequest request, Deadlines deadlines) {
    Prompt prompt = request.prompt();
    if (prompt == null) {
      return Future.failedFuture(
          ProviderFailure.error(ProviderFailure.Kind.REFUSED, "nothing to quote from"));
    }
    String answer = answer(prompt);
    List<TokenEvent> events = new ArrayList<>();
    for (Matcher piece = PIECE.matcher(answer); piece.find(); ) {
      events.add(new TokenEvent.Text(piece.group()));
    }
    events.add(new TokenEvent.Metered(Usage.estimate(prompt.chars(), answer.length())));
    events.add(new TokenEvent.Finished(FinishReason.STOP));
    return Future.succeededFuture(PreparedStream.of(vertx.getOrCreateContext(), events));
  }

  /** One paragraph a quotation. */
  private static String answer(Prompt prompt) {
    QuestionWords words = new QuestionWords(prompt.question(), prompt.evidence());
    QuotedText text = new QuotedText(words, prompt.zone());
    List<Quotes.Quote> quotes = new Quotes(words).of(prompt.evidence());
    return quotes.isEmpty()
        ? NOTHING
        : quotes.stream().map(text::of).collect(Collectors.joining("\n\n"));
  }
}
