/**
 * Which models there are and which may answer a request: capability records, profiles, data policy,
 * order and health. What may enter chooses; it calls nobody.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.route;
