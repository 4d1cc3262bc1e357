/**
 * What an OpenAI client sees: chunks as server-sent events, one JSON answer, embeddings, errors. What
 * may enter turns events into bytes at the reader's pace; it decides nothing about completions.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.relay.edge;
