-- How messages come in. One call writes one batch of a person's messages, set-based, in one
-- transaction; lines that speak of the same message are taken in the order they came.
--
-- What wins: a line's version is its editedAt, else its at. An older version is ignored, an equal
-- or newer one is applied, and a field that a line leaves out keeps what is known. A deletion
-- counts from its editedAt; without one, from its arrival, so that it always hides at once. It
-- stands against every edit that is not strictly newer, whichever of the two arrives first.

ALTER TABLE messages ADD COLUMN deleted_at timestamptz;
COMMENT ON COLUMN messages.deleted_at IS 'from when the newest deletion counts; only an edit after it brings the message back';

-- Writes one round: lines that each speak of another message. Returns what became of each line
-- and which messages need another look by the index.
CREATE FUNCTION ingest_round(p_user text, p_lines jsonb, OUT outcomes jsonb, OUT touched uuid[], OUT total_delta bigint)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ask.user_id', p_user, true);

  WITH line AS (
    SELECT l.*, coalesce(l."editedAt", l.at) AS version
      FROM jsonb_to_recordset(p_lines) AS l(
        ord integer, chat uuid, contact uuid, "chatIsGroup" boolean, platform text, "messageId" text, at timestamptz,
        "senderName" text, "fromMe" boolean, text text, "replyTo" text, "threadRoot" text,
        "editedAt" timestamptz, deleted boolean)
  ), met AS (
    SELECT l.*, m.id AS old_id, m.content AS old_content, m.is_deleted AS old_deleted, m.deleted_at AS old_gone_at,
           m.content_hash AS old_hash, m.edited_at AS old_edited_at, m."timestamp" AS old_at,
           m.contact_name AS old_sender, m.contact_id AS old_contact, m.from_me AS old_from_me,
           m.reply_to_platform_message_id AS old_reply, m.thread_root_platform_id AS old_thread,
           coalesce(m.edited_at, m."timestamp") AS known,
           CASE WHEN l.text IS NULL THEN m.content ELSE nullif(l.text, '') END AS content,
           coalesce(l."senderName", m.contact_name) AS sender,
           coalesce(l."fromMe", m.from_me, false) AS from_me,
           coalesce(l."replyTo", m.reply_to_platform_message_id) AS reply,
           coalesce(l."threadRoot", m.thread_root_platform_id) AS thread,
           CASE WHEN l."editedAt" IS NULL THEN greatest(l.at, now(), m.edited_at, m."timestamp")
                ELSE greatest(l.at, l."editedAt") END AS gone_at
      FROM line l
      LEFT JOIN messages m ON m.user_id = p_user AND m.platform = l.platform AND m.chat_id = l.chat
                          AND m.platform_message_id = l."messageId"
  ), decided AS MATERIALIZED (
    SELECT d.*, coalesce(d.old_id, gen_random_uuid()) AS id,
           CASE WHEN d.from_me THEN NULL ELSE coalesce(d.contact, d.old_contact) END AS sender_contact,
           coalesce(d.old_id IS NOT NULL AND NOT d.old_deleted AND d.old_content IS NOT NULL, false) AS was_live,
           CASE
             WHEN d.deleted AND (d.old_id IS NULL OR NOT d.old_deleted AND d.known <= d.gone_at) THEN 'deleted'
             WHEN d.deleted THEN 'unchanged'
             WHEN d.old_id IS NULL THEN 'new'
             WHEN d.version <= d.old_gone_at OR d.version < d.known THEN 'unchanged'
             WHEN NOT d.old_deleted
              AND (d.at, d.content, d.sender, d.from_me, d.reply, d.thread, d.from_me OR d.contact IS NULL OR d.contact = d.old_contact)
                  IS NOT DISTINCT FROM
                  (d.old_at, d.old_content, d.old_sender, d.old_from_me, d.old_reply, d.old_thread, true) THEN 'unchanged'
             ELSE 'changed'
           END AS outcome
      FROM met d
  ), planned AS MATERIALIZED (
    SELECT d.*,
           CASE WHEN d.outcome IN ('new', 'changed') AND d.content IS NOT NULL
                THEN embedding_hash(d.platform, d.sender, d.from_me, d.content) END AS hash,
           CASE d.outcome WHEN 'unchanged' THEN d.was_live WHEN 'deleted' THEN false ELSE d.content IS NOT NULL END AS is_live
      FROM decided d
  ), added AS (
    INSERT INTO messages (user_id, id, chat_id, contact_id, platform, platform_message_id, content, contact_name, from_me,
                          "timestamp", is_group, is_deleted, deleted_at, reply_to_platform_message_id,
                          thread_root_platform_id, edited_at, content_hash)
    SELECT p_user, id, chat, CASE WHEN NOT deleted THEN sender_contact END, platform, "messageId",
           CASE WHEN NOT deleted THEN content END, CASE WHEN NOT deleted THEN sender END, from_me,
           at, "chatIsGroup", deleted, CASE WHEN deleted THEN gone_at END, reply, thread, "editedAt", hash
      FROM planned WHERE old_id IS NULL ORDER BY platform, chat, "messageId"
  ), renewed AS (
    UPDATE messages m
       SET content = p.content, contact_name = p.sender, contact_id = p.sender_contact, from_me = p.from_me,
           "timestamp" = p.at, edited_at = p."editedAt", is_deleted = false,
           reply_to_platform_message_id = p.reply, thread_root_platform_id = p.thread,
           content_hash = p.hash, updated_at = now()
      FROM planned p
     WHERE p.outcome = 'changed' AND m.user_id = p_user AND m.id = p.old_id
  ), hidden AS (
    UPDATE messages m SET is_deleted = true, deleted_at = p.gone_at, updated_at = now()
      FROM planned p
     WHERE p.outcome = 'deleted' AND m.user_id = p_user AND m.id = p.old_id
  ), noted AS (
    -- Nothing to see has changed, but how new it is decides over what comes later.
    UPDATE messages m
       SET edited_at = CASE WHEN p.deleted THEN m.edited_at ELSE p."editedAt" END,
           deleted_at = CASE WHEN p.deleted THEN p.gone_at ELSE m.deleted_at END
      FROM planned p
     WHERE p.outcome = 'unchanged' AND m.user_id = p_user AND m.id = p.old_id AND p."editedAt" IS NOT NULL
       AND CASE WHEN p.deleted THEN p.old_deleted AND p.gone_at > p.old_gone_at
                ELSE NOT p.old_deleted AND p.version > p.known END
  ), counted AS (
    UPDATE chats c SET message_count = greatest(0, c.message_count + delta.n)
      FROM (SELECT chat, sum(is_live::int - was_live::int) AS n FROM planned GROUP BY chat) delta
     WHERE c.user_id = p_user AND c.id = delta.chat AND delta.n <> 0
  )
  SELECT jsonb_object_agg(ord, outcome),
         coalesce(array_agg(id) FILTER (WHERE is_live <> was_live OR outcome = 'changed' AND hash IS DISTINCT FROM old_hash), '{}'),
         sum(is_live::int - was_live::int)
    INTO outcomes, touched, total_delta
    FROM planned;
