package dev.askgateway.budget.limit;

/**
 * One request's wish to be served.
 *
 * @param owner whose bucket it is: a person's id, or an address
 * @param bucket which of the owner's buckets
 * @param request an id of its own for this request, under which it is counted while it runs
 */
public record Claim(String owner, String bucket, Limit limit, String request) {}
