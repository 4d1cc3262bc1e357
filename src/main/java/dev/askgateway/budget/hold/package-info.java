/**
 * What the nodes share of accounts: a copy in Redis that refuses early what cannot be held. What may
 * enter advises; what holds is the database's.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.budget.hold;
