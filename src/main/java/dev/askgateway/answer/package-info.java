/**
 * The life of one answer: its state machine, its feed to any number of readers, the citation filter,
 * leases and the sweeping of what a dead node left. What may enter decides what happens next in an
 * answer; it hears nothing of HTTP.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.answer;
