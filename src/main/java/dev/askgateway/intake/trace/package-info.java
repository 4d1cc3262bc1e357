/** The name and the span of a request, from the door to whoever begins something with it. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake.trace;
