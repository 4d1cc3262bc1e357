/** The table of failures: each fault of each wire format, and what the reader of the answer sees. */
package dev.askgateway.provider.chaos.matrix;
