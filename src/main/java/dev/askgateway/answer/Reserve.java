package dev.askgateway.answer;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.provider.gate.Plan;
import dev.askgateway.provider.route.Models;
import java.util.List;

/**
 * The worst case of an answer (spec G1), which is held before it begins: its question's vector, the answer
 * itself, and each further step that it is permitted. Every term is rounded up, so none covers another.
 *
 * @param embedding of the question's vector
 * @param answer who may answer, and the most they read and write
 * @param further steps that may be taken beside it: the call for the question's plan is one
 */
record Reserve(PriceBook prices, Embedding embedding, Step answer, List<Step> further) {

  /**
   * The call for a vector.
   *
   * @param model "provider:model"; empty: there is none, or somebody else pays for it
   * @param tokens most that it reads
   */
  record Embedding(String model, long tokens) {
    static final Embedding NONE = new Embedding("", 0);
  }

  /** One generation: any of the plan's models, and one more beside it where it may be hedged. */
  record Step(Plan plan, long inputTokens, long outputTokens) {}

  Reserve {
    further = List.copyOf(further);
  }

  /** Micro-USD. */
  long microUsd() {
    long steps = further.stream().mapToLong(this::worstCase).sum();
    return prices.worstCaseEmbeddingMicroUsd(embedding.model(), embedding.tokens())
        + worstCase(answer)
        + steps;
  }

  private long worstCase(Step step) {
    return Models.worstCaseMicroUsd(prices, step.plan(), step.inputTokens(), step.outputTokens());
  }
}
