/**
 * HTTP towards other people's servers: the one client, its bounds, and what every dialect needs to
 * read of a response. What may enter knows HTTP and no vendor.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.http;
