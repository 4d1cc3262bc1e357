package dev.askgateway.retrieval.route;

import dev.askgateway.store.ContextRepository.Contacted;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Locale;

/**
 * How near two people seem by numbers of their chat alone: days with messages, balance, recency, and
 * little by volume (spec F3). The order is told by its components, never by a score.
 */
final class Closeness {
  private static final double DAYS_SHARE = 0.4;
  private static final double BALANCE_SHARE = 0.3;
  private static final double RECENCY_SHARE = 0.2;
  private static final double VOLUME_SHARE = 0.1;
  private static final double MANY_DAYS = 30;
  private static final double MANY_MESSAGES = 500;
  private static final double QUARTER_HOURS = 90 * 24.0;

  private Closeness() {}

  /** Nearest first, by what the question orders people by; ties by id. */
  static Comparator<Contacted> order(String kind, Instant at) {
    Comparator<Contacted> order =
        switch (kind) {
          case "frequency" -> Comparator.comparingLong(Contacted::quarter);
          case "recency" -> Comparator.comparing(Contacted::last);
          default ->
            Comparator.comparing(Closeness::isMutual)
                .thenComparing(chat -> score(chat, at), Comparator.naturalOrder());
        };
    return order.reversed().thenComparing(Contacted::chatId);
  }

  /** Both write, and on more than one day: no robot, no single burst. */
  static boolean isMutual(Contacted chat) {
    return chat.sent() > 0 && chat.received() > 0 && chat.days() > 1;
  }

  private static double score(Contacted chat, Instant at) {
    double most = Math.max(1.0, (double) Math.max(chat.sent(), chat.received()));
    double hours = (double) Duration.between(chat.last(), at).toHours();
    return DAYS_SHARE * Math.min(1, (double) chat.days() / MANY_DAYS)
        + BALANCE_SHARE * (double) Math.min(chat.sent(), chat.received()) / most
        + RECENCY_SHARE * Math.max(0, 1 - hours / QUARTER_HOURS)
        + VOLUME_SHARE
            * Math.min(1, Math.log1p((double) chat.quarter()) / Math.log1p(MANY_MESSAGES));
  }

  /** The components, for a model to explain: "in the last 30 days 12 messages, ...". */
  static String note(Contacted chat, ZoneId zone) {
    String last = DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH)
        .withZone(zone)
        .format(chat.last());
    return "counted in this chat: %d messages in the last 30 days, %d in the last 90 (%d sent, %d received), on %d days; last on %s"
        .formatted(chat.month(), chat.quarter(), chat.sent(), chat.received(), chat.days(), last);
  }
}
