/**
 * Upstream models: the ports, routing, the failover gate and its deadlines. What may enter talks to
 * a model; wire formats live in a package of their own for each dialect and decide nothing.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider;
