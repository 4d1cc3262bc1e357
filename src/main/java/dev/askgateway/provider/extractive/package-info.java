/**
 * The answerer that needs no model: quotes the evidence. What may enter is deterministic, free of
 * charge and tells nothing that no message says.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.extractive;
