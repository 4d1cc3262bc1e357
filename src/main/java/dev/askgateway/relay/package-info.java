/**
 * What a client sees of an answer: the UI message stream, the JSON answer, heartbeats, back-pressure
 * and the one error table. What may enter writes to a response and knows nothing of how an answer is
 * made.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.relay;
