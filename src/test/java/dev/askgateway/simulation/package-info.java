/**
 * Requests through nodes, copy, database, model and clients in simulated time, broken in every way a
 * seed can think of; the database is a real one. A run is one seed: it can be seen again.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.simulation;
