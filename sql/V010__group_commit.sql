-- Many completions and embeddings begun in one transaction, and many ended in one: what is durable
-- before a paid call costs a commit, and a busy node has many calls at a time. What one person begins
-- together is begun by a few statements for all of it, if all of it can be; if not, one by one, each in a
-- subtransaction of its own, so that who is refused leaves the others alone. Persons come in their order,
-- so that two nodes never wait for each other in a circle. In all they do these functions are begin_turn
-- and finish_turn for requests that are kept in no thread.

-- All of it or nothing: AG000 when it cannot be begun together.
CREATE FUNCTION begin_group(
  p_user text, p_node text, p_requests uuid[], p_fingerprints bytea[], p_targets text[],
  p_profiles text[], p_leases_ms bigint[], p_holds bigint[], p_price_books text[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  total bigint := (SELECT sum(hold) FROM unnest(p_holds) AS hold);
  made  integer;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  INSERT INTO answer_requests (user_id, request_id, kind, fingerprint, assistant_turn_id, scope_chat_ids,
                               profile, status, lease_node, lease_until)
  SELECT p_user, r.request, r.target, r.fingerprint, gen_random_uuid(), '{}', r.profile, 'streaming', p_node,
         clock_timestamp() + r.lease * interval '1 millisecond'
    FROM unnest(p_requests, p_targets, p_fingerprints, p_profiles, p_leases_ms)
         AS r(request, target, fingerprint, profile, lease)
  ON CONFLICT (user_id, request_id) DO NOTHING;
  GET DIAGNOSTICS made = ROW_COUNT;
  INSERT INTO user_preferences (user_id) VALUES (p_user) ON CONFLICT (user_id) DO NOTHING;
  IF made < cardinality(p_requests)
     OR coalesce((SELECT preferences -> 'ai_enabled' FROM user_preferences WHERE user_id = p_user), 'true')
        <> 'true'::jsonb THEN
    RAISE EXCEPTION USING ERRCODE = 'AG000', MESSAGE = 'one by one';
  END IF;

  INSERT INTO budget_accounts (user_id) VALUES (p_user) ON CONFLICT (user_id) DO NOTHING;
  IF total > 0 THEN
    UPDATE budget_accounts SET held_micro_usd = held_micro_usd + total
     WHERE user_id = p_user
       AND (allowance_micro_usd IS NULL OR allowance_micro_usd - held_micro_usd - spent_micro_usd >= total);
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'AG000', MESSAGE = 'one by one';
    END IF;
    INSERT INTO ledger_entries (user_id, request_id, kind, debit_account, credit_account, amount_micro_usd, state,
                                price_book_version)
    SELECT p_user, r.request, 'reservation', 'allowance', 'held', r.hold, 'pending', r.price_book
      FROM unnest(p_requests, p_holds, p_price_books) AS r(request, hold, price_book) WHERE r.hold > 0;
  END IF;
  INSERT INTO budget_holds (user_id, request_id, amount_micro_usd, state, price_book_version)
  SELECT p_user, r.request, r.hold, 'pending', r.price_book
    FROM unnest(p_requests, p_holds, p_price_books) AS r(request, hold, price_book);
END
$$;

-- p_targets: completion or embedding. begun is false for a request id that was used, refusal the SQLSTATE
-- of begin_turn.
CREATE FUNCTION begin_all(
  p_node text, p_users text[], p_requests uuid[], p_fingerprints bytea[], p_targets text[],
  p_profiles text[], p_leases_ms bigint[], p_holds bigint[], p_price_books text[])
RETURNS TABLE (place integer, begun boolean, refusal text)
LANGUAGE plpgsql AS $$
DECLARE
  person record;
BEGIN
  FOR person IN
    SELECT x.u, array_agg(x.place::integer ORDER BY x.r, x.place) AS places, array_agg(x.r ORDER BY x.r, x.place) AS requests,
           array_agg(x.f ORDER BY x.r, x.place) AS fingerprints, array_agg(x.t ORDER BY x.r, x.place) AS targets,
           array_agg(x.m ORDER BY x.r, x.place) AS profiles, array_agg(x.l ORDER BY x.r, x.place) AS leases,
           array_agg(x.h ORDER BY x.r, x.place) AS holds, array_agg(x.b ORDER BY x.r, x.place) AS price_books
      FROM unnest(p_users, p_requests, p_fingerprints, p_targets, p_profiles, p_leases_ms, p_holds, p_price_books)
           WITH ORDINALITY AS x(u, r, f, t, m, l, h, b, place)
     GROUP BY x.u ORDER BY x.u LOOP
    BEGIN
      PERFORM begin_group(person.u, p_node, person.requests, person.fingerprints, person.targets,
        person.profiles, person.leases, person.holds, person.price_books);
      RETURN QUERY SELECT one, true, NULL::text FROM unnest(person.places) AS one;
      CONTINUE;
    EXCEPTION
      WHEN deadlock_detected OR serialization_failure THEN
        RAISE; -- all are begun anew
      WHEN OTHERS THEN
        NULL; -- one by one, who has the fault is told so
    END;
    FOR i IN 1 .. cardinality(person.places) LOOP
      place := person.places[i];
      begun := false;
      refusal := NULL;
      BEGIN
        begun := (begin_turn(person.u, person.requests[i], person.fingerprints[i], person.targets[i],
          NULL, NULL, NULL, '{}', '', person.profiles[i], p_node, person.leases[i], person.holds[i],
          person.price_books[i], 0) ->> 'begun')::boolean;
      EXCEPTION
        WHEN deadlock_detected OR serialization_failure THEN
          RAISE;
        WHEN OTHERS THEN
          refusal := SQLSTATE;
      END;
      RETURN NEXT;
    END LOOP;
  END LOOP;
END
$$;

-- All of it or nothing: AG000 when it cannot be ended together. Each table is asked for the requests by
-- their names as well: by the person alone a plan may read all that the person ever asked.
CREATE FUNCTION finish_group(p_user text, p_node text, p_requests uuid[], p_ends jsonb[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mine  integer;
  held  bigint;
  spent bigint;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  PERFORM FROM answer_requests
    WHERE user_id = p_user AND request_id = ANY (p_requests) AND status = 'streaming' AND lease_node = p_node
      AND thread_id IS NULL
    ORDER BY request_id FOR UPDATE;
  GET DIAGNOSTICS mine = ROW_COUNT;
  IF mine < cardinality(p_requests) THEN
    RAISE EXCEPTION USING ERRCODE = 'AG000', MESSAGE = 'one by one';
  END IF;

  WITH ends AS (
    SELECT e.request, e.body, e.body -> 'usage' AS u, (e.body ->> 'costMicroUsd')::bigint AS cost,
           coalesce((e.body ->> 'billableMicroUsd')::bigint, (e.body ->> 'costMicroUsd')::bigint) AS wanted
      FROM unnest(p_requests, p_ends) AS e(request, body)
  ), closed AS (
    -- Never more than was held: what a provider reports above it is the operator's loss, not the person's.
    UPDATE budget_holds h
       SET state = CASE WHEN least(e.wanted, h.amount_micro_usd) > 0 THEN 'posted' ELSE 'voided' END,
           settled_micro_usd = least(e.wanted, h.amount_micro_usd), closed_at = now()
      FROM ends e
     WHERE h.user_id = p_user AND h.request_id = ANY (p_requests) AND h.request_id = e.request
    RETURNING h.request_id, h.amount_micro_usd AS amount, h.settled_micro_usd AS billable, h.price_book_version AS book
  ), moved AS (
    INSERT INTO ledger_entries (user_id, request_id, kind, debit_account, credit_account, amount_micro_usd, state,
                                price_book_version)
    SELECT p_user, c.request_id, 'settlement', 'held', 'spent', c.billable, 'posted', c.book
      FROM closed c WHERE c.billable > 0
    UNION ALL
    SELECT p_user, c.request_id, 'release', 'held', 'allowance', c.amount - c.billable, 'voided', c.book
      FROM closed c WHERE c.amount > c.billable
  ), used AS (
    INSERT INTO ai_usage_events (user_id, request_id, feature, profile, provider, model, input_tokens,
      cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, estimated, provider_cost_micro_usd,
      billable_cost_micro_usd, failed_attempts, failed_cost_micro_usd, price_book_version, latency_ms, status,
      error_code, billing_source)
    SELECT p_user, c.request_id, q.kind, q.profile, e.body ->> 'provider', e.body ->> 'model',
           (e.u ->> 'inputTokens')::bigint, (e.u ->> 'cacheReadTokens')::bigint,
           (e.u ->> 'cacheWriteTokens')::bigint, (e.u ->> 'outputTokens')::bigint,
           (e.u ->> 'reasoningTokens')::bigint, (e.u ->> 'estimated')::boolean, e.cost, c.billable,
           coalesce((e.body ->> 'failedAttempts')::integer, 0),
           coalesce((e.body ->> 'failedCostMicroUsd')::bigint, 0), c.book, (e.body ->> 'latencyMs')::bigint,
           CASE WHEN c.billable > 0 THEN 'settled' ELSE 'released' END, e.body ->> 'errorCode',
           coalesce(e.body ->> 'billingSource', 'managed_allowance')
      FROM closed c
      JOIN ends e ON e.request = c.request_id
      JOIN answer_requests q
        ON q.user_id = p_user AND q.request_id = ANY (p_requests) AND q.request_id = c.request_id
  ), done AS (
    UPDATE answer_requests q
       SET status = e.body ->> 'status', lease_node = NULL, lease_until = NULL, finished_at = clock_timestamp(),
           outcome = jsonb_build_object('usage', e.u, 'costMicroUsd', c.billable,
             'finishReason', e.body ->> 'finishReason', 'provider', e.body ->> 'provider',
             'model', e.body ->> 'model', 'errorCode', e.body ->> 'errorCode')
      FROM ends e JOIN closed c ON c.request_id = e.request
     WHERE q.user_id = p_user AND q.request_id = ANY (p_requests) AND q.request_id = e.request
  )
  SELECT sum(amount), sum(billable) INTO held, spent FROM closed;
  IF held > 0 THEN
    UPDATE budget_accounts SET held_micro_usd = held_micro_usd - held, spent_micro_usd = spent_micro_usd + spent
     WHERE user_id = p_user;
  END IF;
END
$$;

-- finished is false for a request that had ended, or is another node's by now.
CREATE FUNCTION finish_all(p_node text, p_users text[], p_requests uuid[], p_ends jsonb[])
RETURNS TABLE (place integer, finished boolean, refusal text)
LANGUAGE plpgsql AS $$
DECLARE
  person record;
BEGIN
  FOR person IN
    SELECT x.u, array_agg(x.place::integer ORDER BY x.r, x.place) AS places,
           array_agg(x.r ORDER BY x.r, x.place) AS requests, array_agg(x.e ORDER BY x.r, x.place) AS ends
      FROM unnest(p_users, p_requests, p_ends) WITH ORDINALITY AS x(u, r, e, place)
     GROUP BY x.u ORDER BY x.u LOOP
    BEGIN
      PERFORM finish_group(person.u, p_node, person.requests, person.ends);
      RETURN QUERY SELECT one, true, NULL::text FROM unnest(person.places) AS one;
      CONTINUE;
    EXCEPTION
      WHEN deadlock_detected OR serialization_failure THEN
        RAISE;
      WHEN OTHERS THEN
        NULL;
    END;
    FOR i IN 1 .. cardinality(person.places) LOOP
      place := person.places[i];
      finished := false;
      refusal := NULL;
      BEGIN
        finished := (finish_turn(person.u, person.requests[i], p_node, person.ends[i]) ->> 'finished')::boolean;
      EXCEPTION
        WHEN deadlock_detected OR serialization_failure THEN
          RAISE;
        WHEN OTHERS THEN
          refusal := SQLSTATE;
      END;
      RETURN NEXT;
    END LOOP;
  END LOOP;
END
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('begin_group', 'begin_all', 'finish_group', 'finish_all') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
  END LOOP;
END
$$;
