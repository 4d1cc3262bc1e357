package dev.askgateway.answer;

import dev.askgateway.core.TokenMeter;
import dev.askgateway.prompt.PromptBuilder;
import dev.askgateway.provider.tokens.Counting;
import dev.askgateway.provider.tokens.TokenCount;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of prompts. What is fixed of one, its system text and question, is measured once, before
 * the hold; so a later measure of the rest cannot lift the prompt above it. Shared by all loops.
 */
final class Measures {
  private final Counting counting;
  private volatile @Nullable TokenCount system;

  Measures(Counting counting) {
    this.counting = counting;
  }

  /** What is fixed of a prompt. */
  record Of(TokenCount system, TokenCount question) {

    /** Its tokens, with what a vendor writes around the two messages. */
    long fixed(double margin) {
      return system.at(margin) + question.at(margin) + 2L * TokenMeter.OF_MESSAGE;
    }

    /** The fewest tokens of a prompt with any evidence. */
    int least(double margin) {
      return Math.toIntExact(fixed(margin) + PromptBuilder.LEAST_ROOM);
    }
  }

  /** Complete at once for all but long questions; does not fail. */
  Future<Of> of(String question) {
    return system().compose(system -> counting
        .of(List.of(PromptBuilder.shown(question)))
        .map(counted -> new Of(system, counted)));
  }

  private Future<TokenCount> system() {
    TokenCount known = system;
    return known != null
        ? Future.succeededFuture(known)
        : counting.of(List.of(PromptBuilder.systemText())).onSuccess(count -> {
          if (count.tokens() < count.most()) { // a bound does only until it can be counted
            system = count;
          }
        });
  }

  /** Work on about so many characters that measures pieces of them: see {@link Counting#with}. */
  <T> Future<T> with(long chars, double margin, Function<TokenMeter, T> work) {
    return counting.with(
        chars, counts -> work.apply(text -> counts.of(List.of(text)).at(margin)));
  }
}
