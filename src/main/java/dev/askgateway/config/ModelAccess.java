package dev.askgateway.config;

import dev.askgateway.provider.http.ClientLimits;

/** The models that can be asked, and the limits of the client that asks them. */
public record ModelAccess(ModelSettings models, ClientLimits upstream) {}
