/**
 * Spans over OpenTelemetry: what requests tell of themselves, kept to names, numbers and ids, and sent to a
 * collector. The only place that knows OpenTelemetry.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.telemetry.trace;
