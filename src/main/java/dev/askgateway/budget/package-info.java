/**
 * Money, and the Redis that keeps it fast: prices, holds, and the live state that nodes share (the
 * turn-event log, cancel signals). What may enter counts micro-USD or talks to Redis.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.budget;
