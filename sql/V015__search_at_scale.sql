-- Text search whose time does not grow with how common the question's words are.
--
-- Weights ask for every match of every word, of which a large account has tens of thousands. But only the best
-- few are wanted, and what holds nothing but common words is among them only when little else is. So in a large
-- account messages are read in the order of what they can weigh at most (the bound of MaxScore): those with a
-- rare word first, then those with several common words, by the index's intersection, then the newest with one.
-- It ends when as many are found as are wanted that weigh no less than what is left could.

-- Which of the terms a message holds, a bit for each. Inlined, so that the terms are constants of a plan.
CREATE FUNCTION terms_held(p_search tsvector, p_terms tsquery[]) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((p_search @@ p_terms[1])::integer, 0)
       | coalesce((p_search @@ p_terms[2])::integer << 1, 0)
       | coalesce((p_search @@ p_terms[3])::integer << 2, 0)
       | coalesce((p_search @@ p_terms[4])::integer << 3, 0)
       | coalesce((p_search @@ p_terms[5])::integer << 4, 0)
       | coalesce((p_search @@ p_terms[6])::integer << 5, 0)
       | coalesce((p_search @@ p_terms[7])::integer << 6, 0)
       | coalesce((p_search @@ p_terms[8])::integer << 7, 0)
       | coalesce((p_search @@ p_terms[9])::integer << 8, 0)
       | coalesce((p_search @@ p_terms[10])::integer << 9, 0)
       | coalesce((p_search @@ p_terms[11])::integer << 10, 0)
       | coalesce((p_search @@ p_terms[12])::integer << 11, 0)
       | coalesce((p_search @@ p_terms[13])::integer << 12, 0)
       | coalesce((p_search @@ p_terms[14])::integer << 13, 0)
       | coalesce((p_search @@ p_terms[15])::integer << 14, 0)
       | coalesce((p_search @@ p_terms[16])::integer << 15, 0)
       | coalesce((p_search @@ p_terms[17])::integer << 16, 0)
       | coalesce((p_search @@ p_terms[18])::integer << 17, 0)
$$;

-- What a message weighs by the terms that it holds. p_weights: one for each term. Inlined too.
CREATE FUNCTION terms_weight(p_held integer, p_weights double precision[]) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(p_weights[1] * (p_held & 1), 0)
       + coalesce(p_weights[2] * (p_held >> 1 & 1), 0)
       + coalesce(p_weights[3] * (p_held >> 2 & 1), 0)
       + coalesce(p_weights[4] * (p_held >> 3 & 1), 0)
       + coalesce(p_weights[5] * (p_held >> 4 & 1), 0)
       + coalesce(p_weights[6] * (p_held >> 5 & 1), 0)
       + coalesce(p_weights[7] * (p_held >> 6 & 1), 0)
       + coalesce(p_weights[8] * (p_held >> 7 & 1), 0)
       + coalesce(p_weights[9] * (p_held >> 8 & 1), 0)
       + coalesce(p_weights[10] * (p_held >> 9 & 1), 0)
       + coalesce(p_weights[11] * (p_held >> 10 & 1), 0)
       + coalesce(p_weights[12] * (p_held >> 11 & 1), 0)
       + coalesce(p_weights[13] * (p_held >> 12 & 1), 0)
       + coalesce(p_weights[14] * (p_held >> 13 & 1), 0)
       + coalesce(p_weights[15] * (p_held >> 14 & 1), 0)
       + coalesce(p_weights[16] * (p_held >> 15 & 1), 0)
       + coalesce(p_weights[17] * (p_held >> 16 & 1), 0)
       + coalesce(p_weights[18] * (p_held >> 17 & 1), 0)
$$;

-- How much there is to search: the person's messages, those inside the filters (senders aside), and the chats that
-- are left out: what is no evidence, and what is of other platforms. Read from the counters that ingestion keeps; a
-- range of time is counted, up to p_most. More than that is taken to be spread evenly over the person's time.
CREATE FUNCTION search_scope(
  p_user text, p_chats uuid[], p_named uuid[], p_groups boolean, p_platforms text[],
  p_from timestamptz, p_until timestamptz, p_most integer,
  OUT total bigint, OUT inside bigint, OUT chats_off uuid[])
