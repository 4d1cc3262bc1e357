package dev.askgateway.config;

import dev.askgateway.store.StoreConfig;

/**
 * The database and whether its schema is brought up to date at the start.
 *
 * @param migrateOnStart whether {@code serve} migrates before it listens
 */
public record DatabaseSettings(StoreConfig store, boolean migrateOnStart) {}
