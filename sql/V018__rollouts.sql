-- What an operator changes while nodes run: the switch of models, and a rollout, which gives a share of the
-- accounts another profile or another version of retrieval than the rest.

-- ---------------------------------------------------------------- changes

-- Only ever added to: the newest row of the switch and the newest of the others are what holds, the rest is how
-- it came to that. At most one rollout runs at a time, so that its numbers are its own.
CREATE TABLE rollout_changes (
  version    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run        uuid NOT NULL,
  name       text NOT NULL CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  kind       text NOT NULL CHECK (kind IN ('switch', 'profile', 'retrieval')),
  state      text NOT NULL,
  control    text NOT NULL,
  candidate  text NOT NULL,
  share      integer NOT NULL CHECK (share BETWEEN 0 AND 100),
  listed     text[] NOT NULL,
  gate       text,
  numbers    jsonb,
  changed_by text NOT NULL,
  reason     text NOT NULL CHECK (length(reason) <= 500),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (CASE kind WHEN 'switch' THEN state IN ('on', 'off') ELSE state IN ('running', 'rolled_back', 'finished') END)
);
CREATE INDEX rollout_changes_of_switch ON rollout_changes (version DESC) WHERE kind = 'switch';
CREATE INDEX rollout_changes_of_rollouts ON rollout_changes (version DESC) WHERE kind <> 'switch';
COMMENT ON COLUMN rollout_changes.run IS 'one rollout from its start to its end, and the key by which it is drawn who is in';
COMMENT ON COLUMN rollout_changes.control IS 'the profile that is replaced; empty for retrieval as it is configured';
COMMENT ON COLUMN rollout_changes.share IS 'per cent of the accounts that have the candidate';
COMMENT ON COLUMN rollout_changes.listed IS 'accounts that have the candidate whatever the share';
COMMENT ON COLUMN rollout_changes.gate IS 'what a rollout was taken back for by the gateway itself';
COMMENT ON COLUMN rollout_changes.numbers IS 'what that was judged by: counts and times, of no person';
GRANT SELECT ON rollout_changes TO ${gatewayRole};

-- ---------------------------------------------------------------- the arm of a request

-- Who waits for the table makes everybody behind wait, too: rather not at all. Rows of before have no arm, so
-- that they need not be read for the check, which holds for new ones all the same; the index reads them once.
SET LOCAL lock_timeout = '10s';
ALTER TABLE answer_requests
  ADD COLUMN rollout_run uuid,
  ADD COLUMN arm text,
  ADD COLUMN measured jsonb,
  ADD CONSTRAINT answer_requests_arm_check CHECK (arm IN ('control', 'candidate', 'listed')) NOT VALID;
CREATE INDEX answer_requests_of_rollout ON answer_requests (rollout_run, arm, created_at DESC) WHERE rollout_run IS NOT NULL;
COMMENT ON COLUMN answer_requests.arm IS 'control: as configured; candidate: drawn into the share; listed: has the candidate by name';
COMMENT ON COLUMN answer_requests.measured IS 'what gates look at: costMicroUsd, firstTextMs, tookMs, sources, marksDropped, leaked. Null when its node did not end it';

-- Both take the answer of the function that began or ended the turn, which has set the person, and hand it on.
CREATE FUNCTION note_arm(p_begun jsonb, p_user text, p_request uuid, p_run uuid, p_arm text) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  IF (p_begun ->> 'begun')::boolean THEN
    UPDATE answer_requests SET rollout_run = p_run, arm = p_arm WHERE user_id = p_user AND request_id = p_request;
  END IF;
  RETURN p_begun;
END
$$;

