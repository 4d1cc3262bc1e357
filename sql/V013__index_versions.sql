-- Versions of the index: the vectors of one model, built beside those that serve, then put in their place.
--
-- One version is active: every search asks that one and no other. A version that is being built and the
-- one that served before get the vectors of new messages too, so that the way forward and the way back
-- lead to a complete index. What waits, whose turn it is and how far a person is, is kept for each
-- version: a model that refuses texts or is away holds up its own version only.

-- ---------------------------------------------------------------- the versions

CREATE TABLE embedding_versions (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  profile_id text NOT NULL,
  version    integer NOT NULL,
  model      text NOT NULL,
  dimensions integer NOT NULL CHECK (dimensions > 0),
  state      text NOT NULL CHECK (state IN ('building', 'active', 'retiring', 'failed')),
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (profile_id, version)
);
CREATE UNIQUE INDEX embedding_versions_one ON embedding_versions (state) WHERE state <> 'failed';
COMMENT ON COLUMN embedding_versions.profile_id IS 'the name of the model in the configuration';
COMMENT ON COLUMN embedding_versions.model IS 'provider:model, as it was when the version was begun';
COMMENT ON COLUMN embedding_versions.state IS 'failed: given up or rolled back; gets no vectors until it is built again';

-- What every database so far was indexed with. One without vectors takes its gateway's model in its place.
INSERT INTO embedding_versions (profile_id, version, model, dimensions, state)
VALUES ('e5-384', 1, 'onnx:e5-small-v2-q', 384, 'active');

