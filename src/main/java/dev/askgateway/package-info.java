/** Start and composition root: {@code Main}, {@code Gateway}. The only place that names every room. */
@org.jspecify.annotations.NullMarked
package dev.askgateway;
