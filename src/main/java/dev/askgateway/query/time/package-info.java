/** Pure: expressions of time in a question, English and Spanish, and the half-open ranges they mean. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.query.time;
