/**
 * The HTTP door: the contract, who asks, what a request says, and where its answer goes. Thin: it ends
 * where an answer begins. What may enter speaks HTTP and decides nothing about answers.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake;
