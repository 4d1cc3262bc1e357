package dev.askgateway.store;

import java.math.BigDecimal;

/**
 * What a person paid for credits, as they paid it.
 *
 * @param amount in the currency's own unit
 * @param rate units of the currency for one US dollar
 * @param markup the rate times this is what a dollar of credits cost
 */
public record Payment(BigDecimal amount, String currency, BigDecimal rate, BigDecimal markup) {}
