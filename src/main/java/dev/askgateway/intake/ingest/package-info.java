/** Messages in: the stream of lines, their checks and the answer that counts them; no SQL, no HTTP client. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake.ingest;
