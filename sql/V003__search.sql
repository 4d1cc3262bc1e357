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

-- Ids and ranks of the messages that hold any word of a text query, of the person set for this
-- transaction and of no other. It runs as the owner because a policy keeps the planner from the text
-- index (the match operator is not leak-proof); what it returns is read again under the policy.
--
-- p_chats null: every chat. p_named: chats the person named, which count though AI is off for them.
CREATE FUNCTION search_text(
  p_user text, p_any text, p_phrases text, p_phrase_bonus real, p_chats uuid[], p_named uuid[],
  p_groups boolean, p_from timestamptz, p_until timestamptz, p_limit integer)
RETURNS TABLE (message_id uuid, rank real)
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE
  v_any     tsquery := to_tsquery('ask_text', p_any);
  v_phrases tsquery := to_tsquery('ask_text', p_phrases);
BEGIN
  IF p_user IS DISTINCT FROM current_setting('ask.user_id', true) OR numnode(v_any) = 0 THEN
    RETURN;
  END IF;
  IF p_chats IS NULL THEN
    RETURN QUERY
      SELECT m.id, ts_rank('{0.1,0.1,0.1,0.1}', m.search, v_any) * (1 + p_phrase_bonus * (m.search @@ v_phrases)::integer)
        FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id
       WHERE m.user_id = p_user AND m.search @@ v_any
         AND NOT m.is_deleted AND m.content <> ''
         AND m."timestamp" >= p_from AND m."timestamp" < p_until
         AND chat_is_evidence(c, p_named, p_groups)
       ORDER BY 2 DESC, m."timestamp" DESC, m.id LIMIT p_limit;
  ELSE
    RETURN QUERY
      SELECT m.id, ts_rank('{0.1,0.1,0.1,0.1}', m.search, v_any) * (1 + p_phrase_bonus * (m.search @@ v_phrases)::integer)
        FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id
       WHERE m.user_id = p_user AND m.chat_id = ANY (p_chats) AND m.search @@ v_any
         AND NOT m.is_deleted AND m.content <> ''
         AND m."timestamp" >= p_from AND m."timestamp" < p_until
         AND chat_is_evidence(c, p_named, p_groups)
       ORDER BY 2 DESC, m."timestamp" DESC, m.id LIMIT p_limit;
  END IF;
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
  ALTER FUNCTION search_text(text, text, text, real, uuid[], uuid[], boolean, timestamptz, timestamptz, integer)
    SET search_path = ${schema}, public, pg_temp;
END
$$;
