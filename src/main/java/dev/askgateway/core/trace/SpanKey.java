package dev.askgateway.core.trace;

/**
 * What spans may tell. Those of models have the names of OpenTelemetry's conventions for generative AI;
 * what those do not know begins with {@code ask}. Times are milliseconds where the key says so.
 */
public enum SpanKey {
  /** The id that the client has as {@code x-request-id}, and that log lines name. */
  REQUEST_ID("ask.request.id"),
  /** The profile or model that was asked for, if it is a configured one. */
  PROFILE("ask.profile"),
  /** It was answered by a run that was there before. */
  JOINED("ask.request.joined"),
  STATE("ask.state"),
  FINISH_REASON("ask.finish_reason"),
  COST("ask.cost_micro_usd"),
  ROUTE("ask.route"),
  PLANNER("ask.planner"),
  /** Messages that a leg found. */
  HITS("ask.retrieval.hits"),
  /** Windows of evidence. */
  WINDOWS("ask.evidence.windows"),
  /** Sources that the answer cites. */
  SOURCES("ask.sources"),
  /** From the request to the first text or output that was handed on. */
  FIRST_OUTPUT_MS("ask.first_output_ms"),
  /** The configured name of the server. */
  PROVIDER("ask.provider"),
  ATTEMPT("ask.attempt.number"),
  HEDGE("ask.attempt.hedge"),
  OUTCOME("ask.attempt.outcome"),
  FAILURE("ask.attempt.failure"),
  FIRST_TOKEN_MS("ask.attempt.first_token_ms"),
  STREAM_MS("ask.attempt.stream_ms"),
  /** The counts of tokens are ours, because the provider told none. */
  ESTIMATED("ask.usage.estimated"),
  OPERATION("gen_ai.operation.name"),
  VENDOR("gen_ai.provider.name"),
  /** The provider's id of the model, if it is a configured one: people name their own as they like. */
  MODEL("gen_ai.request.model"),
  /** All input, what the provider's cache read and wrote among it. */
  INPUT_TOKENS("gen_ai.usage.input_tokens"),
  CACHE_READ_TOKENS("gen_ai.usage.cache_read.input_tokens"),
  CACHE_WRITE_TOKENS("gen_ai.usage.cache_creation.input_tokens"),
  OUTPUT_TOKENS("gen_ai.usage.output_tokens");

  private final String wire;

  SpanKey(String wire) {
    this.wire = wire;
  }

  public String wire() {
    return wire;
  }
}