CREATE FUNCTION note_measured(p_finished jsonb, p_user text, p_request uuid, p_end jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  IF (p_finished ->> 'finished')::boolean THEN
    UPDATE answer_requests SET measured = p_end -> 'measured'
     WHERE user_id = p_user AND request_id = p_request AND rollout_run IS NOT NULL;
  END IF;
  RETURN p_finished;
END
$$;

-- ---------------------------------------------------------------- what nodes ask

CREATE FUNCTION rollout_state() RETURNS SETOF rollout_changes LANGUAGE sql STABLE AS $$
  (SELECT c.* FROM rollout_changes c WHERE c.kind = 'switch' ORDER BY c.version DESC LIMIT 1)
  UNION ALL
  (SELECT c.* FROM rollout_changes c WHERE c.kind <> 'switch' ORDER BY c.version DESC LIMIT 1)
$$;

-- How the answers of a rollout's arms went that began since then, at most the newest p_most of each: counts,
-- sums and times of no person. Once the control or the candidate has more, both are looked at over the time that
-- the newest of the larger one cover, so that they are of the same hours. What runs is left out until its lease has
-- been over for a minute and nobody has swept it. p_slower: how many times the p95 of the control an answer has to
-- take to be slow. An answer that came to no text has waited for it to its end.
CREATE FUNCTION rollout_measures(p_run uuid, p_since timestamptz, p_most integer, p_slower double precision)
RETURNS TABLE (arm text, answers bigint, failed bigint, lost bigint, completed bigint, unsourced bigint, dropped bigint,
               leaked bigint, priced bigint, cost_mean double precision, cost_variance double precision,
               first_timed bigint, first_slow bigint, first_p95 double precision,
               whole_timed bigint, whole_slow bigint, whole_p95 double precision)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
  WITH newest AS MATERIALIZED (
    SELECT arms.arm, r.status, r.measured, r.created_at
      FROM unnest(ARRAY['control', 'candidate', 'listed']) AS arms(arm)
     CROSS JOIN LATERAL (
       SELECT q.status, q.measured, q.created_at FROM answer_requests q
        WHERE q.rollout_run = p_run AND q.arm = arms.arm AND q.created_at >= p_since
          AND (q.status <> 'streaming' OR q.lease_until < clock_timestamp() - interval '1 minute')
        ORDER BY q.created_at DESC LIMIT p_most) r
  ), full_arms AS (
    SELECT min(n.created_at) AS oldest FROM newest n WHERE n.arm <> 'listed' GROUP BY n.arm HAVING count(*) >= p_most
  ), told AS (
    SELECT r.arm, r.status, r.measured IS NULL AS untold,
           (r.measured ->> 'costMicroUsd')::double precision AS cost,
           coalesce(r.measured ->> 'firstTextMs', r.measured ->> 'tookMs')::double precision AS first,
           CASE r.status WHEN 'completed' THEN (r.measured ->> 'tookMs')::double precision END AS whole,
           (r.measured ->> 'sources')::integer AS sources,
           (r.measured ->> 'marksDropped')::integer AS dropped,
           (r.measured ->> 'leaked')::integer AS leaked
      FROM newest r
     WHERE r.arm = 'listed' OR r.created_at >= coalesce((SELECT max(f.oldest) FROM full_arms f), p_since)
  ), usual AS (
    SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY t.first) AS first,
           percentile_disc(0.95) WITHIN GROUP (ORDER BY t.whole) AS whole
      FROM told t WHERE t.arm = 'control'
  )
  SELECT t.arm, count(*),
         count(*) FILTER (WHERE t.status IN ('failed', 'streaming')),
         count(*) FILTER (WHERE t.status = 'streaming' OR (t.status = 'failed' AND t.untold)),
         count(*) FILTER (WHERE t.status = 'completed' AND NOT t.untold),
         count(*) FILTER (WHERE t.status = 'completed' AND t.sources = 0),
         count(*) FILTER (WHERE t.status = 'completed' AND t.dropped > 0),
         count(*) FILTER (WHERE t.leaked > 0),
         count(t.cost) FILTER (WHERE t.status = 'completed'),
         coalesce(avg(t.cost) FILTER (WHERE t.status = 'completed'), 0),
         coalesce(var_samp(t.cost) FILTER (WHERE t.status = 'completed'), 0),
         count(t.first),
         -- The control's own slow ones are by definition those over its p95.
         count(*) FILTER (WHERE t.first > u.first * CASE t.arm WHEN 'control' THEN 1 ELSE p_slower END),
         coalesce(percentile_disc(0.95) WITHIN GROUP (ORDER BY t.first), 0),
         count(t.whole),
         count(*) FILTER (WHERE t.whole > u.whole * CASE t.arm WHEN 'control' THEN 1 ELSE p_slower END),
         coalesce(percentile_disc(0.95) WITHIN GROUP (ORDER BY t.whole), 0)
    FROM told t CROSS JOIN usual u
   GROUP BY t.arm
