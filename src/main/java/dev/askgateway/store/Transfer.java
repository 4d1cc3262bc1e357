package dev.askgateway.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One line of a person's statement.
 *
 * @param kind reservation, settlement, release, monthly_grant, top_up, expiration or adjustment
 * @param state pending, posted, voided or expired
 * @param amounts micro-USD into (+) and out of (-) each account that it moved, in all nothing; the
 *     operator's own accounts are not among them
 * @param requests whose hold or end it is
 * @param priceBook the version of the prices; null where none was needed
 * @param payment what was paid; null where nothing was
 */
public record Transfer(
    long id,
    Instant at,
    String kind,
    String state,
    Map<String, Long> amounts,
    List<UUID> requests,
    @Nullable String priceBook,
    @Nullable Payment payment) {}
