-- Images apart in usage, payments in other currencies, and what calls for vectors cost.

-- ---------------------------------------------------------------- images

-- A constant as default: no row is written for it.
ALTER TABLE ai_usage_events ADD COLUMN image_tokens bigint NOT NULL DEFAULT 0;
ALTER TABLE ai_usage_attempts ADD COLUMN image_tokens bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN ai_usage_events.image_tokens IS 'of input_tokens, where the provider tells them apart';
COMMENT ON COLUMN ai_usage_attempts.image_tokens IS 'of input_tokens, where the provider tells them apart';

-- ---------------------------------------------------------------- the call for a question's vector

ALTER TABLE ai_usage_attempts
  DROP CONSTRAINT ai_usage_attempts_purpose_check,
  ADD CONSTRAINT ai_usage_attempts_purpose_check CHECK (purpose IN ('answer', 'planner', 'embedding'));
COMMENT ON COLUMN ai_usage_attempts.purpose IS 'answer: a model that was tried and gave no text, the operator''s, never billed; planner and embedding: the calls for the question''s plan and its vectors, billed with an answer that is billed';

-- What is written of an end, but for money: a usage row, and one for each other call. Nodes of before say no
-- purpose, and nothing of images.
CREATE OR REPLACE FUNCTION note_usage(p_user text, p_request uuid, p_kind text, p_profile text, p_book text, p_end jsonb,
                           p_billable bigint, p_source text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  u jsonb := p_end -> 'usage';
BEGIN
  INSERT INTO ai_usage_events (user_id, request_id, feature, profile, provider, model, input_tokens, cache_read_tokens,
    cache_write_tokens, output_tokens, reasoning_tokens, image_tokens, estimated, provider_cost_micro_usd, billable_cost_micro_usd,
    failed_attempts, failed_cost_micro_usd, price_book_version, latency_ms, status, error_code, billing_source)
  VALUES (p_user, p_request, CASE p_kind WHEN 'turn' THEN 'assistant' ELSE p_kind END, p_profile,
    p_end ->> 'provider', p_end ->> 'model', (u ->> 'inputTokens')::bigint, (u ->> 'cacheReadTokens')::bigint,
    (u ->> 'cacheWriteTokens')::bigint, (u ->> 'outputTokens')::bigint, (u ->> 'reasoningTokens')::bigint,
    coalesce((u ->> 'imageTokens')::bigint, 0), (u ->> 'estimated')::boolean, (p_end ->> 'costMicroUsd')::bigint, p_billable,
    coalesce((p_end ->> 'failedAttempts')::integer, 0), coalesce((p_end ->> 'failedCostMicroUsd')::bigint, 0),
    p_book, (p_end ->> 'latencyMs')::bigint, CASE WHEN p_billable > 0 THEN 'settled' ELSE 'released' END,
    p_end ->> 'errorCode', p_source);
  IF jsonb_typeof(p_end -> 'attempts') = 'array' THEN
    INSERT INTO ai_usage_attempts (user_id, request_id, attempt, provider, model, input_tokens, cache_read_tokens,
      cache_write_tokens, output_tokens, reasoning_tokens, image_tokens, estimated, provider_cost_micro_usd, price_book_version,
      purpose)
    SELECT p_user, p_request, t.place, t.a ->> 'provider', t.a ->> 'model', (t.a ->> 'inputTokens')::bigint,
           (t.a ->> 'cacheReadTokens')::bigint, (t.a ->> 'cacheWriteTokens')::bigint,
           (t.a ->> 'outputTokens')::bigint, (t.a ->> 'reasoningTokens')::bigint,
           coalesce((t.a ->> 'imageTokens')::bigint, 0), (t.a ->> 'estimated')::boolean,
           (t.a ->> 'costMicroUsd')::bigint, p_book, coalesce(t.a ->> 'purpose', 'answer')
      FROM jsonb_array_elements(p_end -> 'attempts') WITH ORDINALITY AS t(a, place);
  END IF;
END
$$;

-- Ends the plain ones: those that run, are this node's, are kept in no thread, hold of this month's
-- allowance alone, and have no attempts that failed. Requests are locked before accounts.
CREATE OR REPLACE FUNCTION finish_group(p_node text, p_users text[], p_requests uuid[], p_ends jsonb[])
RETURNS TABLE (place integer, account jsonb) LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  this_month date := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
  today      date := (now() AT TIME ZONE 'UTC')::date;
  plain      integer[];
  places     integer[];
  accounts   jsonb[];
BEGIN
  WITH locked AS (
    SELECT q.user_id, q.request_id, w.place
      FROM unnest(p_users, p_requests, p_ends) WITH ORDINALITY AS w(u, request, body, place)
      JOIN answer_requests q ON q.user_id = w.u AND q.request_id = w.request
     WHERE q.status = 'streaming' AND q.lease_node = p_node AND q.thread_id IS NULL AND q.hold_credits_micro_usd = 0
       AND q.hold_overage_micro_usd = 0 AND q.hold_month = this_month AND w.body -> 'attempts' IS NULL
     ORDER BY q.user_id, q.request_id FOR UPDATE OF q
  ), of_now AS (
    SELECT a.user_id, a.month FROM budget_accounts a
     WHERE a.user_id = ANY (p_users) AND (SELECT count(*) FROM locked) > 0 ORDER BY a.user_id FOR UPDATE
  )
  -- What is ended twice in one group is ended by the first.
  SELECT array_agg(f.place) INTO plain
    FROM (SELECT min(l.place) AS place FROM locked l JOIN of_now a ON a.user_id = l.user_id AND a.month = this_month
           GROUP BY l.user_id, l.request_id) f;
  IF plain IS NULL THEN
    RETURN;
  END IF;

  WITH ends AS (
    SELECT w.u, w.request, w.place, w.body, w.body -> 'usage' AS usage, (w.body ->> 'costMicroUsd')::bigint AS cost,
           coalesce((w.body ->> 'billableMicroUsd')::bigint, (w.body ->> 'costMicroUsd')::bigint) AS wants,
           coalesce((w.body ->> 'failedCostMicroUsd')::bigint, 0) AS failed,
           coalesce(w.body ->> 'billingSource', 'managed_allowance') AS source, w.body ->> 'errorCode' AS error
      FROM unnest(p_users, p_requests, p_ends) WITH ORDINALITY AS w(u, request, body, place)
     WHERE w.place = ANY (plain)
  ), closed AS (
    UPDATE answer_requests q
       SET status = e.body ->> 'status', lease_node = NULL, lease_until = NULL, finished_at = clock_timestamp(),
           settled_micro_usd = least(e.wants, q.hold_micro_usd),
           hold_state = CASE WHEN least(e.wants, q.hold_micro_usd) > 0 THEN 'posted'
                             WHEN e.error = 'interrupted' THEN 'expired' ELSE 'voided' END,
           outcome = jsonb_build_object('usage', e.usage, 'costMicroUsd', least(e.wants, q.hold_micro_usd),
             'finishReason', e.body ->> 'finishReason', 'provider', e.body ->> 'provider',
             'model', e.body ->> 'model', 'errorCode', e.error)
      FROM ends e WHERE q.user_id = e.u AND q.request_id = e.request
    RETURNING q.user_id, q.request_id, e.place, q.kind, q.profile, q.hold_state AS state, q.price_book_version AS book,
              q.hold_micro_usd AS hold, q.settled_micro_usd AS paid, e.body, e.usage, e.cost, e.failed, e.source, e.error,
              CASE e.source WHEN 'byok' THEN 0 ELSE e.cost + e.failed END AS owed
  ), used AS (
    INSERT INTO ai_usage_events (user_id, request_id, feature, profile, provider, model, input_tokens,
      cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, image_tokens, estimated, provider_cost_micro_usd,
      billable_cost_micro_usd, failed_attempts, failed_cost_micro_usd, price_book_version, latency_ms, status,
      error_code, billing_source)
    SELECT c.user_id, c.request_id, c.kind, c.profile, c.body ->> 'provider', c.body ->> 'model',
           (c.usage ->> 'inputTokens')::bigint, (c.usage ->> 'cacheReadTokens')::bigint,
           (c.usage ->> 'cacheWriteTokens')::bigint, (c.usage ->> 'outputTokens')::bigint,
           (c.usage ->> 'reasoningTokens')::bigint, coalesce((c.usage ->> 'imageTokens')::bigint, 0),
           (c.usage ->> 'estimated')::boolean, c.cost, c.paid,
           coalesce((c.body ->> 'failedAttempts')::integer, 0), c.failed, c.book, (c.body ->> 'latencyMs')::bigint,
           CASE WHEN c.paid > 0 THEN 'settled' ELSE 'released' END, c.error, c.source
      FROM closed c
  ), books AS (
    SELECT c.user_id, c.book, c.state, array_agg(c.request_id) AS requests, sum(c.hold)::bigint AS hold,
           sum(c.paid)::bigint AS paid, sum(c.owed)::bigint AS owed, sum(least(c.owed, c.paid))::bigint AS covered
      FROM closed c GROUP BY c.user_id, c.book, c.state
  ), changed AS (
    UPDATE budget_accounts a
       SET held_micro_usd = a.held_micro_usd - t.hold, spent_micro_usd = a.spent_micro_usd + t.paid,
           day = greatest(a.day, today),
           day_spent_micro_usd = t.paid + CASE WHEN a.day >= today THEN a.day_spent_micro_usd ELSE 0 END,
           open_holds = a.open_holds - t.n, version = a.version + 1
      FROM (SELECT c.user_id AS u, sum(c.hold)::bigint AS hold, sum(c.paid)::bigint AS paid, count(*)::integer AS n,
                   min(c.place) AS place FROM closed c GROUP BY c.user_id) t
     WHERE a.user_id = t.u
    RETURNING a AS acc, t.u, t.place
  ), moved AS (
    INSERT INTO ledger_transfers (user_id, requests, kind, state, allowance, postpaid, held, revenue, provider, cost,
                                  absorbed, price_book_version)
    SELECT b.user_id, b.requests, CASE b.state WHEN 'posted' THEN 'settlement' ELSE 'release' END, b.state,
           CASE WHEN (c.acc).allowance_micro_usd IS NULL THEN 0 ELSE b.hold - b.paid END,
           CASE WHEN (c.acc).allowance_micro_usd IS NULL THEN b.hold - b.paid ELSE 0 END,
           - b.hold, b.paid, b.owed, - b.covered, b.covered - b.owed, b.book
      FROM books b JOIN changed c ON c.u = b.user_id WHERE b.hold > 0 OR b.owed > 0
  )
  SELECT array_agg(e.place::integer), array_agg(CASE WHEN c.place = e.place THEN account_copy(c.acc) END)
    INTO places, accounts
    FROM closed e JOIN changed c ON c.u = e.user_id;
  RETURN QUERY SELECT * FROM unnest(places, accounts);
EXCEPTION
  WHEN deadlock_detected OR serialization_failure THEN
    RAISE;
  WHEN OTHERS THEN
    RETURN;
END
$$;

-- ---------------------------------------------------------------- what the operator uses for itself

COMMENT ON COLUMN ai_usage_events.billing_source IS 'who paid: managed_allowance, managed_overage, byok, local; internal: nobody, it is of no request';
ALTER TABLE ledger_transfers
  DROP CONSTRAINT ledger_transfers_kind_check,
  ADD CONSTRAINT ledger_transfers_kind_check CHECK (kind IN ('reservation', 'settlement', 'release', 'monthly_grant',
    'top_up', 'expiration', 'adjustment', 'operating'));

-- Notes a person's part of a call that the operator makes for itself, in usage and in what providers are
-- owed. Asks no account: nobody's budget stands in its way.
CREATE FUNCTION note_operating(p_user text, p_feature text, p_profile text, p_provider text, p_model text,
                               p_tokens bigint, p_estimated boolean, p_cost bigint, p_price_book text,
                               p_latency_ms bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  INSERT INTO ai_usage_events (user_id, request_id, feature, profile, provider, model, input_tokens, cache_read_tokens,
    cache_write_tokens, output_tokens, reasoning_tokens, estimated, provider_cost_micro_usd, billable_cost_micro_usd,
    price_book_version, latency_ms, status, billing_source)
  VALUES (p_user, gen_random_uuid(), p_feature, p_profile, p_provider, p_model, p_tokens, 0, 0, 0, 0, p_estimated, p_cost,
    0, p_price_book, p_latency_ms, 'released', 'internal');
  INSERT INTO ledger_transfers (user_id, kind, state, provider, absorbed, price_book_version)
  VALUES (p_user, 'operating', 'posted', p_cost, - p_cost, p_price_book);
END
$$;

-- ---------------------------------------------------------------- payments in any currency

-- A payment is worth what its amount is at the rate of the day; the person gets what it is at that rate and
-- a markup. Both are cut to whole micro-USD, and what lies between them is fx: the operator's, in sight.
ALTER TABLE ledger_transfers
  ADD COLUMN paid          bigint NOT NULL DEFAULT 0,
  ADD COLUMN fx            bigint NOT NULL DEFAULT 0,
  ADD COLUMN paid_amount   numeric(20, 6),
  ADD COLUMN paid_currency text,
  ADD COLUMN paid_rate     numeric(20, 6),
  ADD COLUMN paid_markup   numeric(8, 6),
  DROP CONSTRAINT balanced,
  ADD CONSTRAINT balanced CHECK (
    allowance + postpaid + credits + overage + held + revenue + granted + paid + fx = 0
    AND provider + cost + absorbed = 0),
  ADD CONSTRAINT exchanged CHECK (
    CASE num_nonnulls(paid_amount, paid_currency, paid_rate, paid_markup)
      WHEN 0 THEN paid = 0 AND fx = 0
      WHEN 4 THEN kind = 'top_up' AND paid_currency ~ '^[A-Z]{3}$' AND paid_amount > 0 AND paid_rate > 0
                  AND paid_markup >= 1 AND granted = 0
                  AND paid = - div(paid_amount * 1000000, paid_rate)
                  AND credits = div(paid_amount * 1000000, paid_rate * paid_markup)
      ELSE false
    END);
COMMENT ON COLUMN ledger_transfers.paid IS 'what persons paid in, at the rate of the day, negative';
COMMENT ON COLUMN ledger_transfers.fx IS 'between what payments are worth and the credits that were given for them';
COMMENT ON COLUMN ledger_transfers.paid_rate IS 'of that currency for one US dollar';
COMMENT ON COLUMN ledger_transfers.paid_markup IS 'the rate times this is what a dollar of credits costs';

-- Adds credits, once for each source_key: whether it did. The caller writes the transfer.
CREATE FUNCTION add_credits(p_user text, p_source_key text, p_amount bigint, p_expires_at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  PERFORM lock_account(p_user, '{}');
  INSERT INTO credit_grants (user_id, source_key, amount_micro_usd, remaining_micro_usd, expires_at)
  VALUES (p_user, p_source_key, p_amount, p_amount, p_expires_at) ON CONFLICT (user_id, source_key) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE budget_accounts
     SET credits_micro_usd = credits_micro_usd + p_amount, version = version + 1,
         credits_expire_at = least(credits_expire_at, p_expires_at)
   WHERE user_id = p_user;
  RETURN true;
END
$$;

-- Grants credits, once for each source_key: whether it did.
CREATE OR REPLACE FUNCTION grant_credits(p_user text, p_source_key text, p_amount bigint, p_expires_at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF add_credits(p_user, p_source_key, p_amount, p_expires_at) THEN
    INSERT INTO ledger_transfers (user_id, source_key, kind, state, credits, granted)
    VALUES (p_user, p_source_key, 'top_up', 'posted', p_amount, - p_amount);
    RETURN true;
  END IF;
  IF NOT EXISTS (SELECT FROM ledger_transfers WHERE user_id = p_user AND source_key = p_source_key AND kind = 'top_up'
                  AND granted = - p_amount) THEN
    RAISE EXCEPTION USING ERRCODE = 'AG409', MESSAGE = 'source key used for another amount';
  END IF;
  RETURN false;
END
$$;

-- Credits for a payment, once for each source_key: whether it did. The constraint exchanged holds p_credits and
-- p_paid against amount, rate and markup.
CREATE FUNCTION top_up(p_user text, p_source_key text, p_credits bigint, p_paid bigint, p_amount numeric,
                       p_currency text, p_rate numeric, p_markup numeric, p_expires_at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF add_credits(p_user, p_source_key, p_credits, p_expires_at) THEN
    INSERT INTO ledger_transfers (user_id, source_key, kind, state, credits, paid, fx, paid_amount, paid_currency,
                                  paid_rate, paid_markup)
    VALUES (p_user, p_source_key, 'top_up', 'posted', p_credits, - p_paid, p_paid - p_credits, p_amount, p_currency,
            p_rate, p_markup);
    RETURN true;
  END IF;
  -- The same payment, told again on another day, may come with another rate: what was given stands.
  IF NOT EXISTS (SELECT FROM ledger_transfers WHERE user_id = p_user AND source_key = p_source_key AND kind = 'top_up'
                  AND paid_amount = p_amount AND paid_currency = p_currency) THEN
    RAISE EXCEPTION USING ERRCODE = 'AG409', MESSAGE = 'source key used for another payment';
  END IF;
  RETURN false;
END
$$;

-- ---------------------------------------------------------------- the day's warning, at the beginning

-- An account for those who keep a copy of it: version, what is free, how many holds are open; and for who
-- begins a request what was spent today and the account's own warning.
CREATE OR REPLACE FUNCTION account_copy(acc budget_accounts) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN jsonb_build_object('version', acc.version, 'free', account_free(acc), 'open', acc.open_holds,
    'requestCap', acc.request_cap_micro_usd, 'month', acc.month, 'dailyWarning', acc.daily_warning_micro_usd,
    'spentToday', CASE WHEN acc.day = (now() AT TIME ZONE 'UTC')::date THEN acc.day_spent_micro_usd ELSE 0 END);
END
$$;

-- ---------------------------------------------------------------- whether it all agrees

CREATE OR REPLACE FUNCTION reconcile(p_lapsed interval)
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
    SELECT u.user_id, u.request_id, u.billable_cost_micro_usd AS billable, u.billing_source = 'internal' AS internal,
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
  ), beside AS (
    -- Each thing twice, as expected and as found: a row is taken apart only where something differs.
    SELECT user_id, request_id, q.running IS NOT NULL AS there,
           (NOT q.running)::integer AS usage_e, (u.billable IS NOT NULL)::integer AS usage_f,
           q.running::integer AS pending_e, q.pending::integer AS pending_f,
           CASE WHEN NOT q.running AND u.billable IS NOT NULL THEN coalesce(q.settled, -1) ELSE u.billable END AS billed_e,
           u.billable AS billed_f,
           (q.hold > 0)::integer AS reserved_e, coalesce(n.reserved, 0) AS reserved_f,
           -- One that moved nothing may be named beside others that did.
           CASE WHEN q.running THEN 0 WHEN q.hold > 0 OR u.owed > 0 THEN 1 ELSE least(coalesce(n.ended, 0), 1) END AS ended_e,
           coalesce(n.ended, 0) AS ended_f,
           CASE WHEN q.running AND q.lease_until < now() - p_lapsed
                THEN extract(epoch FROM now() - q.lease_until)::bigint ELSE 0 END AS lapsed_f
      FROM asked q
      -- What the operator uses for itself belongs to no request.
      FULL JOIN (SELECT * FROM used WHERE NOT internal) u USING (user_id, request_id)
      FULL JOIN named n USING (user_id, request_id)
  ), requests AS (
    SELECT user_id, request_id, v.kind, v.expected, v.found
      FROM beside
     CROSS JOIN LATERAL (VALUES
       -- A row of the ledger or of usage, whose request there is none.
       ('request_rows', 1, there::integer::bigint),
       ('request_hold_pending', pending_e, pending_f),
       ('request_usage_rows', usage_e, usage_f),
       ('request_billed', billed_e, billed_f),
       ('request_reservations', reserved_e, reserved_f),
       ('request_ends', ended_e, ended_f),
       ('request_lapsed_seconds', 0, lapsed_f)) AS v(kind, expected, found)
     WHERE (NOT there OR usage_e <> usage_f OR pending_e <> pending_f OR billed_e <> billed_f OR reserved_e <> reserved_f
            OR ended_e <> ended_f OR lapsed_f <> 0)
       AND (there OR v.kind = 'request_rows')
  )
  SELECT a.kind, a.user_id, NULL::uuid, a.expected, a.found FROM accounts a WHERE a.expected <> a.found
  UNION ALL
  SELECT r.kind, r.user_id, r.request_id, r.expected, r.found FROM requests r WHERE r.expected <> r.found
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('note_usage', 'finish_group', 'note_operating', 'add_credits', 'grant_credits', 'top_up',
                              'account_copy', 'reconcile') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
    -- A function that is replaced loses its settings, and keeps its rights.
    IF f::text ~ 'finish_group' THEN
      EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_generic_plan', f);
      EXECUTE format('ALTER FUNCTION %s SET enable_hashjoin = off', f);
      EXECUTE format('ALTER FUNCTION %s SET enable_mergejoin = off', f);
      EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', f);
    ELSIF f::text ~ 'reconcile' THEN
      EXECUTE format('ALTER FUNCTION %s SET work_mem = ''64MB''', f);
      EXECUTE format('ALTER FUNCTION %s SET jit = off', f);
    ELSIF f::text ~ 'note_operating' THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    END IF;
  END LOOP;
END
$$;
