/**
 * Pure: what may enter turns evidence and a question into a vendor-neutral prompt within a token
 * budget. Knows no provider and reads nothing.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.prompt;
