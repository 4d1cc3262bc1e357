-- What questions are answered from: a text index and vector indexes over the person's messages.

CREATE EXTENSION IF NOT EXISTS btree_gin SCHEMA public;

-- Accents are dropped before the English stemmer, which leaves words of other languages whole.
CREATE TEXT SEARCH CONFIGURATION ask_text (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION ask_text
  ALTER MAPPING FOR asciihword, asciiword, hword, hword_asciipart, hword_part, word
  WITH public.unaccent, english_stem;

-- The words of a message. A sign before digits is cut off, since the parser reads "-43210" in a
-- telephone number as a negative number, and "P-8A" as one word. Longer numbers are also kept joined.
-- The sender's words carry the label A, to tell what was written from who wrote it. A text is cut
-- where its index entry could pass PostgreSQL's limit of one megabyte.
CREATE FUNCTION search_vector(p_sender text, p_content text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT setweight(to_tsvector('${schema}.ask_text', left(coalesce(p_sender, ''), 300)), 'A')
      || to_tsvector('${schema}.ask_text', regexp_replace(left(coalesce(p_content, ''), 32768), '[-+.,:/]+(?=\d)', ' ', 'g'))
      || to_tsvector('simple', coalesce((
           SELECT string_agg(regexp_replace(m.run[1], '\D', '', 'g'), ' ')
             FROM regexp_matches(left(coalesce(p_content, ''), 32768), '\d(?:[-. ()]{0,2}\d){6,17}', 'g') AS m (run)), ''))
$$;

ALTER TABLE messages ADD COLUMN search tsvector
  GENERATED ALWAYS AS (search_vector(contact_name, content)) STORED;
CREATE INDEX messages_search ON messages USING gin (user_id, search);

-- One index for each number of dimensions, over all profiles of it; HNSW ends at 2,000 dimensions.
CREATE INDEX embeddings_384 ON conversation_message_embeddings
  USING hnsw ((embedding::vector(384)) vector_cosine_ops) WHERE embedding_dimensions = 384;
CREATE INDEX embeddings_1536 ON conversation_message_embeddings
  USING hnsw ((embedding::vector(1536)) vector_cosine_ops) WHERE embedding_dimensions = 1536;

-- Ids and ranks of the messages that hold any term of a text query, or stand next to one that does, of the
-- person set for this transaction and of no other. It runs as the owner because a policy keeps the planner
-- from the text index (the match operator is not leak-proof); what it returns is read again under the policy.
--
-- A term weighs what it tells: much when few of the person's messages hold it, nothing when nearly all do
-- (the logarithm of BM25, without its counts of repeats and length, which say little about chat messages).
-- One that no message holds weighs like one that a single message holds.
-- People answer in other words than they are asked in, so half of a message's weight goes on to the message
-- after it in its chat and a third to the one before, inside half a day.
--
-- p_terms: one text query for each thing asked for, at most 31. asked: how many of them the index knows a
-- word of; matched: how many the message holds together with the one before it, senders' names
-- included, or 0 when it holds none itself; in_text: without the names; share: what weight of all the terms
-- the matched ones have, 0 to 1.
-- p_chats null: every chat. p_named: chats the person named, which count though AI is off for them.
CREATE FUNCTION search_text(
  p_user text, p_terms text[], p_phrases text, p_phrase_bonus real, p_chats uuid[], p_named uuid[],
  p_groups boolean, p_from timestamptz, p_until timestamptz, p_limit integer)
RETURNS TABLE (message_id uuid, rank real, asked integer, matched integer, in_text integer, share real)
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE
  v_terms   tsquery[];
  v_any     tsquery := to_tsquery('ask_text', array_to_string(p_terms, ' | '));
  v_phrases tsquery := to_tsquery('ask_text', p_phrases);
  v_total   bigint;
BEGIN
  IF p_user IS DISTINCT FROM current_setting('ask.user_id', true) OR numnode(v_any) = 0 THEN
    RETURN;
  END IF;
  v_terms := ARRAY(SELECT q FROM unnest(p_terms) AS term, to_tsquery('ask_text', term) AS q WHERE numnode(q) > 0);
  v_total := (SELECT coalesce(sum(c.message_count), 0) FROM chats c WHERE c.user_id = p_user);
  RETURN QUERY
    WITH found AS MATERIALIZED (
      SELECT m.id, m.chat_id, m."timestamp", m.search @@ v_phrases AS phrase,
             (SELECT bit_or(1 << (t.nr - 1)::integer) FROM unnest(v_terms) WITH ORDINALITY AS t (q, nr)
               WHERE m.search @@ t.q) AS held
        FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id
       WHERE m.user_id = p_user AND m.search @@ v_any
         AND (p_chats IS NULL OR m.chat_id = ANY (p_chats))
         AND NOT m.is_deleted AND m.content <> ''
         AND m."timestamp" >= p_from AND m."timestamp" < p_until
         AND chat_is_evidence(c, p_named, p_groups)
    ), kinds AS MATERIALIZED ( -- few, however many messages there are
      SELECT f.held, count(*) AS messages FROM found f GROUP BY f.held
    ), weights AS MATERIALIZED (
      SELECT t.nr - 1 AS place, ln(1 + (greatest(v_total, d.df) - d.df + 0.5) / (d.df + 0.5)) AS weight
        FROM generate_series(1, cardinality(v_terms)) AS t (nr),
             LATERAL (SELECT greatest(sum(k.messages), 1) AS df FROM kinds k WHERE k.held & (1 << t.nr - 1) <> 0) AS d
    ), best AS MATERIALIZED (
      SELECT f.id, f.chat_id, f."timestamp", f.held, worth.weight * (1 + p_phrase_bonus * f.phrase::integer) AS weight
        FROM found f JOIN (SELECT k.held, sum(w.weight) AS weight FROM kinds k JOIN weights w
                               ON k.held & (1 << w.place) <> 0 GROUP BY k.held) AS worth ON worth.held = f.held
       ORDER BY 5 DESC, f."timestamp" DESC, f.id LIMIT 4 * p_limit
    ), read AS MATERIALIZED (
      SELECT b.*, (SELECT coalesce(bit_or(1 << (t.nr - 1)::integer), 0) FROM unnest(v_terms) WITH ORDINALITY AS t (q, nr)
                    WHERE ts_filter(m.search, '{d}') @@ t.q) AS written
        FROM best b JOIN messages m ON m.user_id = p_user AND m.id = b.id
    ), spread AS (
      SELECT b.id, b."timestamp", b.weight, b.held AS own, b.held, b.written FROM read b
      UNION ALL
      SELECT n.id, n."timestamp", 0.5 * b.weight, 0, b.held, b.written
        FROM read b, LATERAL (
          SELECT m.id, m."timestamp" FROM messages m
           WHERE m.user_id = p_user AND m.chat_id = b.chat_id AND (m."timestamp", m.id) > (b."timestamp", b.id)
             AND m."timestamp" < least(p_until, b."timestamp" + interval '12 hours')
             AND NOT m.is_deleted AND m.content <> ''
           ORDER BY m."timestamp", m.id LIMIT 1) AS n
      UNION ALL
      SELECT n.id, n."timestamp", 0.3 * b.weight, 0, 0, 0
        FROM read b, LATERAL (
          SELECT m.id, m."timestamp" FROM messages m
           WHERE m.user_id = p_user AND m.chat_id = b.chat_id AND (m."timestamp", m.id) < (b."timestamp", b.id)
             AND m."timestamp" >= greatest(p_from, b."timestamp" - interval '12 hours')
             AND NOT m.is_deleted AND m.content <> ''
           ORDER BY m."timestamp" DESC, m.id DESC LIMIT 1) AS n
    ), ranked AS MATERIALIZED (
      SELECT s.id, s."timestamp", sum(s.weight) AS weight,
             CASE WHEN bit_or(s.own) = 0 THEN 0 ELSE bit_or(s.held) END AS held,
             CASE WHEN bit_or(s.own) = 0 THEN 0 ELSE bit_or(s.written) END AS written
        FROM spread s
       GROUP BY s.id, s."timestamp" ORDER BY 3 DESC, s."timestamp" DESC, s.id LIMIT p_limit
    )
    SELECT r.id, r.weight::real, cardinality(v_terms), bit_count(r.held::bit(32))::integer,
           bit_count(r.written::bit(32))::integer,
           ((SELECT coalesce(sum(w.weight), 0) FROM weights w WHERE r.held & (1 << w.place::integer) <> 0)
             / (SELECT sum(w.weight) FROM weights w))::real
      FROM ranked r
     ORDER BY r.weight DESC, r."timestamp" DESC, r.id;
END
$$;

-- Whether a chat may be drawn on: groups by the policy or their own switch, others unless switched off.
CREATE FUNCTION chat_is_evidence(c chats, p_named uuid[], p_groups boolean) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN c.id = ANY (p_named) THEN true
              WHEN c.is_group THEN p_groups OR coalesce(c.ai_enabled, false)
              ELSE coalesce(c.ai_enabled, true) END
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('search_vector', 'search_text', 'chat_is_evidence') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
  END LOOP;
END
$$;

-- Notices would quote the words of a question into the gateway's log. A plan made for the very
-- arguments knows which filters are there.
ALTER FUNCTION search_text SET search_path = ${schema}, public, pg_temp;
ALTER FUNCTION search_text SET client_min_messages = warning;
ALTER FUNCTION search_text SET plan_cache_mode = force_custom_plan;
