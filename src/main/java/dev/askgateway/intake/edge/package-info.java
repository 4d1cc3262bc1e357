/**
 * The OpenAI-compatible edge: what its requests say and where its answers go. The hot path: what may
 * enter reads a request once and decides nothing about answers.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake.edge;
