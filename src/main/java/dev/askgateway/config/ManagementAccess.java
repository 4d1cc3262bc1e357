package dev.askgateway.config;

import dev.askgateway.intake.ManagementConfig;
import dev.askgateway.provider.http.ClientLimits;

/** Where a running gateway is managed, and the limits of the client that asks it. */
public record ManagementAccess(ManagementConfig management, ClientLimits client) {}
