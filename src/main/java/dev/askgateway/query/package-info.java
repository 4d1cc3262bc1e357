/** Pure: what may enter turns a question, a clock and a zone into a query plan, without any I/O. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.query;
