/**
 * File + environment, read once into validated records. What may enter is a key that {@code
 * gateway.yaml} names with its default; unknown keys are refused.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.config;
