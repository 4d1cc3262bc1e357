/**
 * One request's way over the models that may answer it: attempts, deadlines, retries, hedging, and
 * the commit at the first output. What may enter decides when to ask whom, and knows no vendor.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.gate;
