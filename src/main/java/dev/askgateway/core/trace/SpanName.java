package dev.askgateway.core.trace;

/** The steps that have a span of their own (spec J4). */
public enum SpanName {
  /** One question, from the command to its stored end. */
  ASSISTANT_REQUEST("assistant.request"),
  /** One completion at the edge, from the read request to its settled end. */
  COMPLETION_REQUEST("completion.request"),
  /** One request for vectors at the edge. */
  EMBEDDING_REQUEST("embedding.request"),
  /** The turn is begun: thread, earlier turns, hold. */
  THREAD_LOAD("thread.load"),
  /** The hold of a request without a thread is taken. */
  HOLD_TAKE("hold.take"),
  /** The question is compiled and, if it comes to that, a model asked for its plan. */
  CONTEXT_PLAN("context.plan"),
  /** Names are looked up and the route is chosen. */
  CONTEXT_ROUTE("context.route"),
  RETRIEVAL_LEXICAL("retrieval.lexical"),
  RETRIEVAL_EMBEDDING("retrieval.embedding"),
  RETRIEVAL_VECTOR("retrieval.vector"),
  /** What was found is compared, widened to windows and cut to a pack. */
  EVIDENCE_ASSEMBLE("evidence.assemble"),
  /** The call of a model for the question's plan. */
  MODEL_PLANNER("model.planner"),
  /** The first call of a model for the answer. */
  MODEL_FIRST_ATTEMPT("model.first_attempt"),
  /** Any later one: another model, a repeat, or one beside a slow one. */
  MODEL_FALLBACK("model.fallback"),
  /** The end is stored and settled. */
  TURN_FINALIZE("turn.finalize");

  private final String wire;

  SpanName(String wire) {
    this.wire = wire;
  }

  public String wire() {
    return wire;
  }

  /** Whether it is a call of a model, which others follow as a client's. */
  public boolean isCall() {
    return this == MODEL_PLANNER || this == MODEL_FIRST_ATTEMPT || this == MODEL_FALLBACK;
  }
}
