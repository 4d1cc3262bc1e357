package dev.askgateway.answer.completion;

import dev.askgateway.provider.ModelRequest;

/**
 * One completion to make.
 *
 * @param model a profile, or a model's id
 * @param openAiOnly whether the request says more than its neutral view: only models that get it as
 *     it was written can answer it
 * @param bytes length of the request as it was written
 */
public record CompletionCommand(
    Caller caller, String model, ModelRequest request, boolean openAiOnly, long bytes) {}
