/** Vectors behind ingestion: a durable queue, leased by person, that survives edits, crashes and bad rows. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.indexing;