LANGUAGE plpgsql STABLE AS $$
DECLARE
  counted bigint;
BEGIN
  SELECT coalesce(sum(c.message_count), 0),
         coalesce(sum(c.message_count) FILTER (WHERE (p_chats IS NULL OR c.id = ANY (p_chats)) AND c.is_in), 0),
         coalesce(array_agg(c.id) FILTER (WHERE NOT c.is_in), '{}')
    INTO total, inside, chats_off
    FROM (SELECT c.id, c.message_count, chat_is_evidence(c, p_named, p_groups)
                   AND (p_platforms IS NULL OR coalesce(c.platform = ANY (p_platforms), false)) AS is_in
            FROM chats c WHERE c.user_id = p_user) c;
  IF inside > p_most AND (p_from > '0001-01-02' OR p_until < '9999-12-30') THEN
    SELECT count(*) INTO counted FROM (
      SELECT FROM messages m
       WHERE m.user_id = p_user AND m."timestamp" >= p_from AND m."timestamp" < p_until
         AND (p_chats IS NULL OR m.chat_id = ANY (p_chats))
         -- Chats that are no evidence are few; those of other platforms may be nearly all.
         AND (p_platforms IS NULL OR m.chat_id NOT IN (SELECT unnest(chats_off))) LIMIT p_most + 1) c;
    SELECT CASE WHEN counted <= p_most THEN counted
                ELSE greatest(counted, inside * least(1, extract(epoch FROM least(p_until, t.latest) - greatest(p_from, t.earliest))
                                                         / extract(epoch FROM t.latest - t.earliest + interval '1 s'))) END
      INTO inside
      FROM (SELECT min(m."timestamp") AS earliest, max(m."timestamp") AS latest FROM messages m WHERE m.user_id = p_user) t;
  END IF;
END
$$;

-- The best of what was found, their weights in p_bests, and what stands next to them: of these senders, where the
-- search is limited to some.
CREATE FUNCTION search_spread(
  p_user text, p_ids uuid[], p_chats uuid[], p_ats timestamptz[], p_held integer[], p_bests double precision[],
  p_terms tsquery[], p_weights double precision[], p_from timestamptz, p_until timestamptz, p_limit integer,
  p_contacts uuid[], p_names text[])
RETURNS TABLE (message_id uuid, rank real, asked integer, matched integer, in_text integer, share real)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
    WITH best AS MATERIALIZED (
      SELECT b.* FROM unnest(p_ids, p_chats, p_ats, p_held, p_bests) AS b (id, chat_id, at, held, weight)
    ), read AS MATERIALIZED (
      SELECT b.*, terms_held(ts_filter(m.search, '{d}'), p_terms) AS written,
             CASE WHEN p_names IS NOT NULL THEN
               (SELECT c.name FROM chats c WHERE c.user_id = p_user AND c.id = b.chat_id AND NOT c.is_group) END AS talk
        FROM best b JOIN messages m ON m.user_id = p_user AND m.id = b.id
    ), spread AS (
      SELECT b.id, b.at, b.weight, b.held AS own, b.held, b.written FROM read b
      UNION ALL
      SELECT n.id, n."timestamp", 0.5 * b.weight, 0, b.held, b.written
        FROM read b, LATERAL (
          SELECT m.id, m."timestamp" FROM messages m
           WHERE m.user_id = p_user AND m.chat_id = b.chat_id AND (m."timestamp", m.id) > (b.at, b.id)
             AND m."timestamp" < least(p_until, b.at + interval '12 hours')
             AND NOT m.is_deleted AND m.content <> ''
             AND (p_names IS NULL OR is_sent_by(m.from_me, m.contact_id, coalesce(nullif(m.contact_name, ''), b.talk),
                   p_contacts, p_names))
           ORDER BY m."timestamp", m.id LIMIT 1) AS n
      UNION ALL
      SELECT n.id, n."timestamp", 0.3 * b.weight, 0, 0, 0
        FROM read b, LATERAL (
          SELECT m.id, m."timestamp" FROM messages m
           WHERE m.user_id = p_user AND m.chat_id = b.chat_id AND (m."timestamp", m.id) < (b.at, b.id)
             AND m."timestamp" >= greatest(p_from, b.at - interval '12 hours')
             AND NOT m.is_deleted AND m.content <> ''
             AND (p_names IS NULL OR is_sent_by(m.from_me, m.contact_id, coalesce(nullif(m.contact_name, ''), b.talk),
                   p_contacts, p_names))
           ORDER BY m."timestamp" DESC, m.id DESC LIMIT 1) AS n
    ), ranked AS MATERIALIZED (
      SELECT s.id, s.at, sum(s.weight) AS weight,
             CASE WHEN bit_or(s.own) = 0 THEN 0 ELSE bit_or(s.held) END AS held,
             CASE WHEN bit_or(s.own) = 0 THEN 0 ELSE bit_or(s.written) END AS written
        FROM spread s
       GROUP BY s.id, s.at ORDER BY 3 DESC, s.at DESC, s.id LIMIT p_limit
    )
    SELECT r.id, r.weight::real, cardinality(p_terms), bit_count(r.held::bit(32))::integer,
           bit_count(r.written::bit(32))::integer,
           (coalesce(terms_weight(r.held, p_weights), 0) / (SELECT sum(w) FROM unnest(p_weights) AS w))::real
      FROM ranked r
     ORDER BY r.weight DESC, r.at DESC, r.id;
