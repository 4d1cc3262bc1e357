/**
 * All SQL: the pool, migrations and repositories. What may enter is a statement that names the person
 * it works for, or one of the few owner functions that return ids only.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.store;
