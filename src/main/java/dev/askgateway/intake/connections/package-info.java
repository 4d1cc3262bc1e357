/** People's own provider keys over HTTP. What may enter reads requests and shows what may be shown. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake.connections;
