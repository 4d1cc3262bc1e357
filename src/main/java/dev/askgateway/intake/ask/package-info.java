/**
 * Pure: what a request's JSON asks, in every shape that clients send it. What may enter reads a value
 * and refuses or returns one.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake.ask;
