/**
 * What a request did, step by step, as spans: the port that rooms speak to, and the only names, keys and
 * words they can say there. What may enter is a name from a fixed list; no free text passes.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.core.trace;
