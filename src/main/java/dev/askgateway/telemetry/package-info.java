/**
 * Metrics behind plain methods, and the way that the log's lines take. What may enter is a number with
 * labels from fixed lists: never text, a question, a person or anything else a request can choose.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.telemetry;