END
$$;

-- p_rows: an array of lines as POST /ai/messages takes them, already checked, deleted always said;
-- a text of '' is no text.
-- Returns {"new","changed","unchanged","deleted": counts, "queued": messages now waiting for a
-- vector, "outcomes": one of the four words per row, in the order of the rows}.
CREATE FUNCTION ingest_messages(p_user text, p_rows jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  rounds   jsonb[];
  done     record;
  outcomes jsonb := '{}';
  touched  uuid[] := '{}';
  total    bigint := 0;
  unvector bigint;
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
  UPDATE messages m SET is_group = c.is_group
    FROM chats c
   WHERE m.user_id = p_user AND m.chat_id = ANY (regroup) AND c.user_id = p_user AND c.id = m.chat_id
     AND m.is_group <> c.is_group;

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

  -- A vector of text that is gone or has changed must not be found by; then the queue, then the counters.
  WITH gone AS (
    DELETE FROM conversation_message_embeddings e USING messages m
     WHERE e.user_id = p_user AND e.message_id = ANY (touched) AND m.user_id = p_user AND m.id = e.message_id
       AND (m.is_deleted OR e.content_hash IS DISTINCT FROM m.content_hash)
    RETURNING e.message_id)
  SELECT count(DISTINCT message_id) INTO unvector FROM gone;
  DELETE FROM embedding_pending p USING messages m
   WHERE p.user_id = p_user AND p.message_id = ANY (touched) AND m.user_id = p_user AND m.id = p.message_id
     AND (m.is_deleted OR m.content IS NULL);
  INSERT INTO embedding_pending (user_id, message_id)
  SELECT p_user, m.id FROM messages m
   WHERE m.user_id = p_user AND m.id = ANY (touched) AND NOT m.is_deleted AND m.content IS NOT NULL ORDER BY m.id
  ON CONFLICT (user_id, message_id) DO UPDATE SET enqueued_at = now();
  GET DIAGNOSTICS queued = ROW_COUNT;
  IF queued > 0 THEN
    INSERT INTO embedding_jobs (user_id) VALUES (p_user)
    ON CONFLICT (user_id) DO UPDATE SET requested_at = now();
  END IF;

  INSERT INTO conversation_assistant_index_state AS s (user_id, status, total_count)
  VALUES (p_user, CASE WHEN queued > 0 THEN 'indexing' ELSE 'idle' END, greatest(0, total))
  ON CONFLICT (user_id) DO UPDATE
     SET status = CASE WHEN queued > 0 THEN 'indexing' ELSE s.status END,
         total_count = greatest(0, s.total_count + total),
         indexed_count = greatest(0, s.indexed_count - unvector),
         updated_at = now()
   WHERE queued > 0 OR total <> 0 OR unvector > 0;

  RETURN (SELECT jsonb_build_object(
            'new', count(*) FILTER (WHERE o.word = 'new'), 'changed', count(*) FILTER (WHERE o.word = 'changed'),
            'unchanged', count(*) FILTER (WHERE o.word = 'unchanged'), 'deleted', count(*) FILTER (WHERE o.word = 'deleted'),
            'queued', queued, 'outcomes', coalesce(jsonb_agg(o.word ORDER BY o.ord::int), '[]'))
            FROM jsonb_each_text(outcomes) AS o(ord, word));
END
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace
            AND p.proname IN ('ingest_round', 'ingest_messages') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${gatewayRole}', f);
    EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}, public, pg_temp', f);
    -- A batch touches a few hundred rows by their keys. A plan made while the tables were small must
    -- not read them whole once they have grown under the same connection.
    EXECUTE format('ALTER FUNCTION %s SET enable_seqscan = off', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_hashjoin = off', f);
    EXECUTE format('ALTER FUNCTION %s SET enable_mergejoin = off', f);
  END LOOP;
END
$$;
