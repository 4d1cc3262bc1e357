/** The whole gateway over real sockets, PostgreSQL and Redis: what it promises, read from outside. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.e2e;
