/**
 * What an answer may draw on: text and vector search, fusion, floors, diversity and windows. What may
 * enter decides which messages are evidence; all SQL is the store's.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.retrieval;
