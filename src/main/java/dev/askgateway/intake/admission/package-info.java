/** Who is let in when there is more to do than can be done in time, and when the node is to go. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake.admission;