$$;

-- ---------------------------------------------------------------- changes made

-- Changes the rollout that runs, if it has that name. With p_version only if nobody changed it since. What became
-- of it: done, or none where no such rollout runs, or it is so already: its stage goes on then.
CREATE FUNCTION change_rollout(p_name text, p_version bigint, p_state text, p_share integer, p_gate text, p_numbers jsonb,
                               p_by text, p_reason text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  newest rollout_changes;
BEGIN
  LOCK TABLE rollout_changes IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO newest FROM rollout_changes WHERE kind <> 'switch' ORDER BY version DESC LIMIT 1;
  IF newest.state IS DISTINCT FROM 'running' OR newest.name <> p_name OR newest.version <> coalesce(p_version, newest.version)
     OR (p_state = 'running' AND newest.share = p_share) THEN
    RETURN 'none';
  END IF;
  INSERT INTO rollout_changes (run, name, kind, state, control, candidate, share, listed, gate, numbers, changed_by, reason)
  VALUES (newest.run, newest.name, newest.kind, p_state, newest.control, newest.candidate, p_share, newest.listed, p_gate,
          p_numbers, p_by, p_reason);
  RETURN 'done';
END
$$;

-- Begins a rollout. What became of it: done, or running where another one runs.
CREATE FUNCTION start_rollout(p_name text, p_kind text, p_control text, p_candidate text, p_share integer, p_listed text[],
                              p_by text, p_reason text)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE rollout_changes IN SHARE ROW EXCLUSIVE MODE;
  IF (SELECT state FROM rollout_changes WHERE kind <> 'switch' ORDER BY version DESC LIMIT 1) = 'running' THEN
    RETURN 'running';
  END IF;
  INSERT INTO rollout_changes (run, name, kind, state, control, candidate, share, listed, changed_by, reason)
  VALUES (gen_random_uuid(), p_name, p_kind, 'running', p_control, p_candidate, p_share, p_listed, p_by, p_reason);
  RETURN 'done';
END
$$;

-- Lets models be called, or not. What became of it: done, or none where it was so already.
CREATE FUNCTION switch_models(p_state text, p_by text, p_reason text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE rollout_changes IN SHARE ROW EXCLUSIVE MODE;
  IF coalesce((SELECT state FROM rollout_changes WHERE kind = 'switch' ORDER BY version DESC LIMIT 1), 'on') = p_state THEN
    RETURN 'none';
  END IF;
  INSERT INTO rollout_changes (run, name, kind, state, control, candidate, share, listed, changed_by, reason)
  VALUES (gen_random_uuid(), 'models', 'switch', p_state, '', '', 0, '{}', p_by, p_reason);
  RETURN 'done';
END
$$;

-- The way of nodes, which may take a rollout back and do nothing else.
CREATE FUNCTION take_rollout_back(p_name text, p_version bigint, p_gate text, p_numbers jsonb) RETURNS boolean
LANGUAGE sql SECURITY DEFINER AS $$
  SELECT change_rollout(p_name, p_version, 'rolled_back', 0, p_gate, p_numbers, 'gateway', 'the gate ' || p_gate) = 'done'
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('note_arm', 'note_measured', 'rollout_state', 'rollout_measures', 'change_rollout',
                              'start_rollout', 'switch_models', 'take_rollout_back') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
    IF f::text !~ '^(\w+\.)?(change_rollout|start_rollout|switch_models)' THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    END IF;
  END LOOP;
END
$$;
