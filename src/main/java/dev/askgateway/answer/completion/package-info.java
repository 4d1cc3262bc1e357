/**
 * The life of one completion or embedding: hold, plan, call, hand on, settle. What may enter is about
 * requests that are answered by a model as they are, and kept in no thread.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.answer.completion;
