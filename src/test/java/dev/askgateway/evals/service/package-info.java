/** A whole gateway over very many messages, asked as its clients ask: how soon, how many, and how it ends. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.evals.service;
