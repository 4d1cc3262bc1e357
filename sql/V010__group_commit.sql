-- Many requests begun in one transaction, and many ended in one: what is durable before a paid call
-- costs a commit, and a busy node has many calls at a time. Each is begun and ended by begin_turn and
-- finish_turn, in a subtransaction of its own: one that is refused leaves the others alone. They go
-- person by person, so that two nodes never wait for each other's persons in a circle.

-- p_targets: completion or embedding. begun is false for a request id that was used.
CREATE FUNCTION begin_all(
  p_node text, p_users text[], p_requests uuid[], p_fingerprints bytea[], p_targets text[],
  p_profiles text[], p_leases_ms bigint[], p_holds bigint[], p_price_books text[])
RETURNS TABLE (place integer, begun boolean, refusal text)
LANGUAGE plpgsql AS $$
BEGIN
  FOR place IN SELECT i FROM generate_subscripts(p_users, 1) AS i ORDER BY p_users[i], p_requests[i], i LOOP
    begun := false;
    refusal := NULL;
    BEGIN
      begun := (begin_turn(p_users[place], p_requests[place], p_fingerprints[place], p_targets[place],
        NULL, NULL, NULL, '{}', '', p_profiles[place], p_node, p_leases_ms[place], p_holds[place],
        p_price_books[place], 0) ->> 'begun')::boolean;
    EXCEPTION
      WHEN deadlock_detected OR serialization_failure THEN
        RAISE; -- all are begun anew
      WHEN OTHERS THEN
        refusal := SQLSTATE;
    END;
    RETURN NEXT;
  END LOOP;
END
$$;

-- request is the request as it stands after its end, as of finish_turn.
CREATE FUNCTION finish_all(p_node text, p_users text[], p_requests uuid[], p_ends jsonb[])
RETURNS TABLE (place integer, request jsonb, refusal text)
LANGUAGE plpgsql AS $$
BEGIN
  FOR place IN SELECT i FROM generate_subscripts(p_users, 1) AS i ORDER BY p_users[i], p_requests[i], i LOOP
    request := NULL;
    refusal := NULL;
    BEGIN
      request := finish_turn(p_users[place], p_requests[place], p_node, p_ends[place]);
    EXCEPTION
      WHEN deadlock_detected OR serialization_failure THEN
        RAISE;
      WHEN OTHERS THEN
        refusal := SQLSTATE;
    END;
    RETURN NEXT;
  END LOOP;
END
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('begin_all', 'finish_all') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
  END LOOP;
END
$$;
