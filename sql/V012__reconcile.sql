-- Whether what is written of money agrees: requests, accounts, grants, ledger and usage say the same thing
-- five times over, each from its own rows. All of it is looked at in one statement, so that what a running
-- transaction has yet to commit is seen everywhere or nowhere.

-- One row for each thing that differs: micro-USD, or counts of rows where the kind names no money. request_id
-- is null for an account as a whole. A request is told of whose lease ended longer than p_lapsed ago: nobody
-- sweeps.
CREATE FUNCTION reconcile(p_lapsed interval)
RETURNS TABLE (kind text, person text, request_id uuid, expected bigint, found bigint)
LANGUAGE sql STABLE AS $$
  WITH asked AS MATERIALIZED (
    SELECT q.user_id, q.request_id, q.status = 'streaming' AS running, coalesce(q.hold_state = 'pending', false) AS pending,
           q.hold_micro_usd AS hold, q.hold_credits_micro_usd AS hold_c, q.hold_overage_micro_usd AS hold_o,
           q.hold_micro_usd - q.hold_credits_micro_usd - q.hold_overage_micro_usd AS hold_a,
           q.settled_micro_usd AS settled, coalesce(q.lease_until, q.created_at) AS lease_until,
           coalesce(q.hold_month = a.month, false) AS this_month
      FROM answer_requests q LEFT JOIN budget_accounts a ON a.user_id = q.user_id
  ), paid AS (
    -- What was held of the allowance pays first, then the credits, then the overage.
    SELECT q.*, CASE WHEN q.settled IS NOT NULL THEN least(q.settled, q.hold_a) END AS used_a,
           greatest(q.settled - q.hold_a - q.hold_c, 0) AS used_o
      FROM asked q
  ), holds AS (
    SELECT q.user_id,
           sum(q.hold_a) FILTER (WHERE q.pending AND q.this_month) AS held,
           sum(q.used_a) FILTER (WHERE q.this_month) AS spent,
           sum(q.hold_a + q.hold_o) FILTER (WHERE q.pending AND NOT q.this_month) AS carried,
           sum(q.hold_c) FILTER (WHERE q.pending) AS credits_held,
           sum(q.hold_o) FILTER (WHERE q.pending AND q.this_month) AS overage_held,
           sum(q.used_o) FILTER (WHERE q.this_month) AS overage_spent,
           sum(CASE WHEN q.pending THEN q.hold_o ELSE q.used_o END) AS overage,
           sum(q.hold) FILTER (WHERE q.pending) AS pending,
           count(*) FILTER (WHERE q.pending) AS open
      FROM paid q GROUP BY q.user_id
  ), used AS MATERIALIZED (
    SELECT u.user_id, u.request_id, u.billable_cost_micro_usd AS billable,
           CASE u.billing_source WHEN 'byok' THEN 0 ELSE u.provider_cost_micro_usd + u.failed_cost_micro_usd END AS owed
      FROM ai_usage_events u
  ), bills AS (
    SELECT u.user_id, sum(u.billable) AS billable, sum(u.owed) AS owed, sum(least(u.owed, u.billable)) AS covered
      FROM used u GROUP BY u.user_id
  ), grants AS (
    SELECT g.user_id, sum(g.remaining_micro_usd) AS remaining FROM credit_grants g GROUP BY g.user_id
  ), ledger AS (
    SELECT t.user_id, sum(t.allowance) AS allowance, sum(t.credits) AS credits, sum(t.overage) AS overage,
           sum(t.held) AS held, sum(t.revenue) AS revenue, sum(t.provider) AS provider, sum(t.cost) AS cost,
           sum(t.absorbed) AS absorbed
      FROM ledger_transfers t GROUP BY t.user_id
  ), named AS (
    SELECT t.user_id, n.request_id, count(*) FILTER (WHERE t.kind = 'reservation') AS reserved,
           count(*) FILTER (WHERE t.kind <> 'reservation') AS ended
      FROM ledger_transfers t, unnest(t.requests) AS n(request_id) GROUP BY t.user_id, n.request_id
  ), accounts AS (
    SELECT user_id, v.kind, coalesce(v.expected, 0)::bigint AS expected, coalesce(v.found, 0)::bigint AS found
      FROM budget_accounts a
      FULL JOIN holds h USING (user_id)
      FULL JOIN bills b USING (user_id)
      FULL JOIN grants g USING (user_id)
      FULL JOIN ledger l USING (user_id)
     CROSS JOIN LATERAL (VALUES
       ('account_held', h.held, a.held_micro_usd::numeric),
       ('account_spent', h.spent, a.spent_micro_usd),
       ('account_carried', h.carried, a.carried_micro_usd),
       ('account_credits', g.remaining, a.credits_micro_usd),
       ('account_credits_held', h.credits_held, a.credits_held_micro_usd),
       ('account_overage_held', h.overage_held, a.overage_held_micro_usd),
       ('account_overage_spent', h.overage_spent, a.overage_spent_micro_usd),
       ('account_open_holds', h.open, a.open_holds),
       ('ledger_allowance', a.allowance_micro_usd - a.held_micro_usd - a.spent_micro_usd, l.allowance),
       ('ledger_credits', a.credits_micro_usd - a.credits_held_micro_usd, l.credits),
       ('ledger_overage', - h.overage, l.overage),
       ('ledger_held', h.pending, l.held),
       ('ledger_revenue', b.billable, l.revenue),
       ('ledger_provider', b.owed, l.provider),
       ('ledger_cost', - b.covered, l.cost),
       ('ledger_absorbed', b.covered - b.owed, l.absorbed)) AS v(kind, expected, found)
  ), requests AS (
    SELECT user_id, request_id, v.kind, v.expected, v.found
      FROM asked q
      FULL JOIN used u USING (user_id, request_id)
      FULL JOIN named n USING (user_id, request_id)
     CROSS JOIN LATERAL (VALUES
       -- A row of the ledger or of usage, whose request there is none.
       ('request_rows', 1, CASE WHEN q.running IS NULL THEN 0 ELSE 1 END::bigint),
       ('request_hold_pending', q.running::integer, q.pending::integer),
       ('request_usage_rows', (NOT q.running)::integer, (u.billable IS NOT NULL)::integer),
       ('request_billed', CASE WHEN NOT q.running AND u.billable IS NOT NULL THEN coalesce(q.settled, -1) ELSE u.billable END, u.billable),
       ('request_reservations', (q.hold > 0)::integer, coalesce(n.reserved, 0)),
       -- One that moved nothing may be named beside others that did.
       ('request_ends', CASE WHEN q.running THEN 0 WHEN q.hold > 0 OR u.owed > 0 THEN 1
                             ELSE least(coalesce(n.ended, 0), 1) END, coalesce(n.ended, 0)),
       ('request_lapsed_seconds', 0, CASE WHEN q.running AND q.lease_until < now() - p_lapsed
                                          THEN extract(epoch FROM now() - q.lease_until)::bigint ELSE 0 END)
       ) AS v(kind, expected, found)
     WHERE q.running IS NOT NULL OR v.kind = 'request_rows'
  )
  SELECT a.kind, a.user_id, NULL::uuid, a.expected, a.found FROM accounts a WHERE a.expected <> a.found
  UNION ALL
  SELECT r.kind, r.user_id, r.request_id, r.expected, r.found FROM requests r WHERE r.expected <> r.found