END
$$;

-- What counts as a match is as before, now inside platforms and of senders too: of these a neighbour of a match has
-- to be as well, for what somebody else says is no answer to what they said. Of p_terms the first 18 count. The
-- function of before, with fewer parameters, stays for nodes of before.
-- p_platforms, p_names null: any. p_contacts, p_names: as is_sent_by takes them.
CREATE FUNCTION search_text(
  p_user text, p_terms text[], p_phrases text, p_phrase_bonus real, p_chats uuid[], p_named uuid[],
  p_groups boolean, p_from timestamptz, p_until timestamptz, p_limit integer,
  p_platforms text[], p_contacts uuid[], p_names text[])
RETURNS TABLE (message_id uuid, rank real, asked integer, matched integer, in_text integer, share real)
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE
  -- Up to so many messages in scope all matches are read; those of some senders always are.
  c_all      CONSTANT integer := 30000;
  -- Best messages that are wanted, before weight goes on to neighbours.
  v_wanted   CONSTANT integer := 4 * p_limit;
  -- A term with so many matches is common.
  v_common   CONSTANT integer := 40 * p_limit;
  -- Messages that tell how common a common term is.
  c_sample   CONSTANT integer := 1000;
  -- Common terms of which all combinations are looked at.
  c_together CONSTANT integer := 5;
  v_terms    tsquery[];
  v_any      tsquery := to_tsquery('ask_text', array_to_string(p_terms, ' | '));
  v_phrases  tsquery := to_tsquery('ask_text', p_phrases);
  v_off      uuid[];
  v_total    bigint;
  v_scope    bigint;
  v_df       double precision[];
  v_weights  double precision[];
  v_ids      uuid[];
  v_chats    uuid[];
  v_ats      timestamptz[];
  v_held     integer[];
  v_phrase   boolean[];
  v_bests    double precision[];
  v_set      record;
  v_enough   boolean;
