/** PostgreSQL with pgvector and Redis for the demo and the tests; never part of the product's jar. */
@NullMarked
package dev.askgateway.devservices;

import org.jspecify.annotations.NullMarked;
