/**
 * Who may ask how much: each person, and each address that shows no valid token. What may enter decides
 * whose bucket a request is counted in, and tells the client.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake.limit;
