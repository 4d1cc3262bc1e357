package dev.askgateway.store;

import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * What a person has, in micro-USD, as it stands now (spec G2).
 *
 * @param allowance of this month
 * @param requestCap most that one request may hold, of the account's own and the gateway's the lower;
 *     null: any amount
 */
public record BudgetAccount(
    Allowance allowance,
    Credits credits,
    Overage overage,
    @Nullable Long requestCap,
    DailyWarning dailyWarning) {

  /**
   * What is there each month, and gone with it.
   *
   * @param monthly null: the account has no limit
   * @param held by requests that run
   * @param month in UTC
   */
  public record Allowance(@Nullable Long monthly, long spent, long held, YearMonth month) {

    /** What can still be held; null without a limit. */
    public @Nullable Long left() {
      return monthly == null ? null : monthly - spent - held;
    }
  }

  /**
   * What was granted beside it.
   *
   * @param left neither spent, nor held, nor expired
   * @param nextExpiry what expires first; null: nothing does
   */
  public record Credits(long left, long held, @Nullable Expiry nextExpiry) {}

  /**
   * Credits that expire.
   *
   * @param microUsd held ones among them
   */
  public record Expiry(Instant at, long microUsd) {}

  /**
   * What the person pays beyond it all.
   *
   * @param cap what they agreed to for a month; null: nothing
   */
  public record Overage(@Nullable Long cap, long spent, long held) {}

  /**
   * What is told, and keeps nobody from asking.
   *
   * @param threshold the account's own, else the gateway's; null: none
   * @param spentToday since midnight, UTC
   */
  public record DailyWarning(@Nullable Long threshold, long spentToday) {

    /** Whether that much is spent today. */
    public boolean reached() {
      return threshold != null && spentToday >= threshold;
    }
  }
}
