/** Shared words, no I/O: what may enter is a plain value or a port that several rooms speak of. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.core;
