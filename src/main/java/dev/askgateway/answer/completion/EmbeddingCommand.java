package dev.askgateway.answer.completion;

import dev.askgateway.provider.EmbeddingModel;

/**
 * Texts to embed.
 *
 * @param model a profile, or a model's id
 */
public record EmbeddingCommand(Caller caller, String model, EmbeddingModel.Request request) {}
