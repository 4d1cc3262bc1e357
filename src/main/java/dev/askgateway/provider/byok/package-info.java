/**
 * People's own provider keys: sealed at rest, opened for a call, sent nowhere but to the provider they
 * belong to. What may enter handles a person's own connection and never a managed one.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.byok;