$$;

-- All of it in numbers, and at most so many of the differences themselves.
CREATE FUNCTION reconcile_report(p_limit integer, p_lapsed interval) RETURNS jsonb LANGUAGE sql STABLE AS $$
  WITH differs AS MATERIALIZED (SELECT * FROM reconcile(p_lapsed)),
  kinds AS (SELECT d.kind, count(*) AS n FROM differs d GROUP BY d.kind),
  shown AS (SELECT * FROM differs d ORDER BY d.kind, d.person, d.request_id LIMIT p_limit)
  SELECT jsonb_build_object(
    'requests', (SELECT count(*) FROM answer_requests),
    'accounts', (SELECT count(*) FROM budget_accounts),
    'openHolds', (SELECT count(*) FROM answer_requests WHERE hold_state = 'pending'),
    'kinds', (SELECT coalesce(jsonb_object_agg(k.kind, k.n), '{}') FROM kinds k),
    'rows', (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', s.kind, 'person', s.person, 'request', s.request_id,
                       'expected', s.expected, 'found', s.found) ORDER BY s.kind, s.person, s.request_id), '[]')
               FROM shown s))
$$;

-- The numbers alone, for the gateway: nothing of a person. Null while another node is at it.
CREATE FUNCTION reconcile_counts(p_lapsed interval) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('${schema}'), hashtext('reconcile')) THEN
    RETURN NULL;
  END IF;
  RETURN reconcile_report(0, p_lapsed) - 'rows';
END
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('reconcile', 'reconcile_report', 'reconcile_counts') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
    -- It reads whole tables, by hashes that should fit.
    EXECUTE format('ALTER FUNCTION %s SET work_mem = ''64MB''', f);
    EXECUTE format('ALTER FUNCTION %s SET jit = off', f);
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION reconcile_counts TO ${gatewayRole};
