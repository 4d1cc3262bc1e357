-- What questions are limited to besides chats and times: platforms and senders, both by what the person's
-- own rows say; names of a question are looked up here before they limit anything.

-- The words of a name without accents and capitals: names are the same when these are.
CREATE FUNCTION name_words(p_name text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT string_to_array(trim(regexp_replace(lower(public.unaccent(coalesce(p_name, ''))), '[^[:alnum:]]+', ' ', 'g')), ' ')
$$;

-- Whether a message is of one of these people: by contact, or by the label it is shown under.
-- p_names: names as resolve_names returns them, words parted by one blank.
CREATE FUNCTION is_sent_by(p_from_me boolean, p_contact uuid, p_label text, p_contacts uuid[], p_names text[])
RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT NOT p_from_me
     AND (coalesce(p_contact = ANY (p_contacts), false)
          OR EXISTS (SELECT FROM unnest(p_names) AS n WHERE n <> '' AND name_words(p_label) @> string_to_array(n, ' ')))
$$;

-- The person's own rows that the names of a question may mean: every one of them that holds all words of the
-- name. Kinds: 'chat' (of p_chats), 'contact', 'talk' (a one-to-one chat with somebody of that name) and 'sender' (a
-- label that messages carry), all three of p_people. asked: the name's words; label: those of what was found.
-- Chats that are no evidence are not told. Runs as the owner for the text index, as search_text does.
CREATE FUNCTION resolve_names(p_user text, p_chats text[], p_people text[], p_groups boolean)
RETURNS TABLE (kind text, nr integer, asked text, id uuid, label text)
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
BEGIN
  IF p_user IS DISTINCT FROM current_setting('ask.user_id', true) THEN
    RETURN;
  END IF;
  RETURN QUERY
    WITH named AS MATERIALIZED (
      SELECT c.id, c.is_group, c.last_message_at, name_words(coalesce(nullif(c.name, ''), p.name)) AS words
        FROM chats c LEFT JOIN contacts p ON NOT c.is_group AND p.user_id = p_user AND p.id = c.contact_id
       WHERE c.user_id = p_user AND chat_is_evidence(c, '{}', p_groups)
    ), chat AS (
      SELECT a.nr::integer, w.words FROM unnest(p_chats) WITH ORDINALITY AS a (name, nr), LATERAL name_words(a.name) AS w (words)
       WHERE cardinality(w.words) > 0
    ), person AS (
      SELECT a.nr::integer, w.words FROM unnest(p_people) WITH ORDINALITY AS a (name, nr), LATERAL name_words(a.name) AS w (words)
       WHERE cardinality(w.words) > 0
    )
    SELECT 'chat', a.nr, array_to_string(a.words, ' '), n.id, array_to_string(n.words, ' ')
      FROM chat a, LATERAL (SELECT * FROM named n WHERE n.words @> a.words
                             ORDER BY n.last_message_at DESC NULLS LAST, n.id LIMIT 50) AS n
    UNION ALL
    SELECT 'talk', a.nr, array_to_string(a.words, ' '), n.id, array_to_string(n.words, ' ')
      FROM person a, LATERAL (SELECT * FROM named n WHERE NOT n.is_group AND n.words @> a.words
                               ORDER BY n.last_message_at DESC NULLS LAST, n.id LIMIT 50) AS n
    UNION ALL
    SELECT 'contact', a.nr, array_to_string(a.words, ' '), p.id, array_to_string(name_words(p.name), ' ')
      FROM person a, LATERAL (SELECT * FROM contacts p WHERE p.user_id = p_user AND name_words(p.name) @> a.words
                               ORDER BY p.id LIMIT 200) AS p
    UNION ALL
    SELECT 'sender', a.nr, array_to_string(a.words, ' '), NULL, m.label
      FROM person a, LATERAL to_tsquery('ask_text', array_to_string(a.words, ':A & ') || ':A') AS q,
           LATERAL (SELECT array_to_string(name_words(m.contact_name), ' ') AS label FROM messages m
                     WHERE numnode(q) > 0 AND m.user_id = p_user AND m.search @@ q AND NOT m.is_deleted AND NOT m.from_me
                       AND name_words(m.contact_name) @> a.words LIMIT 1) AS m;
END
$$;

-- The search of words, as it was, inside platforms and of senders too. A neighbour of a match counts only where it
-- is the next one of these senders: what somebody else says is no answer to what they said.
-- p_platforms, p_names null: any. p_contacts, p_names: as is_sent_by takes them.
DROP FUNCTION search_text(text, text[], text, real, uuid[], uuid[], boolean, timestamptz, timestamptz, integer);
CREATE FUNCTION search_text(
  p_user text, p_terms text[], p_phrases text, p_phrase_bonus real, p_chats uuid[], p_named uuid[],
  p_groups boolean, p_from timestamptz, p_until timestamptz, p_limit integer,
  p_platforms text[], p_contacts uuid[], p_names text[])
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
      SELECT m.id, m.chat_id, m."timestamp", CASE WHEN NOT c.is_group THEN c.name END AS talk,
             m.search @@ v_phrases AS phrase,
             (SELECT bit_or(1 << (t.nr - 1)::integer) FROM unnest(v_terms) WITH ORDINALITY AS t (q, nr)
               WHERE m.search @@ t.q) AS held
        FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id
       WHERE m.user_id = p_user AND m.search @@ v_any
         AND (p_chats IS NULL OR m.chat_id = ANY (p_chats))
         AND NOT m.is_deleted AND m.content <> ''
         AND m."timestamp" >= p_from AND m."timestamp" < p_until
         AND chat_is_evidence(c, p_named, p_groups)
         AND (p_platforms IS NULL OR c.platform = ANY (p_platforms))
         AND (p_names IS NULL OR is_sent_by(m.from_me, m.contact_id, coalesce(nullif(m.contact_name, ''),
               CASE WHEN NOT c.is_group THEN c.name END), p_contacts, p_names))
    ), kinds AS MATERIALIZED ( -- few, however many messages there are
      SELECT f.held, count(*) AS messages FROM found f GROUP BY f.held
    ), weights AS MATERIALIZED (
      SELECT t.nr - 1 AS place, ln(1 + (greatest(v_total, d.df) - d.df + 0.5) / (d.df + 0.5)) AS weight
        FROM generate_series(1, cardinality(v_terms)) AS t (nr),
             LATERAL (SELECT greatest(sum(k.messages), 1) AS df FROM kinds k WHERE k.held & (1 << t.nr - 1) <> 0) AS d
    ), best AS MATERIALIZED (
      SELECT f.id, f.chat_id, f."timestamp", f.talk, f.held, worth.weight * (1 + p_phrase_bonus * f.phrase::integer) AS weight
        FROM found f JOIN (SELECT k.held, sum(w.weight) AS weight FROM kinds k JOIN weights w
                               ON k.held & (1 << w.place) <> 0 GROUP BY k.held) AS worth ON worth.held = f.held
       ORDER BY 6 DESC, f."timestamp" DESC, f.id LIMIT 4 * p_limit
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
             AND (p_names IS NULL OR is_sent_by(m.from_me, m.contact_id, coalesce(nullif(m.contact_name, ''), b.talk),
                   p_contacts, p_names))
           ORDER BY m."timestamp", m.id LIMIT 1) AS n
      UNION ALL
      SELECT n.id, n."timestamp", 0.3 * b.weight, 0, 0, 0
        FROM read b, LATERAL (
          SELECT m.id, m."timestamp" FROM messages m
           WHERE m.user_id = p_user AND m.chat_id = b.chat_id AND (m."timestamp", m.id) < (b."timestamp", b.id)
             AND m."timestamp" >= greatest(p_from, b."timestamp" - interval '12 hours')
             AND NOT m.is_deleted AND m.content <> ''
             AND (p_names IS NULL OR is_sent_by(m.from_me, m.contact_id, coalesce(nullif(m.contact_name, ''), b.talk),
                   p_contacts, p_names))
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

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('name_words', 'is_sent_by', 'resolve_names', 'search_text') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
  END LOOP;
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('resolve_names', 'search_text') LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
    EXECUTE format('ALTER FUNCTION %s SET client_min_messages = warning', f);
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_custom_plan', f);
  END LOOP;
END
$$;
