package dev.askgateway.intake.edge;

import dev.askgateway.answer.completion.CompletionService;

/** What the edge stands on. */
public record EdgeParts(EdgeConfig config, CompletionService completions) {}
