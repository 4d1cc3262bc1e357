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

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('name_words', 'is_sent_by', 'resolve_names') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
  END LOOP;
END
$$;

ALTER FUNCTION resolve_names SET search_path = ${schema}, public, pg_temp;
ALTER FUNCTION resolve_names SET client_min_messages = warning;
ALTER FUNCTION resolve_names SET plan_cache_mode = force_custom_plan;