BEGIN
  IF p_user IS DISTINCT FROM current_setting('ask.user_id', true) OR numnode(v_any) = 0 THEN
    RETURN;
  END IF;
  v_terms := ARRAY(SELECT q FROM unnest(p_terms) WITH ORDINALITY AS t (term, nr), to_tsquery('ask_text', t.term) AS q
                    WHERE numnode(q) > 0 ORDER BY t.nr LIMIT 18);
  SELECT s.total, s.inside, s.chats_off INTO v_total, v_scope, v_off
    FROM search_scope(p_user, p_chats, p_named, p_groups, p_platforms, p_from, p_until, c_all) s;

  IF v_scope <= c_all OR p_names IS NOT NULL THEN
    SELECT array_agg(f.id), array_agg(f.chat_id), array_agg(f."timestamp"), array_agg(f.held), array_agg(f.phrase)
      INTO v_ids, v_chats, v_ats, v_held, v_phrase
      FROM (SELECT m.id, m.chat_id, m."timestamp", terms_held(m.search, v_terms) AS held, m.search @@ v_phrases AS phrase
              FROM messages m
             WHERE m.user_id = p_user AND m.search @@ v_any
               AND (p_chats IS NULL OR m.chat_id = ANY (p_chats)) AND m.chat_id <> ALL (v_off)
               AND NOT m.is_deleted AND m.content <> ''
               AND m."timestamp" >= p_from AND m."timestamp" < p_until
               AND (p_names IS NULL OR is_sent_by(m.from_me, m.contact_id, coalesce(nullif(m.contact_name, ''),
                     (SELECT c.name FROM chats c WHERE c.user_id = p_user AND c.id = m.chat_id AND NOT c.is_group)),
                     p_contacts, p_names))) f;
    v_df := ARRAY(SELECT coalesce(sum(k.n) FILTER (WHERE k.held >> t.nr - 1 & 1 = 1), 0)
                    FROM generate_series(1, cardinality(v_terms)) AS t (nr)
                    LEFT JOIN (SELECT h.held, count(*) AS n FROM unnest(v_held) AS h (held) GROUP BY h.held) k ON true
                   GROUP BY t.nr ORDER BY t.nr);
    v_weights := ARRAY(SELECT term_weight(v_total, d.df) FROM unnest(v_df) WITH ORDINALITY AS d (df, nr) ORDER BY d.nr);
  ELSE
    -- How common: of the newest messages, so many held it. Only what is not common is looked up one by one.
    WITH sample AS MATERIALIZED (
      SELECT terms_held(s.search, v_terms) AS held FROM (
        SELECT m.search FROM messages m
         WHERE m.user_id = p_user AND (p_chats IS NULL OR m.chat_id = ANY (p_chats)) AND m.chat_id <> ALL (v_off)
           AND m."timestamp" >= p_from AND m."timestamp" < p_until
         ORDER BY m."timestamp" DESC LIMIT c_sample) AS s
    ), sampled AS MATERIALIZED (
      SELECT t.nr::integer AS nr, t.term, (SELECT count(*) FROM sample s WHERE s.held >> t.nr::integer - 1 & 1 = 1) * v_scope::float8 / c_sample AS df
        FROM unnest(v_terms) WITH ORDINALITY AS t (term, nr)
    ), probed AS MATERIALIZED (
      SELECT t.nr, f.* FROM sampled t, LATERAL (
        SELECT m.id, m.chat_id, m."timestamp", m.search FROM messages m
         WHERE m.user_id = p_user AND m.search @@ t.term
           AND (p_chats IS NULL OR m.chat_id = ANY (p_chats)) AND m.chat_id <> ALL (v_off)
           AND NOT m.is_deleted AND m.content <> ''
           AND m."timestamp" >= p_from AND m."timestamp" < p_until
         LIMIT v_common) AS f
       WHERE t.df < 2 * v_common
    ), known AS MATERIALIZED (
      SELECT t.nr, CASE WHEN t.df >= 2 * v_common THEN t.df WHEN p.n = v_common THEN greatest(t.df, v_common) ELSE coalesce(p.n, 0) END AS df
        FROM sampled t LEFT JOIN (SELECT p.nr, count(*) AS n FROM probed p GROUP BY p.nr) p ON p.nr = t.nr
    ), rare AS (
      SELECT DISTINCT ON (p.id) p.id, p.chat_id, p."timestamp", terms_held(p.search, v_terms) AS held, p.search @@ v_phrases AS phrase
        FROM probed p JOIN known k ON k.nr = p.nr WHERE k.df < v_common)
    SELECT (SELECT array_agg(k.df ORDER BY k.nr) FROM known k),
           array_agg(r.id), array_agg(r.chat_id), array_agg(r."timestamp"), array_agg(r.held), array_agg(r.phrase)
      INTO v_df, v_ids, v_chats, v_ats, v_held, v_phrase
      FROM rare r;
    v_weights := ARRAY(SELECT term_weight(v_total, d.df) FROM unnest(v_df) WITH ORDINALITY AS d (df, nr) ORDER BY d.nr);

    -- Common terms together: what weighs most first.
    FOR v_set IN
      WITH common AS (
        SELECT d.nr::integer AS nr, least(1, d.df / greatest(v_scope, 1)) AS share FROM unnest(v_df) WITH ORDINALITY AS d (df, nr)
         WHERE d.df >= v_common ORDER BY d.df LIMIT c_together)
      SELECT s.held, terms_weight(s.held, v_weights) AS weight,
             v_scope * (SELECT exp(sum(ln(c.share))) FROM common c WHERE s.held & (1 << c.nr - 1) <> 0) AS expected,
             (SELECT string_agg('(' || v_terms[c.nr]::text || ')', ' & ') FROM common c WHERE s.held & (1 << c.nr - 1) <> 0)::tsquery AS query
        FROM (SELECT (SELECT bit_or(1 << c.nr - 1) FROM (SELECT nr, row_number() OVER (ORDER BY nr) AS place FROM common) c
                       WHERE g.picked & (1 << c.place::integer - 1) <> 0) AS held
                FROM generate_series(1, (1 << (SELECT count(*) FROM common)::integer) - 1) AS g (picked)) s
       ORDER BY 2 DESC
    LOOP
      WITH kinds AS MATERIALIZED (SELECT h.held, count(*) AS n FROM unnest(v_held) AS h (held) GROUP BY h.held)
      SELECT coalesce(sum(k.n), 0) >= v_wanted INTO v_enough FROM kinds k
       WHERE terms_weight(k.held, v_weights) >= v_set.weight;
      EXIT WHEN v_enough;
      -- The newest of many are soon met going back in time; few are found by the index of words.
      SELECT v_ids || array_agg(f.id), v_chats || array_agg(f.chat_id), v_ats || array_agg(f."timestamp"),
             v_held || array_agg(f.held), v_phrase || array_agg(f.phrase)
        INTO v_ids, v_chats, v_ats, v_held, v_phrase
        FROM search_common(p_user, v_set.query, v_terms, v_phrases, p_chats, v_off, p_from, p_until, v_wanted,
                           v_set.expected * v_set.expected > v_scope * v_wanted / 2.0) f
       WHERE f.id <> ALL (coalesce(v_ids, '{}'));
    END LOOP;
  END IF;

  SELECT array_agg(b.id), array_agg(b.chat_id), array_agg(b.at), array_agg(b.held), array_agg(b.weight)
    INTO v_ids, v_chats, v_ats, v_held, v_bests
    FROM (SELECT f.id, f.chat_id, f.at, f.held, terms_weight(f.held, v_weights) * (1 + p_phrase_bonus * f.phrase::integer) AS weight
            FROM unnest(v_ids, v_chats, v_ats, v_held, v_phrase) AS f (id, chat_id, at, held, phrase)
           ORDER BY 5 DESC, f.at DESC, f.id LIMIT v_wanted) b;
  RETURN QUERY
    SELECT * FROM search_spread(p_user, v_ids, v_chats, v_ats, v_held, v_bests, v_terms, v_weights, p_from, p_until, p_limit,
                                p_contacts, p_names);
