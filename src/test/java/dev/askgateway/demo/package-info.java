/** The demo: the whole gateway with sample conversations on one machine. Never in the jar. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.demo;
