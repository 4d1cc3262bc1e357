package dev.askgateway.provider.gate;

import dev.askgateway.core.TokenStream;
import dev.askgateway.provider.ModelProvider;

/**
 * The one model that answers.
 *
 * @param stream paused; its first event is the attempt's first. Deadlines are kept inside
 */
public record Committed(TokenStream stream, ModelProvider provider) {}
