package dev.askgateway.retrieval.route;

import dev.askgateway.core.Routing;
import dev.askgateway.retrieval.Retrieved;

/** What a search found, and the way it went. */
public record Routed(Routing routing, Retrieved found) {}