-- Who searches and indexes, and with which models: no version goes into service that one of them lacks.
CREATE TABLE embedding_nodes (
  node    text PRIMARY KEY,
  models  text[] NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT ON embedding_versions TO ${gatewayRole};

-- ---------------------------------------------------------------- lists, jobs and counts by version

ALTER TABLE embedding_pending DROP CONSTRAINT embedding_pending_pkey;
ALTER TABLE embedding_pending ADD COLUMN version_id integer;
UPDATE embedding_pending SET version_id = (SELECT id FROM embedding_versions);
ALTER TABLE embedding_pending ALTER COLUMN version_id SET NOT NULL;
ALTER TABLE embedding_pending ADD PRIMARY KEY (user_id, version_id, message_id);
DROP INDEX embedding_pending_newest;
CREATE INDEX embedding_pending_newest ON embedding_pending (user_id, version_id, enqueued_at DESC);
CREATE INDEX embedding_pending_parked ON embedding_pending (user_id, version_id) WHERE parked;

ALTER TABLE embedding_jobs DROP CONSTRAINT embedding_jobs_pkey;
ALTER TABLE embedding_jobs
  ADD COLUMN version_id integer,
  ADD COLUMN listed boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN embedding_jobs.listed IS 'false: what lacks a vector has yet to be put on the list';
UPDATE embedding_jobs SET version_id = (SELECT id FROM embedding_versions);
ALTER TABLE embedding_jobs ALTER COLUMN version_id SET NOT NULL;
ALTER TABLE embedding_jobs ADD PRIMARY KEY (user_id, version_id);
DROP INDEX embedding_jobs_due;
CREATE INDEX embedding_jobs_due ON embedding_jobs (version_id, not_before);

ALTER TABLE conversation_assistant_index_state DROP CONSTRAINT conversation_assistant_index_state_pkey;
ALTER TABLE conversation_assistant_index_state ADD COLUMN version_id integer;
UPDATE conversation_assistant_index_state SET version_id = (SELECT id FROM embedding_versions);
ALTER TABLE conversation_assistant_index_state ALTER COLUMN version_id SET NOT NULL;
ALTER TABLE conversation_assistant_index_state ADD PRIMARY KEY (user_id, version_id);

DROP FUNCTION claim_embedding_jobs(text, integer, bigint);
DROP FUNCTION renew_embedding_jobs(text, text[], bigint);
DROP FUNCTION release_embedding_job(text, text, timestamptz, bigint, integer, text);
DROP FUNCTION close_embedding_job(text, text, timestamptz);
DROP FUNCTION take_embedding_batch(text, text, integer, integer, integer);
DROP FUNCTION write_embeddings(text, text, integer, text, integer, uuid[], bytea[], real[]);
DROP FUNCTION fail_embeddings(text, uuid[], bytea[], text[], bigint[], boolean[]);
DROP FUNCTION settle_embedding_job(text, text, integer);
DROP FUNCTION index_counts_refresh(text, text, integer);
DROP FUNCTION fail_index(text, text);
DROP FUNCTION request_reindex(text, text, integer);

-- ---------------------------------------------------------------- what nodes ask

-- Tells that a node is there and which models it has ("profile model dimensions"); returns the versions
-- that are kept up to date.
CREATE FUNCTION watch_embedding_versions(p_node text, p_models text[]) RETURNS SETOF embedding_versions
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO embedding_nodes AS n (node, models, seen_at) VALUES (p_node, p_models, clock_timestamp())
  ON CONFLICT (node) DO UPDATE SET models = excluded.models, seen_at = excluded.seen_at;
  RETURN QUERY SELECT v.* FROM embedding_versions v WHERE v.state <> 'failed' ORDER BY v.id;
END
$$;

-- A node that stops is waited for by nobody; nor is one that nobody has heard of for a day.
CREATE FUNCTION forget_embedding_node(p_node text) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
  DELETE FROM embedding_nodes WHERE node = p_node OR seen_at < clock_timestamp() - interval '1 day'
$$;

-- Makes a model that of the first version, as long as there is no vector and no other version.
CREATE FUNCTION adopt_embedding_version(p_profile text, p_model text, p_dimensions integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  -- Looked at first: a start must not wait for a cutover that counts.
  IF EXISTS (SELECT FROM embedding_versions v
              WHERE (v.profile_id, v.model, v.dimensions) IS DISTINCT FROM (p_profile, p_model, p_dimensions)
                AND (SELECT count(*) FROM embedding_versions) = 1)
     AND NOT EXISTS (SELECT FROM conversation_message_embeddings) THEN
    LOCK TABLE embedding_versions IN SHARE ROW EXCLUSIVE MODE;
    UPDATE embedding_versions SET profile_id = p_profile, model = p_model, dimensions = p_dimensions
     WHERE (SELECT count(*) FROM embedding_versions) = 1
       AND NOT EXISTS (SELECT FROM conversation_message_embeddings);
  END IF;
END
$$;

-- ---------------------------------------------------------------- leases, over all persons

-- Hands due persons to a node, the one that waited longest first, each to one node at a time.
CREATE FUNCTION claim_embedding_jobs(p_version integer, p_node text, p_limit integer, p_lease_ms bigint)
RETURNS TABLE (user_id text, attempts integer, listed boolean)
LANGUAGE sql SECURITY DEFINER AS $$
  UPDATE embedding_jobs j
     SET lease_node = p_node, lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
    FROM (SELECT d.user_id FROM embedding_jobs d
           WHERE d.version_id = p_version AND d.not_before <= clock_timestamp()
             AND (d.lease_until IS NULL OR d.lease_until < clock_timestamp())
           ORDER BY d.not_before LIMIT p_limit FOR UPDATE SKIP LOCKED) due
   WHERE j.version_id = p_version AND j.user_id = due.user_id
  RETURNING j.user_id, j.attempts, j.listed
$$;

-- Keeps a node's persons; returns those that are no longer its own.
CREATE FUNCTION renew_embedding_jobs(p_version integer, p_node text, p_users text[], p_lease_ms bigint)
RETURNS TABLE (user_id text)
LANGUAGE sql SECURITY DEFINER AS $$
  WITH kept AS (
    UPDATE embedding_jobs j SET lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
     WHERE j.version_id = p_version AND j.user_id = ANY (p_users) AND j.lease_node = p_node
    RETURNING j.user_id)
  SELECT u.id FROM unnest(p_users) AS u(id) WHERE u.id NOT IN (SELECT k.user_id FROM kept k)
$$;

-- Gives a person back, due after the delay, or at once if something was asked for since p_seen.
CREATE FUNCTION release_embedding_job(
  p_user text, p_version integer, p_node text, p_seen timestamptz, p_delay_ms bigint, p_attempts integer,
  p_error text)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  UPDATE embedding_jobs
     SET lease_node = NULL, lease_until = NULL, attempts = p_attempts, error_code = p_error,
         not_before = clock_timestamp()
           + CASE WHEN requested_at <> p_seen THEN 0 ELSE p_delay_ms END * interval '1 millisecond'
   WHERE user_id = p_user AND version_id = p_version AND lease_node = p_node;
  RETURN FOUND;
END
$$;

-- Ends a person's job, unless something was asked for since p_seen.
CREATE FUNCTION close_embedding_job(p_user text, p_version integer, p_node text, p_seen timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  DELETE FROM embedding_jobs
   WHERE user_id = p_user AND version_id = p_version AND lease_node = p_node AND requested_at = p_seen
     AND listed;
  RETURN FOUND;
END
$$;

-- ---------------------------------------------------------------- the work, one person and version each

-- Puts what lacks a vector on the list, for a job that has not been listed. Listed messages come after
-- those that are new, the latest first, and are never taken for new ones.
CREATE FUNCTION list_embedding_job(p_user text, p_version integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v       embedding_versions;
  missing bigint;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  -- Waits for a running upload of this person, which may not have seen the version yet.
  PERFORM pg_advisory_xact_lock(hashtextextended('ingest ' || p_user, 0));
  SELECT * INTO v FROM embedding_versions WHERE id = p_version;
  INSERT INTO embedding_pending (user_id, version_id, message_id, enqueued_at)
  SELECT p_user, p_version, m.id, least(m."timestamp", now() - interval '1 hour') FROM messages m
   WHERE m.user_id = p_user AND NOT m.is_deleted AND m.content_hash IS NOT NULL
     AND NOT EXISTS (SELECT FROM conversation_message_embeddings e
                      WHERE e.user_id = p_user AND e.message_id = m.id AND e.content_hash = m.content_hash
                        AND e.embedding_profile_id = v.profile_id AND e.embedding_version = v.version)
   ORDER BY m.id
  ON CONFLICT (user_id, version_id, message_id) DO NOTHING;
  GET DIAGNOSTICS missing = ROW_COUNT;
  PERFORM index_counts_refresh(p_user, p_version);
  UPDATE conversation_assistant_index_state
     SET status = 'indexing', last_error = NULL, updated_at = clock_timestamp()
   WHERE user_id = p_user AND version_id = p_version;
  UPDATE embedding_jobs SET listed = true WHERE user_id = p_user AND version_id = p_version;
  RETURN missing;
END
$$;

-- Every step of a batch names its ids in an array as well as in a join: whatever the statistics say, its
-- rows are then read by their keys and not by walking all rows of the person.

-- Reads the newest waiting texts. What needs no vector (deleted, emptied, already current) is taken off
-- the list on the way, with its vectors where it has no right to any. No row: nothing can be done now.
CREATE FUNCTION take_embedding_batch(p_user text, p_version integer, p_limit integer, p_max_chars integer)
RETURNS TABLE (message_id uuid, content_hash bytea, body text, attempts integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v         embedding_versions;
  picked    uuid[];
  removed   bigint;
  unindexed jsonb;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  SELECT * INTO v FROM embedding_versions WHERE id = p_version AND state <> 'failed';
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- Bounded: after so many rounds of mere clearing the caller comes again.
  FOR round IN 1..50 LOOP
    SELECT array_agg(w.message_id) INTO picked FROM (
      SELECT p.message_id FROM embedding_pending p
       WHERE p.user_id = p_user AND p.version_id = p_version
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
                            AND e.embedding_profile_id = v.profile_id AND e.embedding_version = v.version))
         FOR SHARE SKIP LOCKED),
    unvectored AS (
      DELETE FROM conversation_message_embeddings e USING settled s
       WHERE s.dead AND e.user_id = p_user AND e.message_id = ANY (picked) AND e.message_id = s.id
      RETURNING e.embedding_profile_id AS profile, e.embedding_version AS version),
    cleared AS (
      DELETE FROM embedding_pending p
       WHERE p.user_id = p_user AND p.version_id = p_version AND p.message_id = ANY (picked)
         AND (p.message_id IN (SELECT s.id FROM settled s)
              OR NOT EXISTS (SELECT FROM messages m
                              WHERE m.user_id = p_user AND m.id = ANY (picked) AND m.id = p.message_id))
      RETURNING 1)
    SELECT (SELECT count(*) FROM cleared),
           (SELECT jsonb_agg(jsonb_build_object('profile', u.profile, 'version', u.version)) FROM unvectored u)
      INTO removed, unindexed;
    PERFORM uncount_vectors(p_user, unindexed);

    RETURN QUERY
      SELECT m.id, m.content_hash,
             left(embedding_text(m.platform, m.contact_name, m.from_me, m.content), p_max_chars),
             CASE WHEN p.tried_hash = m.content_hash THEN p.attempts ELSE 0 END
        FROM embedding_pending p JOIN messages m ON m.user_id = p_user AND m.id = p.message_id
       WHERE p.user_id = p_user AND p.version_id = p_version AND p.message_id = ANY (picked) AND m.id = ANY (picked)
         AND NOT m.is_deleted AND m.content_hash IS NOT NULL
         AND embedding_text(m.platform, m.contact_name, m.from_me, m.content) IS NOT NULL
         AND NOT EXISTS (SELECT FROM conversation_message_embeddings e
                          WHERE e.user_id = p_user AND e.message_id = ANY (picked)
                            AND e.message_id = m.id AND e.content_hash = m.content_hash
                            AND e.embedding_profile_id = v.profile_id AND e.embedding_version = v.version)
       ORDER BY p.enqueued_at DESC;
    EXIT WHEN FOUND OR removed = 0;
  END LOOP;
END
$$;

-- Counts vectors out that were taken away: p_gone is an array of {"profile", "version"}, one for each. In
-- the order of versions, as everybody locks these rows.
CREATE FUNCTION uncount_vectors(p_user text, p_gone jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  gone record;
BEGIN
  FOR gone IN
    SELECT v.id, count(*) AS n FROM jsonb_to_recordset(coalesce(p_gone, '[]')) AS g(profile text, version integer)
      JOIN embedding_versions v ON v.profile_id = g.profile AND v.version = g.version
     GROUP BY v.id ORDER BY v.id LOOP
    UPDATE conversation_assistant_index_state s
       SET indexed_count = greatest(0, s.indexed_count - gone.n), updated_at = clock_timestamp()
     WHERE s.user_id = p_user AND s.version_id = gone.id;
  END LOOP;
END
$$;

-- Stores vectors of texts that are still what was embedded, in one statement; a result for an older
-- text, or for a message deleted meanwhile, is dropped. p_values holds p_dimensions numbers a message.
-- Fails unless the version is of that model: what a node was told a moment ago may have changed.
CREATE FUNCTION write_embeddings(
  p_user text, p_version integer, p_profile text, p_model text, p_dimensions integer,
  p_ids uuid[], p_hashes bytea[], p_values real[])
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v       embedding_versions;
  stored  integer;
  renewed integer;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  SELECT * INTO v FROM embedding_versions
   WHERE id = p_version AND state <> 'failed'
     AND (profile_id, model, dimensions) = (p_profile, p_model, p_dimensions);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'version % is not of this model', p_version;
  END IF;
  WITH current AS (
    SELECT m.id, t.hash, t.n FROM unnest(p_ids, p_hashes) WITH ORDINALITY AS t(id, hash, n)
      JOIN messages m ON m.user_id = p_user AND m.id = t.id
     WHERE m.id = ANY (p_ids) AND NOT m.is_deleted AND m.content_hash = t.hash
       FOR SHARE OF m SKIP LOCKED),
  done AS (
    DELETE FROM embedding_pending p USING current c
     WHERE p.user_id = p_user AND p.version_id = p_version AND p.message_id = ANY (p_ids) AND p.message_id = c.id),
  known AS (
    SELECT count(*) AS n FROM conversation_message_embeddings e JOIN current c ON e.message_id = c.id
     WHERE e.user_id = p_user AND e.message_id = ANY (p_ids)
       AND e.embedding_profile_id = v.profile_id AND e.embedding_version = v.version),
  written AS (
    INSERT INTO conversation_message_embeddings AS e (user_id, message_id, embedding_profile_id, embedding_version,
      embedding_model, embedding_dimensions, content_hash, embedding, indexed_at)
    SELECT p_user, c.id, v.profile_id, v.version, p_model, p_dimensions, c.hash,
           p_values[(c.n - 1) * p_dimensions + 1 : c.n * p_dimensions]::vector, clock_timestamp()
      FROM current c ORDER BY c.id
    ON CONFLICT (user_id, message_id, embedding_profile_id, embedding_version) DO UPDATE
      SET embedding_model = excluded.embedding_model, embedding_dimensions = excluded.embedding_dimensions,
          content_hash = excluded.content_hash, embedding = excluded.embedding, indexed_at = excluded.indexed_at
    RETURNING 1)
  SELECT (SELECT count(*) FROM written), (SELECT n FROM known) INTO stored, renewed;

  IF stored > 0 THEN
    INSERT INTO conversation_assistant_index_state AS s (user_id, version_id, status, indexed_count, last_indexed_at)
    VALUES (p_user, p_version, 'indexing', stored - renewed, clock_timestamp())
    ON CONFLICT (user_id, version_id) DO UPDATE
      SET status = 'indexing', indexed_count = s.indexed_count + excluded.indexed_count,
          last_indexed_at = excluded.last_indexed_at, last_error = NULL, updated_at = clock_timestamp();
  END IF;
  RETURN stored;
END
$$;

-- Remembers texts that could not be embedded: when to try again, or that it is over.
CREATE FUNCTION fail_embeddings(
  p_user text, p_version integer, p_ids uuid[], p_hashes bytea[], p_codes text[], p_delays_ms bigint[],
  p_parked boolean[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  UPDATE embedding_pending p
     SET attempts = CASE WHEN p.tried_hash = t.hash THEN p.attempts + 1 ELSE 1 END,
         tried_hash = t.hash, error_code = t.code, parked = t.parked,
         not_before = clock_timestamp() + t.delay_ms * interval '1 millisecond'
    FROM unnest(p_ids, p_hashes, p_codes, p_delays_ms, p_parked) AS t(id, hash, code, delay_ms, parked)
   WHERE p.user_id = p_user AND p.version_id = p_version AND p.message_id = ANY (p_ids) AND p.message_id = t.id;
END
$$;

-- Recounts exactly, for one version or for all that are kept. The rows are locked first and counted after,
-- so that what ingestion adds meanwhile is added to the new count and not lost.
CREATE FUNCTION index_counts_refresh(p_user text, p_version integer DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  WITH dead AS (
    SELECT m.id FROM messages m
     WHERE m.user_id = p_user AND (m.is_deleted OR m.content_hash IS NULL)
       AND EXISTS (SELECT FROM conversation_message_embeddings e WHERE e.user_id = p_user AND e.message_id = m.id)
       FOR SHARE SKIP LOCKED)
  DELETE FROM conversation_message_embeddings e USING dead d WHERE e.user_id = p_user AND e.message_id = d.id;

  INSERT INTO conversation_assistant_index_state (user_id, version_id)
  SELECT p_user, v.id FROM embedding_versions v
   WHERE v.state <> 'failed' AND v.id = coalesce(p_version, v.id) ORDER BY v.id
  ON CONFLICT (user_id, version_id) DO NOTHING;
  PERFORM FROM conversation_assistant_index_state s
    WHERE s.user_id = p_user AND s.version_id = coalesce(p_version, s.version_id) ORDER BY s.version_id FOR UPDATE;
  UPDATE conversation_assistant_index_state s
     SET total_count = c.total, indexed_count = c.indexed, updated_at = clock_timestamp()
    FROM (SELECT v.id, count(m.id) AS total, count(e.message_id) AS indexed
            FROM embedding_versions v
            LEFT JOIN messages m ON m.user_id = p_user AND NOT m.is_deleted AND m.content_hash IS NOT NULL
            LEFT JOIN conversation_message_embeddings e
              ON e.user_id = p_user AND e.message_id = m.id AND e.content_hash = m.content_hash
             AND e.embedding_profile_id = v.profile_id AND e.embedding_version = v.version
           WHERE v.id = coalesce(p_version, v.id)
           GROUP BY v.id) c
   WHERE s.user_id = p_user AND s.version_id = c.id;
END
$$;

-- What is left for a person: 'more' to take now, a retry to 'wait' for, or nothing ('done'). Then, and
-- while waiting, the counts are made exact, unless they already say that everything is indexed.
CREATE FUNCTION settle_embedding_job(p_user text, p_version integer)
RETURNS TABLE (outcome text, seen timestamptz, delay_ms bigint)
LANGUAGE plpgsql AS $$
DECLARE
  seen_at  timestamptz;
  due_at   timestamptz;
  given_up text;
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  -- Read before the list is: who adds to the list later than this changes it.
  SELECT requested_at INTO seen_at FROM embedding_jobs WHERE user_id = p_user AND version_id = p_version;
  SELECT min(p.not_before) FILTER (WHERE NOT p.parked), min(p.error_code) FILTER (WHERE p.parked)
    INTO due_at, given_up FROM embedding_pending p WHERE p.user_id = p_user AND p.version_id = p_version;
  IF due_at <= clock_timestamp()
     OR EXISTS (SELECT FROM embedding_pending p
                  LEFT JOIN messages m ON m.user_id = p_user AND m.id = p.message_id AND NOT m.is_deleted
                 WHERE p.user_id = p_user AND p.version_id = p_version
                   AND p.tried_hash IS DISTINCT FROM m.content_hash) THEN
    RETURN QUERY SELECT 'more'::text, seen_at, 0::bigint;
    RETURN;
  END IF;

  IF due_at IS NOT NULL OR given_up IS NOT NULL OR NOT EXISTS (
       SELECT FROM conversation_assistant_index_state s
        WHERE s.user_id = p_user AND s.version_id = p_version AND s.indexed_count = s.total_count) THEN
    PERFORM index_counts_refresh(p_user, p_version);
  END IF;
  IF due_at IS NOT NULL THEN
    RETURN QUERY SELECT 'wait'::text, seen_at,
      ceil(extract(epoch FROM due_at - clock_timestamp()) * 1000)::bigint;
    RETURN;
  END IF;
  UPDATE conversation_assistant_index_state
     SET status = CASE WHEN given_up IS NULL THEN 'ready' ELSE 'failed' END, last_error = given_up,
         updated_at = clock_timestamp()
   WHERE user_id = p_user AND version_id = p_version;
  RETURN QUERY SELECT 'done'::text, seen_at, 0::bigint;
END
$$;

-- Says that a person's index does not get on, with a stable code.
CREATE FUNCTION fail_index(p_user text, p_version integer, p_code text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  INSERT INTO conversation_assistant_index_state (user_id, version_id, status, last_error)
  VALUES (p_user, p_version, 'failed', p_code)
  ON CONFLICT (user_id, version_id) DO UPDATE
    SET status = 'failed', last_error = excluded.last_error, updated_at = clock_timestamp();
END
$$;

-- Puts everything on the lists that has no current vector, also what was given up. Returns how many
-- messages lack one or more.
CREATE FUNCTION request_reindex(p_user text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  waiting integer[];
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

  WITH put AS (
    INSERT INTO embedding_pending AS p (user_id, version_id, message_id)
    SELECT p_user, v.id, m.id FROM embedding_versions v JOIN messages m ON m.user_id = p_user
     WHERE v.state <> 'failed' AND NOT m.is_deleted AND m.content_hash IS NOT NULL
       AND NOT EXISTS (SELECT FROM conversation_message_embeddings e
                        WHERE e.user_id = p_user AND e.message_id = m.id AND e.content_hash = m.content_hash
                          AND e.embedding_profile_id = v.profile_id AND e.embedding_version = v.version)
     ORDER BY v.id, m.id
    ON CONFLICT (user_id, version_id, message_id) DO UPDATE
      SET attempts = 0, tried_hash = NULL, parked = false, error_code = NULL, not_before = clock_timestamp()
    RETURNING p.version_id, p.message_id)
  SELECT coalesce(array_agg(DISTINCT version_id), '{}'), count(DISTINCT message_id) INTO waiting, missing FROM put;

  PERFORM index_counts_refresh(p_user);
  UPDATE conversation_assistant_index_state
     SET status = CASE WHEN version_id = ANY (waiting) THEN 'indexing' ELSE 'ready' END, last_error = NULL,
         updated_at = clock_timestamp()
   WHERE user_id = p_user;
  INSERT INTO embedding_jobs (user_id, version_id) SELECT p_user, w FROM unnest(waiting) AS w ORDER BY w
  ON CONFLICT (user_id, version_id) DO UPDATE
    SET requested_at = clock_timestamp(), not_before = clock_timestamp(), attempts = 0, error_code = NULL;
  RETURN missing;
END
$$;

-- ---------------------------------------------------------------- ingestion

-- What an upload leaves to the index: vectors of text that is gone or has changed must not be found by,
-- then the lists of all versions that are kept, then the counts. Returns how many messages now wait.
CREATE FUNCTION queue_touched(p_user text, p_touched uuid[], p_total bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  gone   jsonb;
  queued bigint;
BEGIN
  WITH taken AS (
    DELETE FROM conversation_message_embeddings e USING messages m
     WHERE e.user_id = p_user AND e.message_id = ANY (p_touched) AND m.user_id = p_user AND m.id = e.message_id
       AND (m.is_deleted OR e.content_hash IS DISTINCT FROM m.content_hash)
    RETURNING e.embedding_profile_id AS profile, e.embedding_version AS version)
  SELECT jsonb_agg(jsonb_build_object('profile', t.profile, 'version', t.version)) INTO gone FROM taken t;
  DELETE FROM embedding_pending p USING messages m
   WHERE p.user_id = p_user AND p.message_id = ANY (p_touched) AND m.user_id = p_user AND m.id = p.message_id
     AND (m.is_deleted OR m.content IS NULL);
  WITH put AS (
    INSERT INTO embedding_pending AS p (user_id, version_id, message_id)
    SELECT p_user, v.id, m.id FROM embedding_versions v, messages m
     WHERE v.state <> 'failed' AND m.user_id = p_user AND m.id = ANY (p_touched)
       AND NOT m.is_deleted AND m.content IS NOT NULL
     ORDER BY v.id, m.id
    ON CONFLICT (user_id, version_id, message_id) DO UPDATE SET enqueued_at = now()
    RETURNING p.message_id)
  SELECT count(DISTINCT message_id) INTO queued FROM put;
  IF queued > 0 THEN
    INSERT INTO embedding_jobs (user_id, version_id)
    SELECT p_user, v.id FROM embedding_versions v WHERE v.state <> 'failed' ORDER BY v.id
    ON CONFLICT (user_id, version_id) DO UPDATE SET requested_at = now();
  END IF;

  INSERT INTO conversation_assistant_index_state AS s (user_id, version_id, status, total_count)
  SELECT p_user, v.id, CASE WHEN queued > 0 THEN 'indexing' ELSE 'idle' END, greatest(0, p_total)
    FROM embedding_versions v WHERE v.state <> 'failed' ORDER BY v.id
  ON CONFLICT (user_id, version_id) DO UPDATE
     SET status = CASE WHEN queued > 0 THEN 'indexing' ELSE s.status END,
         total_count = greatest(0, s.total_count + p_total), updated_at = now()
   WHERE queued > 0 OR p_total <> 0;
  PERFORM uncount_vectors(p_user, gone);
  RETURN queued;
END
$$;

-- As before, but for its end.
CREATE OR REPLACE FUNCTION ingest_messages(p_user text, p_rows jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  rounds   jsonb[];
  done     record;
  outcomes jsonb := '{}';
  touched  uuid[] := '{}';
  total    bigint := 0;
  queued   bigint;
  regroup  uuid[];
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);
  -- One batch of a person at a time: two uploads that overlap wait here and never deadlock further down.
  PERFORM pg_advisory_xact_lock(hashtextextended('ingest ' || p_user, 0));

  INSERT INTO contacts AS k (user_id, platform, platform_contact_id, name)
  SELECT p_user, l.platform, l."senderId",
         (array_agg(l."senderName" ORDER BY l.ord DESC) FILTER (WHERE l."senderName" IS NOT NULL))[1]
    FROM ROWS FROM (jsonb_to_recordset(p_rows) AS (
           platform text, "senderId" text, "senderName" text, "fromMe" boolean, deleted boolean))
         WITH ORDINALITY AS l(platform, "senderId", "senderName", "fromMe", deleted, ord)
   WHERE l."senderId" IS NOT NULL AND l."fromMe" IS NOT TRUE AND l.deleted IS NOT TRUE
   GROUP BY l.platform, l."senderId" ORDER BY l.platform, l."senderId"
  ON CONFLICT (user_id, platform, platform_contact_id) DO UPDATE SET name = excluded.name, updated_at = now()
   WHERE excluded.name IS NOT NULL AND k.name IS DISTINCT FROM excluded.name;

  INSERT INTO chats (user_id, platform, platform_chat_id)
  SELECT DISTINCT p_user, l.platform, l."chatId" FROM jsonb_to_recordset(p_rows) AS l(platform text, "chatId" text)
   ORDER BY l.platform, l."chatId"
  ON CONFLICT (user_id, platform, platform_chat_id) DO NOTHING;

  WITH given AS (
    SELECT l.platform, l."chatId",
           (array_agg(l."chatName" ORDER BY l.ord DESC) FILTER (WHERE l."chatName" IS NOT NULL))[1] AS name,
           (array_agg(l."isGroup" ORDER BY l.ord DESC) FILTER (WHERE l."isGroup" IS NOT NULL))[1] AS is_group,
           (array_agg(l."senderId" ORDER BY l.ord)
              FILTER (WHERE l."senderId" IS NOT NULL AND l."fromMe" IS NOT TRUE AND l.deleted IS NOT TRUE))[1] AS sender
      FROM ROWS FROM (jsonb_to_recordset(p_rows) AS (
             platform text, "chatId" text, "chatName" text, "isGroup" boolean, "senderId" text, "fromMe" boolean, deleted boolean))
           WITH ORDINALITY AS l(platform, "chatId", "chatName", "isGroup", "senderId", "fromMe", deleted, ord)
     GROUP BY l.platform, l."chatId"
  ), wanted AS (
    SELECT c.id, c.is_group AS was_group, coalesce(g.name, c.name) AS name, coalesce(g.is_group, c.is_group) AS is_group,
           -- The other person of a one-to-one chat; a group has none.
           CASE WHEN NOT coalesce(g.is_group, c.is_group) THEN coalesce(c.contact_id, k.id) END AS contact_id
      FROM given g
      JOIN chats c ON c.user_id = p_user AND c.platform = g.platform AND c.platform_chat_id = g."chatId"
      LEFT JOIN contacts k ON k.user_id = p_user AND k.platform = g.platform AND k.platform_contact_id = g.sender
  ), told AS (
    UPDATE chats c SET name = w.name, is_group = w.is_group, contact_id = w.contact_id, updated_at = now()
      FROM wanted w
     WHERE c.user_id = p_user AND c.id = w.id
       AND (c.name, c.is_group, c.contact_id) IS DISTINCT FROM (w.name, w.is_group, w.contact_id)
    RETURNING c.id, c.is_group <> w.was_group AS flipped)
  SELECT array_agg(id) FILTER (WHERE flipped) INTO regroup FROM told;
  IF regroup IS NOT NULL THEN
    UPDATE messages m SET is_group = c.is_group
      FROM chats c
     WHERE m.user_id = p_user AND m.chat_id = ANY (regroup) AND c.user_id = p_user AND c.id = m.chat_id
       AND m.is_group <> c.is_group;
  END IF;

  -- Lines of one message go into rounds, one after the other: each sees what the one before it left.
  SELECT array_agg(r.lines ORDER BY r.round) INTO rounds
    FROM (SELECT placed.round, jsonb_agg(placed.line ORDER BY placed.ord) AS lines
            FROM (SELECT l.ord, row_number() OVER (PARTITION BY c.id, l.line ->> 'messageId' ORDER BY l.ord) AS round,
                         l.line || jsonb_build_object('ord', l.ord, 'chat', c.id, 'chatIsGroup', c.is_group, 'contact', k.id) AS line
                    FROM jsonb_array_elements(p_rows) WITH ORDINALITY AS l(line, ord)
                    JOIN chats c ON c.user_id = p_user AND c.platform = l.line ->> 'platform'
                                AND c.platform_chat_id = l.line ->> 'chatId'
                    LEFT JOIN contacts k ON k.user_id = p_user AND k.platform = l.line ->> 'platform'
                                        AND k.platform_contact_id = l.line ->> 'senderId'
                 ) placed
           GROUP BY placed.round) r;
  FOR i IN 1..coalesce(cardinality(rounds), 0) LOOP
    SELECT * INTO done FROM ingest_round(p_user, rounds[i]);
    outcomes := outcomes || done.outcomes;
    touched := touched || done.touched;
    total := total + done.total_delta;
  END LOOP;

  UPDATE chats c SET last_message_at = newest.at
    FROM (SELECT DISTINCT l.platform, l."chatId" FROM jsonb_to_recordset(p_rows) AS l(platform text, "chatId" text)) spoken
    JOIN chats s ON s.user_id = p_user AND s.platform = spoken.platform AND s.platform_chat_id = spoken."chatId"
    LEFT JOIN LATERAL (SELECT m."timestamp" AS at FROM messages m
                        WHERE m.user_id = p_user AND m.chat_id = s.id AND NOT m.is_deleted
                        ORDER BY m."timestamp" DESC LIMIT 1) newest ON true
   WHERE c.user_id = p_user AND c.id = s.id AND c.last_message_at IS DISTINCT FROM newest.at;

  queued := queue_touched(p_user, touched, total);

  RETURN (SELECT jsonb_build_object(
            'new', count(*) FILTER (WHERE o.word = 'new'), 'changed', count(*) FILTER (WHERE o.word = 'changed'),
            'unchanged', count(*) FILTER (WHERE o.word = 'unchanged'), 'deleted', count(*) FILTER (WHERE o.word = 'deleted'),
            'queued', queued, 'outcomes', coalesce(jsonb_agg(o.word ORDER BY o.ord::int), '[]'))
            FROM jsonb_each_text(outcomes) AS o(ord, word));
END
$$;

-- ---------------------------------------------------------------- progress

-- A deleted message is counted out of the total at once, out of the indexed ones at the next recount.
CREATE OR REPLACE FUNCTION index_status_json(p_user text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT jsonb_build_object('status', s.status, 'indexedCount', least(s.indexed_count, s.total_count),
                               'totalCount', s.total_count, 'lastIndexedAt', s.last_indexed_at,
                               'lastError', s.last_error)
       FROM conversation_assistant_index_state s JOIN embedding_versions v ON v.id = s.version_id
      WHERE s.user_id = p_user AND v.state = 'active'),
    '{"status":"idle","indexedCount":0,"totalCount":0,"lastIndexedAt":null,"lastError":null}'::jsonb)
$$;

-- The same with what waits and what was given up, by code. Reads only what was given up.
CREATE FUNCTION index_status_detail(p_user text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  WITH codes AS (
    SELECT p.error_code AS code, count(*) AS n
      FROM embedding_pending p JOIN embedding_versions v ON v.id = p.version_id
     WHERE p.user_id = p_user AND v.state = 'active' AND p.parked GROUP BY 1),
  told AS (SELECT index_status_json(p_user) AS status, (SELECT coalesce(sum(c.n), 0) FROM codes c) AS parked)
  SELECT t.status || jsonb_build_object(
           'waitingCount',
           greatest(0, (t.status ->> 'totalCount')::bigint - (t.status ->> 'indexedCount')::bigint - t.parked),
           'parkedCount', t.parked,
           'parkedByCode', (SELECT coalesce(jsonb_object_agg(c.code, c.n), '{}') FROM codes c))
    FROM told t
$$;

-- ---------------------------------------------------------------- what an operator does, as the owner

-- Begins a version, or goes on with one. Says 'begun' or 'resumed'; or, having done nothing, 'serving'
-- (that model serves already), 'building' (another is being built) or 'retiring' (the one before is
-- still kept).
CREATE FUNCTION build_embedding_version(
  p_profile text, p_model text, p_dimensions integer, p_again boolean, OUT outcome text, OUT version_id integer)
LANGUAGE plpgsql AS $$
DECLARE
  same embedding_versions;
BEGIN
  LOCK TABLE embedding_versions IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO same FROM embedding_versions v
   WHERE (v.profile_id, v.model, v.dimensions) = (p_profile, p_model, p_dimensions)
     AND v.state IN ('building', 'failed') ORDER BY v.state, v.version DESC LIMIT 1;
  outcome := CASE
    WHEN EXISTS (SELECT FROM embedding_versions v WHERE v.state = 'building' AND v.id IS DISTINCT FROM same.id) THEN 'building'
    WHEN EXISTS (SELECT FROM embedding_versions v WHERE v.state = 'retiring') THEN 'retiring'
    WHEN same.id IS NOT NULL THEN 'resumed'
    WHEN NOT p_again AND EXISTS (
           SELECT FROM embedding_versions v
            WHERE v.state = 'active' AND (v.profile_id, v.model, v.dimensions) = (p_profile, p_model, p_dimensions)) THEN 'serving'
    ELSE 'begun' END;
  IF outcome = 'begun' THEN
    INSERT INTO embedding_versions (profile_id, version, model, dimensions, state)
    SELECT p_profile, 1 + coalesce(max(v.version), 0), p_model, p_dimensions, 'building'
      FROM embedding_versions v WHERE v.profile_id = p_profile
    RETURNING id INTO version_id;
  ELSIF outcome = 'resumed' THEN
    version_id := same.id;
    UPDATE embedding_versions SET state = 'building', changed_at = clock_timestamp() WHERE id = same.id;
  ELSE
    RETURN;
  END IF;
  INSERT INTO embedding_jobs (user_id, version_id, listed)
  SELECT person.user_id, build_embedding_version.version_id, false
    FROM (SELECT user_id FROM chats UNION SELECT user_id FROM conversation_assistant_index_state) person
  ON CONFLICT ON CONSTRAINT embedding_jobs_pkey DO UPDATE
    SET listed = false, requested_at = clock_timestamp(), not_before = clock_timestamp(), error_code = NULL;
END
$$;

-- What keeps a version from being complete: messages that lack their vector and have waited for over a
-- minute (or are on no list), those that came in the last minute, those that were given up.
CREATE FUNCTION embedding_version_gaps(p_version integer, OUT missing bigint, OUT fresh bigint, OUT parked bigint)
LANGUAGE sql STABLE AS $$
  SELECT count(*) FILTER (WHERE p.message_id IS NULL OR NOT p.parked AND p.enqueued_at < now() - interval '1 minute'),
         count(*) FILTER (WHERE NOT p.parked AND p.enqueued_at >= now() - interval '1 minute'),
         count(*) FILTER (WHERE p.parked)
    FROM embedding_versions v
    JOIN messages m ON NOT m.is_deleted AND m.content_hash IS NOT NULL
    LEFT JOIN conversation_message_embeddings e
      ON e.user_id = m.user_id AND e.message_id = m.id AND e.content_hash = m.content_hash
     AND e.embedding_profile_id = v.profile_id AND e.embedding_version = v.version
    LEFT JOIN embedding_pending p ON p.user_id = m.user_id AND p.version_id = v.id AND p.message_id = m.id
   WHERE v.id = p_version AND e.message_id IS NULL
$$;

-- Nodes heard of in the last half minute that have not the model of a version.
CREATE FUNCTION embedding_nodes_without(p_version integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM embedding_nodes n, embedding_versions v
   WHERE v.id = p_version AND n.seen_at > clock_timestamp() - interval '30 seconds'
     AND NOT v.profile_id || ' ' || v.model || ' ' || v.dimensions = ANY (n.models)
$$;

-- Puts the version that is being built in service and keeps the one before it. Says 'done'; or, having
-- done nothing, 'none', 'incomplete' or 'nodes'.
CREATE FUNCTION cutover_embedding_version(
  p_most_parked bigint, OUT outcome text, OUT missing bigint, OUT parked bigint, OUT nodes bigint)
LANGUAGE plpgsql AS $$
DECLARE
  next_id integer;
BEGIN
  LOCK TABLE embedding_versions IN SHARE ROW EXCLUSIVE MODE;
  SELECT id INTO next_id FROM embedding_versions WHERE state = 'building';
  IF next_id IS NULL THEN
    outcome := 'none';
    RETURN;
  END IF;
  SELECT g.missing, g.parked INTO missing, parked FROM embedding_version_gaps(next_id) g;
  nodes := embedding_nodes_without(next_id);
  outcome := CASE WHEN missing > 0 OR parked > p_most_parked THEN 'incomplete' WHEN nodes > 0 THEN 'nodes' ELSE 'done' END;
  IF outcome = 'done' THEN
    UPDATE embedding_versions SET state = 'retiring', changed_at = clock_timestamp() WHERE state = 'active';
    UPDATE embedding_versions SET state = 'active', changed_at = clock_timestamp() WHERE id = next_id;
  END IF;
END
$$;

-- Goes back to the version before, which was kept up to date, or gives up the one being built. Says
-- 'back', 'stopped' or 'none'.
CREATE FUNCTION rollback_embedding_version() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE embedding_versions IN SHARE ROW EXCLUSIVE MODE;
  UPDATE embedding_versions SET state = 'failed', changed_at = clock_timestamp()
   WHERE state = CASE WHEN EXISTS (SELECT FROM embedding_versions WHERE state = 'retiring') THEN 'active' ELSE 'building' END;
  IF NOT FOUND THEN
    RETURN 'none';
  END IF;
  UPDATE embedding_versions SET state = 'active', changed_at = clock_timestamp() WHERE state = 'retiring';
  RETURN CASE WHEN FOUND THEN 'back' ELSE 'stopped' END;
END
$$;

-- Ends the time in which one can go back: what was kept is kept no more. Returns the versions to remove,
-- of which none served within the last minute: a node may not have heard yet that it no longer does.
CREATE FUNCTION end_embedding_versions() RETURNS SETOF integer LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE embedding_versions IN SHARE ROW EXCLUSIVE MODE;
  UPDATE embedding_versions SET state = 'failed'
   WHERE state = 'retiring' AND changed_at < clock_timestamp() - interval '1 minute';
  RETURN QUERY SELECT id FROM embedding_versions
                WHERE state = 'failed' AND changed_at < clock_timestamp() - interval '1 minute' ORDER BY id;
END
$$;

-- Removes what an ended version holds of so many persons; at the end all the rest and the version itself.
-- Returns how many vectors went, null when it was the end.
CREATE FUNCTION remove_embedding_version(p_version integer, p_persons integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v       embedding_versions;
  persons text[];
  gone    bigint;
BEGIN
  SELECT * INTO v FROM embedding_versions WHERE id = p_version AND state = 'failed' FOR UPDATE;
  SELECT array_agg(s.user_id) INTO persons FROM (
    SELECT user_id FROM conversation_assistant_index_state WHERE version_id = p_version LIMIT p_persons) s;
  IF v.id IS NULL OR persons IS NULL THEN
    DELETE FROM conversation_message_embeddings e
     WHERE e.embedding_profile_id = v.profile_id AND e.embedding_version = v.version;
    DELETE FROM embedding_pending WHERE version_id = v.id;
    DELETE FROM embedding_jobs WHERE version_id = v.id;
    DELETE FROM embedding_versions WHERE id = v.id;
    RETURN NULL;
  END IF;
  DELETE FROM conversation_message_embeddings e
   WHERE e.user_id = ANY (persons) AND e.embedding_profile_id = v.profile_id AND e.embedding_version = v.version;
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM embedding_pending WHERE user_id = ANY (persons) AND version_id = v.id;
  DELETE FROM embedding_jobs WHERE user_id = ANY (persons) AND version_id = v.id;
  DELETE FROM conversation_assistant_index_state WHERE user_id = ANY (persons) AND version_id = v.id;
  RETURN gone;
END
$$;

-- Every version with its counts, as JSON. Reads whole tables.
CREATE FUNCTION embedding_report() RETURNS jsonb LANGUAGE sql STABLE AS $$
  WITH lists AS (
    SELECT p.version_id, p.parked, p.error_code, count(*) AS n FROM embedding_pending p GROUP BY 1, 2, 3),
  jobs AS (
    SELECT j.version_id, count(*) AS persons, count(*) FILTER (WHERE NOT j.listed) AS unlisted,
           count(*) FILTER (WHERE j.error_code IS NOT NULL) AS failing FROM embedding_jobs j GROUP BY 1),
  vectors AS (
    SELECT e.embedding_profile_id AS profile_id, e.embedding_version AS version, count(*) AS n
      FROM conversation_message_embeddings e GROUP BY 1, 2)
  SELECT jsonb_build_object(
    'messages', (SELECT count(*) FROM messages m WHERE NOT m.is_deleted AND m.content_hash IS NOT NULL),
    'nodes', (SELECT count(*) FROM embedding_nodes n WHERE n.seen_at > clock_timestamp() - interval '30 seconds'),
    'versions', (SELECT jsonb_agg(jsonb_build_object(
        'profile', v.profile_id, 'version', v.version, 'model', v.model, 'dimensions', v.dimensions,
        'state', v.state, 'since', v.changed_at,
        'vectors', coalesce((SELECT x.n FROM vectors x WHERE x.profile_id = v.profile_id AND x.version = v.version), 0),
        'waiting', coalesce((SELECT sum(l.n) FROM lists l WHERE l.version_id = v.id AND NOT l.parked), 0),
        'parked', (SELECT coalesce(jsonb_object_agg(l.error_code, l.n), '{}') FROM lists l
                    WHERE l.version_id = v.id AND l.parked),
        'persons', coalesce((SELECT j.persons FROM jobs j WHERE j.version_id = v.id), 0),
        'unlisted', coalesce((SELECT j.unlisted FROM jobs j WHERE j.version_id = v.id), 0),
        'failing', coalesce((SELECT j.failing FROM jobs j WHERE j.version_id = v.id), 0),
        'nodesWithout', embedding_nodes_without(v.id)) ORDER BY v.id) FROM embedding_versions v))
$$;

-- ---------------------------------------------------------------- rights and plans

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('watch_embedding_versions', 'forget_embedding_node', 'adopt_embedding_version',
                              'claim_embedding_jobs', 'renew_embedding_jobs', 'release_embedding_job',
                              'close_embedding_job', 'list_embedding_job', 'take_embedding_batch', 'uncount_vectors',
                              'write_embeddings', 'fail_embeddings', 'index_counts_refresh', 'settle_embedding_job',
                              'fail_index', 'request_reindex', 'queue_touched', 'ingest_messages',
                              'index_status_json', 'index_status_detail') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
  END LOOP;
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('build_embedding_version', 'embedding_version_gaps', 'embedding_nodes_without',
                              'cutover_embedding_version', 'rollback_embedding_version', 'end_embedding_versions',
                              'remove_embedding_version', 'embedding_report') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
    EXECUTE format('ALTER FUNCTION %s SET jit = off', f);
  END LOOP;
  -- A batch touches a few rows by their keys. A plan made while the tables were small must not read them
  -- whole once they have grown under the same connection.
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('take_embedding_batch', 'write_embeddings', 'fail_embeddings', 'queue_touched',
                              'ingest_messages') LOOP
    EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_hashjoin = off', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_mergejoin = off', f);
  END LOOP;
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('queue_touched', 'ingest_messages') LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_custom_plan', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_material = off', f);
  END LOOP;
END
$$;
