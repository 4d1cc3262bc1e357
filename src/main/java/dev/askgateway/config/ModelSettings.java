package dev.askgateway.config;

import dev.askgateway.budget.PriceBook;
import dev.askgateway.provider.route.Catalogue;

/** The models that can be asked and what they cost. */
public record ModelSettings(Catalogue catalogue, PriceBook prices) {}
