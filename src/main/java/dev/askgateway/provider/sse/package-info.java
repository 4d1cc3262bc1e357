/** Event streams of any vendor: bytes to events, and an HTTP response to a token stream. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.sse;
