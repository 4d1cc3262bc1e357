/**
 * Streams that no vendor sends, by the hundred thousand, read in this process: whatever comes, an
 * answer ends once, at once, and with a failure that has a kind.
 */
package dev.askgateway.provider.chaos.fuzz;
