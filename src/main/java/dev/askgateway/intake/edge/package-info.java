/**
 * The edge: models for programs, in the words of the vendors' own APIs. What may enter reads and writes
 * those words and decides nothing about models.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake.edge;
