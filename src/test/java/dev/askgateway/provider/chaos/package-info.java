/**
 * Providers that misbehave in every way seen, and what the gateway makes of them: a scripted server
 * for all three wire formats, a fuzz of what it may send, and the table of failures.
 */
package dev.askgateway.provider.chaos;
