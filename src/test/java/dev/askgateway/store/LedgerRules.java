package dev.askgateway.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What must hold of the books at any moment, whatever has happened: each rule by its name. */
public final class LedgerRules {
  private static final String RULES = """
      WITH mine AS (
        SELECT * FROM budget_accounts WHERE user_id = ANY (?)
      ), ledger AS (
        SELECT l.user_id, sum(allowance) AS allowance, sum(postpaid) AS postpaid, sum(credits) AS credits,
               sum(overage) AS overage, sum(held) AS held, sum(revenue) AS revenue, sum(provider) AS provider,
               count(*) FILTER (WHERE allowance + postpaid + credits + overage + held + revenue + granted + paid + fx <> 0
                                   OR provider + cost + absorbed <> 0) AS unbalanced
          FROM ledger_transfers l WHERE l.user_id = ANY (?) GROUP BY l.user_id
      ), holds AS (
        SELECT r.user_id, count(*) FILTER (WHERE r.hold_state = 'pending') AS open,
               sum(r.hold_micro_usd) FILTER (WHERE r.hold_state = 'pending') AS held,
               sum(CASE r.hold_state WHEN 'pending' THEN r.hold_overage_micro_usd
                   ELSE greatest(r.settled_micro_usd - r.hold_micro_usd + r.hold_overage_micro_usd, 0) END) AS overage
          FROM answer_requests r WHERE r.user_id = ANY (?) AND r.hold_state IS NOT NULL GROUP BY r.user_id
      ), used AS (
        SELECT e.user_id, sum(e.billable_cost_micro_usd) AS paid,
               sum(CASE e.billing_source WHEN 'byok' THEN 0
                   ELSE e.provider_cost_micro_usd + e.failed_cost_micro_usd END) AS owed
          FROM ai_usage_events e WHERE e.user_id = ANY (?) GROUP BY e.user_id
      )
      SELECT a.user_id, rule FROM mine a
        LEFT JOIN ledger l USING (user_id) LEFT JOIN holds h USING (user_id) LEFT JOIN used u USING (user_id),
      LATERAL (VALUES
        ('BALANCED', coalesce(l.unbalanced, 0) = 0),
        ('ALLOWANCE_IS_LEDGER', coalesce(l.allowance, 0)
           = coalesce(a.allowance_micro_usd - a.held_micro_usd - a.spent_micro_usd, 0)),
        -- Of this month alone, or of an account that never had a limit, of all its months.
        ('POSTPAID_IS_LEDGER', CASE WHEN a.allowance_micro_usd IS NULL
           THEN coalesce(l.postpaid, 0) IN (- a.held_micro_usd - a.spent_micro_usd,
                                            - coalesce(h.held, 0) - coalesce(u.paid, 0))
           ELSE coalesce(l.postpaid, 0) = 0 END),
        ('CREDITS_ARE_LEDGER', coalesce(l.credits, 0) = a.credits_micro_usd - a.credits_held_micro_usd),
        ('CREDITS_ARE_GRANTS', a.credits_micro_usd = coalesce((SELECT sum(g.remaining_micro_usd)
           FROM credit_grants g WHERE g.user_id = a.user_id), 0)),
        -- Owed of all months; the account counts its own month's.
        ('OVERAGE_IS_LEDGER', coalesce(l.overage, 0) = - coalesce(h.overage, 0)),
        ('HELD_IS_LEDGER', coalesce(l.held, 0) = a.held_micro_usd + a.credits_held_micro_usd
           + a.overage_held_micro_usd + a.carried_micro_usd AND coalesce(l.held, 0) = coalesce(h.held, 0)),
        ('OPEN_IS_COUNTED', a.open_holds = coalesce(h.open, 0)),
        ('REVENUE_IS_USAGE', coalesce(l.revenue, 0) = coalesce(u.paid, 0)),
        ('OWED_IS_USAGE', coalesce(l.provider, 0) = coalesce(u.owed, 0)),
        ('NOT_OVER_THE_ALLOWANCE', coalesce(a.held_micro_usd + a.spent_micro_usd <= a.allowance_micro_usd, true)),
        ('NOT_OVER_THE_CREDITS', a.credits_held_micro_usd <= a.credits_micro_usd),
        ('NOT_OVER_THE_OVERAGE', a.overage_held_micro_usd + a.overage_spent_micro_usd
           <= coalesce(a.overage_cap_micro_usd, 0))
      ) AS rules(rule, holds) WHERE NOT rules.holds ORDER BY 1, 2
      """;

  private LedgerRules() {}

  /**
   * Looks at the books of these persons.
   *
   * @param owner as whom all rows are seen, in the gateway's schema
   * @return each broken rule with its person; none is right
   */
  public static List<String> broken(Connection owner, List<String> persons) throws SQLException {
    try (PreparedStatement rules = owner.prepareStatement(RULES)) {
      for (int i = 1; i <= 4; i++) {
        rules.setArray(i, owner.createArrayOf("text", persons.toArray()));
      }
      List<String> broken = new ArrayList<>();
      try (ResultSet found = rules.executeQuery()) {
        while (found.next()) {
          broken.add(found.getString(2) + " of " + found.getString(1));
        }
      }
      return broken;
    }
  }
}
