package dev.askgateway.config;

import dev.askgateway.store.BudgetPolicy;

/** The database with people's accounts, and what those get that say nothing else. */
public record AccountSettings(DatabaseSettings database, BudgetPolicy policy) {}
