-- The durable index queue: what text is embedded, who works on whom, and how far that is.
--
-- A message waits in embedding_pending, its person in embedding_jobs. Both are written by ingestion in
-- the transaction that stores the message, with requested_at set anew each time: that is how a job that
-- is about to close learns of a message that came in meanwhile.
--
-- Locks, so that indexing and ingestion never wait for each other in a circle: the indexer takes share
-- locks on message rows only by SKIP LOCKED (a message that is being changed stays pending), and never
-- holds the lock of a job together with any other.

-- ---------------------------------------------------------------- the one formatter

-- Null for a message without text: such a row is never indexed and its hash is null.
CREATE FUNCTION embedding_text(p_platform text, p_sender text, p_from_me boolean, p_content text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_content <> '' THEN
    'Platform: ' || coalesce(nullif(btrim(p_platform), ''), 'unknown')
    || E'\nSender: ' || CASE WHEN p_from_me THEN 'You'
                        ELSE coalesce(nullif(btrim(regexp_replace(p_sender, '[ \t\r\n]+', ' ', 'g')), ''), 'Contact') END
    || E'\nMessage: ' || p_content
  END
$$;

-- Of the whole text, also where the model reads only its beginning.
CREATE FUNCTION embedding_hash(p_platform text, p_sender text, p_from_me boolean, p_content text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sha256(convert_to(embedding_text(p_platform, p_sender, p_from_me, p_content), 'UTF8'))
$$;

-- ---------------------------------------------------------------- what a waiting row remembers

ALTER TABLE embedding_pending
  ADD COLUMN attempts   integer NOT NULL DEFAULT 0,
  ADD COLUMN not_before timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN tried_hash bytea,
  ADD COLUMN parked     boolean NOT NULL DEFAULT false,
  ADD COLUMN error_code text;
COMMENT ON COLUMN embedding_pending.tried_hash IS 'the text that failed: an edited message is tried at once';
COMMENT ON COLUMN embedding_pending.parked IS 'given up for this text; waits for an edit or for a reindex';
CREATE INDEX embedding_pending_newest ON embedding_pending (user_id, enqueued_at DESC);

-- A new message is not kept waiting by the retry of an old one; a failing provider is waited for.
CREATE FUNCTION embedding_job_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.not_before := least(NEW.not_before, clock_timestamp());
  RETURN NEW;
END
$$;
CREATE TRIGGER embedding_job_due BEFORE UPDATE OF requested_at ON embedding_jobs FOR EACH ROW
  WHEN (NEW.requested_at IS DISTINCT FROM OLD.requested_at AND NEW.error_code IS NULL)
  EXECUTE FUNCTION embedding_job_due();

-- ---------------------------------------------------------------- leases, over all persons

-- Hands due persons to a node, the one that waited longest first, each to one node at a time.
CREATE FUNCTION claim_embedding_jobs(p_node text, p_limit integer, p_lease_ms bigint)
RETURNS TABLE (user_id text, attempts integer)
LANGUAGE sql SECURITY DEFINER AS $$
  UPDATE embedding_jobs j
     SET lease_node = p_node, lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
    FROM (SELECT d.user_id FROM embedding_jobs d
           WHERE d.not_before <= clock_timestamp()
             AND (d.lease_until IS NULL OR d.lease_until < clock_timestamp())
           ORDER BY d.not_before LIMIT p_limit FOR UPDATE SKIP LOCKED) due
   WHERE j.user_id = due.user_id
  RETURNING j.user_id, j.attempts
$$;

-- Keeps a node's persons; returns those that are no longer its own.
CREATE FUNCTION renew_embedding_jobs(p_node text, p_users text[], p_lease_ms bigint)
RETURNS TABLE (user_id text)
LANGUAGE sql SECURITY DEFINER AS $$
  WITH kept AS (
    UPDATE embedding_jobs j SET lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
     WHERE j.user_id = ANY (p_users) AND j.lease_node = p_node
    RETURNING j.user_id)
  SELECT u.id FROM unnest(p_users) AS u(id) WHERE u.id NOT IN (SELECT k.user_id FROM kept k)
$$;

-- How many persons wait or are worked on, counted up to a limit: a gauge, not an account.
CREATE FUNCTION embedding_backlog(p_limit integer) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT count(*) FROM (SELECT 1 FROM embedding_jobs LIMIT p_limit) counted
$$;

-- Gives a person back, due after the delay, or at once if something was asked for since p_seen.
CREATE FUNCTION release_embedding_job(
  p_user text, p_node text, p_seen timestamptz, p_delay_ms bigint, p_attempts integer, p_error text)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  UPDATE embedding_jobs
     SET lease_node = NULL, lease_until = NULL, attempts = p_attempts, error_code = p_error,
         not_before = clock_timestamp()
           + CASE WHEN requested_at <> p_seen THEN 0 ELSE p_delay_ms END * interval '1 millisecond'
   WHERE user_id = p_user AND lease_node = p_node;
  RETURN FOUND;
END
$$;

-- Ends a person's job, unless something was asked for since p_seen.
CREATE FUNCTION close_embedding_job(p_user text, p_node text, p_seen timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  DELETE FROM embedding_jobs WHERE user_id = p_user AND lease_node = p_node AND requested_at = p_seen;
  RETURN FOUND;
END
$$;

-- ---------------------------------------------------------------- the work, one person each

-- Every step of a batch names its ids in an array as well as in a join: whatever the statistics say, its
-- rows are then read by their keys and not by walking all rows of the person.

-- Reads the newest waiting texts. What needs no vector (deleted, emptied, already current) is taken off
-- the list on the way, with its vectors where it has no right to any. No row: nothing can be done now.
CREATE FUNCTION take_embedding_batch(
  p_user text, p_profile text, p_version integer, p_limit integer, p_max_chars integer)
RETURNS TABLE (message_id uuid, content_hash bytea, body text, attempts integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  picked    uuid[];
  removed   bigint;
  unindexed bigint;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  -- Bounded: after so many rounds of mere clearing the caller comes again.
  FOR round IN 1..50 LOOP
    SELECT array_agg(w.message_id) INTO picked FROM (
      SELECT p.message_id FROM embedding_pending p
       WHERE p.user_id = p_user
         AND ((NOT p.parked AND p.not_before <= clock_timestamp())
              OR p.tried_hash IS DISTINCT FROM
                 (SELECT m.content_hash FROM messages m
                   WHERE m.user_id = p_user AND m.id = p.message_id AND NOT m.is_deleted))
       ORDER BY p.enqueued_at DESC LIMIT p_limit) w;
    EXIT WHEN picked IS NULL;

    WITH settled AS (
      SELECT m.id, (m.is_deleted OR m.content_hash IS NULL) AS dead FROM messages m
       WHERE m.user_id = p_user AND m.id = ANY (picked)
         AND (m.is_deleted OR m.content_hash IS NULL
              OR EXISTS (SELECT FROM conversation_message_embeddings e
                          WHERE e.user_id = p_user AND e.message_id = ANY (picked)
                            AND e.message_id = m.id AND e.content_hash = m.content_hash
                            AND e.embedding_profile_id = p_profile AND e.embedding_version = p_version))
         FOR SHARE SKIP LOCKED),
    unvectored AS (
      DELETE FROM conversation_message_embeddings e USING settled s
       WHERE s.dead AND e.user_id = p_user AND e.message_id = ANY (picked) AND e.message_id = s.id
      RETURNING e.message_id),
    cleared AS (
      DELETE FROM embedding_pending p
       WHERE p.user_id = p_user AND p.message_id = ANY (picked)
         AND (p.message_id IN (SELECT s.id FROM settled s)
              OR NOT EXISTS (SELECT FROM messages m
                              WHERE m.user_id = p_user AND m.id = ANY (picked) AND m.id = p.message_id))
      RETURNING 1)
    SELECT (SELECT count(*) FROM cleared), (SELECT count(DISTINCT v.message_id) FROM unvectored v)
      INTO removed, unindexed;
    UPDATE conversation_assistant_index_state s SET indexed_count = greatest(0, s.indexed_count - unindexed)
     WHERE s.user_id = p_user AND unindexed > 0;

    RETURN QUERY
      SELECT m.id, m.content_hash,
             left(embedding_text(m.platform, m.contact_name, m.from_me, m.content), p_max_chars),
             CASE WHEN p.tried_hash = m.content_hash THEN p.attempts ELSE 0 END
        FROM embedding_pending p JOIN messages m ON m.user_id = p_user AND m.id = p.message_id
       WHERE p.user_id = p_user AND p.message_id = ANY (picked) AND m.id = ANY (picked)
         AND NOT m.is_deleted AND m.content_hash IS NOT NULL
         AND embedding_text(m.platform, m.contact_name, m.from_me, m.content) IS NOT NULL
         AND NOT EXISTS (SELECT FROM conversation_message_embeddings e
                          WHERE e.user_id = p_user AND e.message_id = ANY (picked)
                            AND e.message_id = m.id AND e.content_hash = m.content_hash
                            AND e.embedding_profile_id = p_profile AND e.embedding_version = p_version)
       ORDER BY p.enqueued_at DESC;
    EXIT WHEN FOUND OR removed = 0;
  END LOOP;
END
$$;

-- Stores vectors of texts that are still what was embedded, in one statement; a result for an older
-- text, or for a message deleted meanwhile, is dropped. p_values holds p_dimensions numbers a message.
CREATE FUNCTION write_embeddings(
  p_user text, p_profile text, p_version integer, p_model text, p_dimensions integer,
  p_ids uuid[], p_hashes bytea[], p_values real[])
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  stored  integer;
  renewed integer;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  WITH current AS (
    SELECT m.id, v.hash, v.n FROM unnest(p_ids, p_hashes) WITH ORDINALITY AS v(id, hash, n)
      JOIN messages m ON m.user_id = p_user AND m.id = v.id
     WHERE m.id = ANY (p_ids) AND NOT m.is_deleted AND m.content_hash = v.hash
       FOR SHARE OF m SKIP LOCKED),
  done AS (
    DELETE FROM embedding_pending p USING current c
     WHERE p.user_id = p_user AND p.message_id = ANY (p_ids) AND p.message_id = c.id),
  known AS (
    SELECT count(*) AS n FROM conversation_message_embeddings e JOIN current c ON e.message_id = c.id
     WHERE e.user_id = p_user AND e.message_id = ANY (p_ids)
       AND e.embedding_profile_id = p_profile AND e.embedding_version = p_version),
  written AS (
    INSERT INTO conversation_message_embeddings AS e (user_id, message_id, embedding_profile_id, embedding_version,
      embedding_model, embedding_dimensions, content_hash, embedding, indexed_at)
    SELECT p_user, c.id, p_profile, p_version, p_model, p_dimensions, c.hash,
           p_values[(c.n - 1) * p_dimensions + 1 : c.n * p_dimensions]::vector, clock_timestamp()
      FROM current c ORDER BY c.id
    ON CONFLICT (user_id, message_id, embedding_profile_id, embedding_version) DO UPDATE
      SET embedding_model = excluded.embedding_model, embedding_dimensions = excluded.embedding_dimensions,
          content_hash = excluded.content_hash, embedding = excluded.embedding, indexed_at = excluded.indexed_at
    RETURNING 1)
  SELECT (SELECT count(*) FROM written), (SELECT n FROM known) INTO stored, renewed;

  IF stored > 0 THEN
    INSERT INTO conversation_assistant_index_state AS s (user_id, status, indexed_count, last_indexed_at)
    VALUES (p_user, 'indexing', stored - renewed, clock_timestamp())
    ON CONFLICT (user_id) DO UPDATE
      SET status = 'indexing', indexed_count = s.indexed_count + excluded.indexed_count,
          last_indexed_at = excluded.last_indexed_at, last_error = NULL, updated_at = clock_timestamp();
  END IF;
  RETURN stored;
END
$$;

-- Remembers texts that could not be embedded: when to try again, or that it is over.
CREATE FUNCTION fail_embeddings(
  p_user text, p_ids uuid[], p_hashes bytea[], p_codes text[], p_delays_ms bigint[], p_parked boolean[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  UPDATE embedding_pending p
     SET attempts = CASE WHEN p.tried_hash = v.hash THEN p.attempts + 1 ELSE 1 END,
         tried_hash = v.hash, error_code = v.code, parked = v.parked,
         not_before = clock_timestamp() + v.delay_ms * interval '1 millisecond'
    FROM unnest(p_ids, p_hashes, p_codes, p_delays_ms, p_parked) AS v(id, hash, code, delay_ms, parked)
   WHERE p.user_id = p_user AND p.message_id = ANY (p_ids) AND p.message_id = v.id;
END
$$;

-- Recounts exactly, for one profile's vectors or for any. The row is locked first and counted after, so
-- that what ingestion adds meanwhile is added to the new count and not lost.
CREATE FUNCTION index_counts_refresh(p_user text, p_profile text DEFAULT NULL, p_version integer DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  WITH dead AS (
    SELECT m.id FROM messages m
     WHERE m.user_id = p_user AND (m.is_deleted OR m.content_hash IS NULL)
       AND EXISTS (SELECT FROM conversation_message_embeddings e WHERE e.user_id = p_user AND e.message_id = m.id)
       FOR SHARE SKIP LOCKED)
  DELETE FROM conversation_message_embeddings e USING dead d WHERE e.user_id = p_user AND e.message_id = d.id;

  INSERT INTO conversation_assistant_index_state (user_id) VALUES (p_user) ON CONFLICT (user_id) DO NOTHING;
  PERFORM FROM conversation_assistant_index_state WHERE user_id = p_user FOR UPDATE;
  UPDATE conversation_assistant_index_state s
     SET total_count = c.total, indexed_count = c.indexed, updated_at = clock_timestamp()
    FROM (SELECT count(*) AS total,
                 count(*) FILTER (WHERE EXISTS (
                   SELECT FROM conversation_message_embeddings e
                    WHERE e.user_id = p_user AND e.message_id = m.id AND e.content_hash = m.content_hash
                      AND (p_profile IS NULL OR e.embedding_profile_id = p_profile)
                      AND (p_version IS NULL OR e.embedding_version = p_version))) AS indexed
            FROM messages m WHERE m.user_id = p_user AND NOT m.is_deleted AND m.content_hash IS NOT NULL) c
   WHERE s.user_id = p_user;
END
$$;

-- What is left for a person: 'more' to take now, a retry to 'wait' for, or nothing ('done'). Then, and
-- while waiting, the counts are made exact, unless they already say that everything is indexed.
CREATE FUNCTION settle_embedding_job(p_user text, p_profile text, p_version integer)
RETURNS TABLE (outcome text, seen timestamptz, delay_ms bigint)
LANGUAGE plpgsql AS $$
DECLARE
  seen_at  timestamptz;
  due_at   timestamptz;
  given_up text;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  -- Read before the list is: who adds to the list later than this changes it.
  SELECT requested_at INTO seen_at FROM embedding_jobs WHERE user_id = p_user;
  SELECT min(p.not_before) FILTER (WHERE NOT p.parked), min(p.error_code) FILTER (WHERE p.parked)
    INTO due_at, given_up FROM embedding_pending p WHERE p.user_id = p_user;
  IF due_at <= clock_timestamp()
     OR EXISTS (SELECT FROM embedding_pending p
                  LEFT JOIN messages m ON m.user_id = p_user AND m.id = p.message_id AND NOT m.is_deleted
                 WHERE p.user_id = p_user AND p.tried_hash IS DISTINCT FROM m.content_hash) THEN
    RETURN QUERY SELECT 'more'::text, seen_at, 0::bigint;
    RETURN;
  END IF;

  IF due_at IS NOT NULL OR given_up IS NOT NULL OR NOT EXISTS (
       SELECT FROM conversation_assistant_index_state s
        WHERE s.user_id = p_user AND s.indexed_count = s.total_count) THEN
    PERFORM index_counts_refresh(p_user, p_profile, p_version);
  END IF;
  IF due_at IS NOT NULL THEN
    RETURN QUERY SELECT 'wait'::text, seen_at,
      ceil(extract(epoch FROM due_at - clock_timestamp()) * 1000)::bigint;
    RETURN;
  END IF;
  UPDATE conversation_assistant_index_state
     SET status = CASE WHEN given_up IS NULL THEN 'ready' ELSE 'failed' END, last_error = given_up,
         updated_at = clock_timestamp()
   WHERE user_id = p_user;
  RETURN QUERY SELECT 'done'::text, seen_at, 0::bigint;
END
$$;

-- Says that a person's index does not get on, with a stable code.
CREATE FUNCTION fail_index(p_user text, p_code text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  INSERT INTO conversation_assistant_index_state (user_id, status, last_error) VALUES (p_user, 'failed', p_code)
  ON CONFLICT (user_id) DO UPDATE
    SET status = 'failed', last_error = excluded.last_error, updated_at = clock_timestamp();
END
$$;

-- Puts everything on the list that has no current vector, also what was given up. Returns how many.
CREATE FUNCTION request_reindex(p_user text, p_profile text, p_version integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  missing bigint;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  -- Waits for a running upload of this person: both write the list, the job and the counts.
  PERFORM pg_advisory_xact_lock(hashtextextended('ingest ' || p_user, 0));
  -- Rows whose hash is not that of their text, whoever wrote them.
  UPDATE messages m SET content_hash = embedding_hash(m.platform, m.contact_name, m.from_me, m.content)
    FROM (SELECT x.id FROM messages x
           WHERE x.user_id = p_user
             AND x.content_hash IS DISTINCT FROM embedding_hash(x.platform, x.contact_name, x.from_me, x.content)
             FOR UPDATE SKIP LOCKED) wrong
   WHERE m.user_id = p_user AND m.id = wrong.id;

  INSERT INTO embedding_pending AS p (user_id, message_id)
  SELECT p_user, m.id FROM messages m
   WHERE m.user_id = p_user AND NOT m.is_deleted AND m.content_hash IS NOT NULL
     AND NOT EXISTS (SELECT FROM conversation_message_embeddings e
                      WHERE e.user_id = p_user AND e.message_id = m.id AND e.content_hash = m.content_hash
                        AND e.embedding_profile_id = p_profile AND e.embedding_version = p_version)
   ORDER BY m.id
  ON CONFLICT (user_id, message_id) DO UPDATE
    SET attempts = 0, tried_hash = NULL, parked = false, error_code = NULL, not_before = clock_timestamp();
  GET DIAGNOSTICS missing = ROW_COUNT;

  PERFORM index_counts_refresh(p_user, p_profile, p_version);
  UPDATE conversation_assistant_index_state
     SET status = CASE WHEN missing > 0 THEN 'indexing' ELSE 'ready' END, last_error = NULL,
         updated_at = clock_timestamp()
   WHERE user_id = p_user;
  IF missing > 0 THEN
    INSERT INTO embedding_jobs (user_id) VALUES (p_user)
    ON CONFLICT (user_id) DO UPDATE
      SET requested_at = clock_timestamp(), not_before = clock_timestamp(), attempts = 0, error_code = NULL;
  END IF;
  RETURN missing;
END
$$;

-- ---------------------------------------------------------------- progress

-- A deleted message is counted out of the total at once, out of the indexed ones at the next recount.
CREATE OR REPLACE FUNCTION index_status_json(p_user text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT jsonb_build_object('status', status, 'indexedCount', least(indexed_count, total_count),
                               'totalCount', total_count, 'lastIndexedAt', last_indexed_at, 'lastError', last_error)
       FROM conversation_assistant_index_state WHERE user_id = p_user),
    '{"status":"idle","indexedCount":0,"totalCount":0,"lastIndexedAt":null,"lastError":null}'::jsonb)
$$;

CREATE FUNCTION read_index_status(p_user text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  RETURN index_status_json(p_user);
END
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('embedding_text', 'embedding_hash', 'embedding_job_due', 'claim_embedding_jobs',
                              'renew_embedding_jobs', 'embedding_backlog', 'release_embedding_job',
                              'close_embedding_job', 'take_embedding_batch', 'write_embeddings', 'fail_embeddings',
                              'index_counts_refresh', 'settle_embedding_job', 'fail_index', 'request_reindex',
                              'index_status_json', 'read_index_status') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
  END LOOP;
  -- A batch touches a few rows by their keys. A plan made while the tables were small must not read them
  -- whole once they have grown under the same connection.
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('take_embedding_batch', 'write_embeddings', 'fail_embeddings') LOOP
    EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_hashjoin = off', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_mergejoin = off', f);
  END LOOP;
END
$$;
