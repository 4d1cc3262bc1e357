/** Measures retrieval: the product's own beside plain methods, on open conversations and on golden questions. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.evals;
