-- What begins and what ends in one moment on a node goes together: one round trip and one commit for both.

-- In the order in which everybody locks: requests before accounts, accounts by persons. Ends lock the
-- accounts of their persons before beginnings lock theirs; of both, this takes all of them first.
CREATE FUNCTION lock_group(p_users text[], p_end_users text[], p_end_requests uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  PERFORM FROM unnest(p_end_users, p_end_requests) AS w(u, request)
          JOIN answer_requests q ON q.user_id = w.u AND q.request_id = w.request
         ORDER BY q.user_id, q.request_id FOR UPDATE OF q;
  PERFORM FROM budget_accounts a WHERE a.user_id = ANY (p_users || p_end_users) ORDER BY a.user_id FOR UPDATE;
END
$$;

-- Ends, then beginnings, which find what those gave back. done: finished of finish_all, begun of begin_all;
-- place: among those of its kind.
CREATE FUNCTION end_and_begin(
  p_node text, p_users text[], p_requests uuid[], p_fingerprints bytea[], p_targets text[], p_profiles text[],
  p_leases_ms bigint[], p_holds bigint[], p_price_books text[],
  p_end_users text[], p_end_requests uuid[], p_ends jsonb[], p_policy jsonb)
RETURNS TABLE (ends boolean, place integer, done boolean, refusal text, detail text, account jsonb)
LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(p_users) > 0 AND cardinality(p_end_users) > 0 THEN
    PERFORM lock_group(p_users, p_end_users, p_end_requests);
  END IF;
  IF cardinality(p_end_users) > 0 THEN
    RETURN QUERY SELECT true, f.place, f.finished, f.refusal, NULL::text, f.account
                   FROM finish_all(p_node, p_end_users, p_end_requests, p_ends, p_policy) f;
  END IF;
  IF cardinality(p_users) > 0 THEN
    RETURN QUERY SELECT false, b.place, b.begun, b.refusal, b.detail, b.account
                   FROM begin_all(p_node, p_users, p_requests, p_fingerprints, p_targets, p_profiles, p_leases_ms,
                                  p_holds, p_price_books, p_policy) b;
  END IF;
END
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('lock_group', 'end_and_begin') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_generic_plan', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_hashjoin = off', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_mergejoin = off', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
  END LOOP;
END
$$;
