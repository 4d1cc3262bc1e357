/**
 * Which way a question's evidence is looked for, by tables alone: {@code ContextRouter} looks up names,
 * {@code RouteChoice} picks one route, and each route is a class.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.retrieval.route;
