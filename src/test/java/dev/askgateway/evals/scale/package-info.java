/** Retrieval over very many messages: how long it takes, and how much of what is nearest it finds. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.evals.scale;
