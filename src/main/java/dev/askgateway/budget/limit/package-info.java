/**
 * How much of the gateway one owner (a person, or an address) may use: a token bucket and a number of
 * requests at a time, shared by all nodes through Redis, kept by each node for itself without it. What
 * may enter counts requests, never money.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.budget.limit;
