/**
 * How many tokens a text is, before a model says so. What may enter counts or bounds; it knows no
 * model and no price.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.tokens;
