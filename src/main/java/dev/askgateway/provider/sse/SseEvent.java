package dev.askgateway.provider.sse;

/**
 * One event of a stream.
 *
 * @param type the {@code event:} field, "" without one
 * @param data the data lines joined by newlines, not empty
 */
public record SseEvent(String type, String data) {}