END
$$;

-- The logarithm of BM25; a term that no message holds weighs like one that a single message holds.
CREATE FUNCTION term_weight(p_total bigint, p_df double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ln(1 + (greatest(p_total, p_df) - greatest(p_df, 1) + 0.5) / (greatest(p_df, 1) + 0.5))
$$;

-- Messages that hold all of several common terms: each of them, or the newest.
CREATE FUNCTION search_common(
  p_user text, p_query tsquery, p_terms tsquery[], p_phrases tsquery, p_chats uuid[], p_off uuid[],
  p_from timestamptz, p_until timestamptz, p_wanted integer, p_newest boolean)
RETURNS TABLE (id uuid, chat_id uuid, "timestamp" timestamptz, held integer, phrase boolean)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_newest THEN
    RETURN QUERY
      SELECT m.id, m.chat_id, m."timestamp", terms_held(m.search, p_terms), m.search @@ p_phrases
        FROM messages m
       -- Not the operator that the index of words knows.
       WHERE m.user_id = p_user AND ts_match_vq(m.search, p_query)
         AND (p_chats IS NULL OR m.chat_id = ANY (p_chats)) AND m.chat_id <> ALL (p_off)
         AND NOT m.is_deleted AND m.content <> ''
         AND m."timestamp" >= p_from AND m."timestamp" < p_until
       ORDER BY m."timestamp" DESC LIMIT p_wanted;
  ELSE
    RETURN QUERY
      SELECT m.id, m.chat_id, m."timestamp", terms_held(m.search, p_terms), m.search @@ p_phrases
        FROM messages m
       WHERE m.user_id = p_user AND m.search @@ p_query
         AND (p_chats IS NULL OR m.chat_id = ANY (p_chats)) AND m.chat_id <> ALL (p_off)
         AND NOT m.is_deleted AND m.content <> ''
         AND m."timestamp" >= p_from AND m."timestamp" < p_until;
  END IF;
END
$$;

-- ---------------------------------------------------------------- by meaning

-- The nearest of all vectors inside the filters: each is looked at.
CREATE FUNCTION search_exact(
  p_user text, p_vector vector, p_profile text, p_version integer, p_chats uuid[], p_off uuid[],
  p_from timestamptz, p_until timestamptz, p_limit integer, p_contacts uuid[], p_names text[])
RETURNS TABLE (message_id uuid, distance float8)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
    SELECT e.message_id, e.embedding <=> p_vector
      FROM conversation_message_embeddings e JOIN messages m ON m.user_id = e.user_id AND m.id = e.message_id
     WHERE e.user_id = p_user AND e.embedding_profile_id = p_profile AND e.embedding_version = p_version
       AND e.embedding_dimensions = vector_dims(p_vector)
       -- Wrapped: the planner takes equal hashes of two tables for one row of them all.
       AND coalesce(e.content_hash = m.content_hash, false)
       AND (p_chats IS NULL OR m.chat_id = ANY (p_chats)) AND m.chat_id <> ALL (p_off)
       AND NOT m.is_deleted AND m.content <> ''
       AND m."timestamp" >= p_from AND m."timestamp" < p_until
       AND (p_names IS NULL OR is_sent_by(m.from_me, m.contact_id, coalesce(nullif(m.contact_name, ''),
             (SELECT c.name FROM chats c WHERE c.user_id = p_user AND c.id = m.chat_id AND NOT c.is_group)),
             p_contacts, p_names))
     -- Adding nothing keeps the planner from the approximate index.
     ORDER BY (e.embedding <=> p_vector) + 0, m."timestamp" DESC, m.id LIMIT p_limit;
END
$$;

-- The nearest by the approximate index, which is gone through until enough are inside the filters or it gives up.
CREATE FUNCTION search_approximate(
  p_user text, p_vector vector, p_profile text, p_version integer, p_chats uuid[], p_off uuid[],
  p_from timestamptz, p_until timestamptz, p_limit integer)
RETURNS TABLE (message_id uuid, distance float8)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF vector_dims(p_vector) = 384 THEN
    RETURN QUERY
      SELECT e.message_id, e.embedding <=> p_vector
        FROM conversation_message_embeddings e JOIN messages m ON m.user_id = e.user_id AND m.id = e.message_id
       WHERE e.user_id = p_user AND e.embedding_profile_id = p_profile AND e.embedding_version = p_version
         AND e.embedding_dimensions = 384
         AND coalesce(e.content_hash = m.content_hash, false)
         AND (p_chats IS NULL OR m.chat_id = ANY (p_chats)) AND m.chat_id <> ALL (p_off)
         AND NOT m.is_deleted AND m.content <> ''
         AND m."timestamp" >= p_from AND m."timestamp" < p_until
       ORDER BY e.embedding::vector(384) <=> p_vector::vector(384) LIMIT p_limit;
  ELSE
    RETURN QUERY
      SELECT e.message_id, e.embedding <=> p_vector
        FROM conversation_message_embeddings e JOIN messages m ON m.user_id = e.user_id AND m.id = e.message_id
       WHERE e.user_id = p_user AND e.embedding_profile_id = p_profile AND e.embedding_version = p_version
         AND e.embedding_dimensions = 1536
         AND coalesce(e.content_hash = m.content_hash, false)
         AND (p_chats IS NULL OR m.chat_id = ANY (p_chats)) AND m.chat_id <> ALL (p_off)
         AND NOT m.is_deleted AND m.content <> ''
         AND m."timestamp" >= p_from AND m."timestamp" < p_until
       ORDER BY e.embedding::vector(1536) <=> p_vector::vector(1536) LIMIT p_limit;
  END IF;
END
$$;

-- Ids and cosines of the nearest messages of the person set for this transaction and of no other. As the owner,
-- like search_text: what it returns is read again under the policy.
-- p_platforms, p_contacts, p_names: as in search_text. fell_back: the index came back short, so all were looked at.
CREATE FUNCTION search_near(
  p_user text, p_vector text, p_profile text, p_version integer, p_chats uuid[], p_named uuid[], p_groups boolean,
  p_from timestamptz, p_until timestamptz, p_limit integer, p_exact_below bigint,
  p_platforms text[], p_contacts uuid[], p_names text[])
RETURNS TABLE (message_id uuid, cosine float8, fell_back boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
#variable_conflict use_column
DECLARE
  v_vector vector := p_vector;
  v_off    uuid[];
  v_scope  bigint;
  v_ids    uuid[];
  v_far    float8[];
  v_short  boolean := false;
BEGIN
  IF p_user IS DISTINCT FROM current_setting('ask.user_id', true) THEN
    RETURN;
  END IF;
  SELECT s.inside, s.chats_off INTO v_scope, v_off
    FROM search_scope(p_user, p_chats, p_named, p_groups, p_platforms, p_from, p_until, least(p_exact_below, 100000)::integer) s;
  -- Messages of some senders are few: the approximate index would be gone through for nothing.
  IF p_names IS NULL AND v_scope >= p_exact_below AND vector_dims(v_vector) IN (384, 1536) THEN
    -- Wide: where topics are islands, a narrow walk stays on the one where it began.
    PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true),
            set_config('hnsw.ef_search', least(1000, greatest(40, 20 * p_limit))::text, true);
    SELECT array_agg(n.message_id), array_agg(n.distance) INTO v_ids, v_far
      FROM search_approximate(p_user, v_vector, p_profile, p_version, p_chats, v_off, p_from, p_until, p_limit) n;
    -- A scan that gave up early says nothing.
    v_short := coalesce(cardinality(v_ids), 0) < p_limit;
  ELSE
    v_short := NULL;
  END IF;
  IF v_short IS NOT FALSE THEN
    SELECT array_agg(n.message_id), array_agg(n.distance) INTO v_ids, v_far
      FROM search_exact(p_user, v_vector, p_profile, p_version, p_chats, v_off, p_from, p_until, p_limit, p_contacts, p_names) n;
  END IF;
  RETURN QUERY SELECT f.id, 1 - f.far, coalesce(v_short, false) FROM unnest(v_ids, v_far) AS f (id, far);
END
$$;

-- ---------------------------------------------------------------- rights and plans

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('terms_held', 'terms_weight', 'term_weight', 'search_scope', 'search_spread', 'search_common', 'search_text',
                              'search_exact', 'search_approximate', 'search_near') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
  END LOOP;
  -- For the first few of many rows the planner takes reading a table whole for quick, and for many a second process;
  -- what it is asked here is always one person's, and others ask at the same time.
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('search_scope', 'search_spread', 'search_common', 'search_text', 'search_exact',
                              'search_approximate', 'search_near') LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', f);
    EXECUTE format('ALTER FUNCTION %s SET max_parallel_workers_per_gather = 0', f);
    EXECUTE format('ALTER FUNCTION %s SET jit = off', f);
  END LOOP;
  -- A plan made for the very arguments knows which filters are there.
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('search_common', 'search_text', 'search_exact', 'search_approximate') LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_custom_plan', f);
  END LOOP;
  -- Where rows are read by their keys there is but one plan; to make it anew takes longer than to follow it.
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('search_scope', 'search_spread', 'search_near') LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_generic_plan', f);
  END LOOP;
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('search_text', 'search_near') LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    EXECUTE format('ALTER FUNCTION %s ROWS 50', f);
    -- Notices would quote the words of a question into the gateway's log.
    EXECUTE format('ALTER FUNCTION %s SET client_min_messages = warning', f);
  END LOOP;
END
$$;

-- The planner cannot know how few rows the approximate index is walked for; it would sort all of a person's.
ALTER FUNCTION search_approximate SET work_mem = '32MB';
ALTER FUNCTION search_approximate SET enable_sort = off;
ALTER FUNCTION search_approximate SET enable_bitmapscan = off;
ALTER FUNCTION search_approximate SET enable_hashjoin = off;
ALTER FUNCTION search_approximate SET enable_mergejoin = off;
