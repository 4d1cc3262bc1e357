package dev.askgateway.store;

/**
 * The statements of {@link ContextRepository}. All but the last take $1 to $10: the person, what is evidence,
 * chats and limit, platforms and senders.
 */
final class ContextSql {
  /** Most messages that are read by their text, the newest of what the filters leave. */
  private static final int READ = 20_000;

  private static final String IN_CHATS =
      " AND ($6::uuid[] IS NULL OR m.chat_id = ANY ($6::uuid[]))\n";

  private static final String NEWEST = """
      SELECT m.id, m.chat_id, m.from_me, m."timestamp", m.content, m.reply_to_platform_message_id, c.is_group
        FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id
       WHERE m.user_id = $1
      """ + SearchSql.live(8) + IN_CHATS + """
       ORDER BY m."timestamp" DESC, m.id DESC
       LIMIT
      """ + READ;

  private static final String TOLD = """
      SELECT t.id, t.chat_id, t.is_group, t.from_me, t."timestamp", left(t.content, 500) AS content,
             coalesce(r.from_me, false) AS to_me,
      """;

  private static final String REPLIED = """
        LEFT JOIN messages r ON r.user_id = $1 AND r.chat_id = t.chat_id
         AND r.platform_message_id = t.reply_to_platform_message_id
      """;

  private static final String LATER = """
      EXISTS (SELECT FROM messages l
               WHERE l.user_id = $1 AND l.chat_id = t.chat_id AND (l."timestamp", l.id) > (t."timestamp", t.id)
                 AND NOT l.is_deleted AND l.content <> ''
      """;

  /** $11: of whom, null for all; $12: what the text matches; $13: what settles it; $14: said by the person, or by its sender. */
  static final String MATCHING = """
      WITH found AS MATERIALIZED (
        SELECT n.* FROM (
      """ + NEWEST + """
      ) n
         WHERE ($11::boolean IS NULL OR n.from_me = $11) AND n.content ~* $12
         ORDER BY n."timestamp" DESC, n.id DESC LIMIT $7)
      """ + TOLD + LATER + """
                 AND l.from_me = ($14 OR t.from_me) AND l.content ~* $13) AS settled
        FROM found t
      """ + REPLIED + """
       ORDER BY t."timestamp" DESC, t.id DESC
      """;

  /** Others' messages that end with a question mark, and nothing of the person's after them. */
  static final String UNANSWERED =
      TOLD + "false AS settled FROM (\n" + NEWEST + ") t\n" + REPLIED + """
       WHERE NOT t.from_me AND right(rtrim(t.content, E' \\t\\r\\n"'')»”'), 1) IN ('?', '？')
         AND (NOT t.is_group OR coalesce(r.from_me, false))
         AND NOT
      """ + LATER + """
                 AND l.from_me)
       ORDER BY t."timestamp" DESC, t.id DESC LIMIT $7
      """;

  /** $11: how many chats. Named chats first, then those with the newest messages. */
  static final String NEWEST_BY_CHAT = """
      SELECT n.id, k.id AS chat_id, n."timestamp"
        FROM (SELECT c.user_id, c.id, c.is_group, c.name, c.platform, c.ai_enabled, newest.at
                FROM chats c, LATERAL (
                  SELECT max(m."timestamp") AS at FROM messages m
                   WHERE m.user_id = $1 AND m.chat_id = c.id
      """ + SearchSql.live(8) + """
                ) AS newest
               WHERE c.user_id = $1 AND newest.at IS NOT NULL AND ($6::uuid[] IS NULL OR c.id = ANY ($6::uuid[]))
               ORDER BY c.id = ANY ($2::uuid[]) DESC, newest.at DESC, c.id LIMIT $11) k,
             LATERAL (
               SELECT m.id, m."timestamp"
                 FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id
                WHERE m.user_id = $1 AND m.chat_id = k.id
      """ + SearchSql.live(8) + """
                ORDER BY m."timestamp" DESC, m.id DESC LIMIT $7) AS n
       ORDER BY k.id = ANY ($2::uuid[]) DESC, k.at DESC, k.id, n."timestamp" DESC, n.id DESC
      """;

  /** $11: the moment of the question. Of one-to-one chats, by numbers alone; the newest message may be older. */
  static final String METRICS = """
      SELECT c.id AS chat_id, n.month, n.quarter, n.sent, n.received, n.days, n.last
        FROM chats c, LATERAL (
          SELECT count(*) FILTER (WHERE m."timestamp" >= $11::timestamptz - interval '30 days') AS month,
                 count(*) AS quarter, count(*) FILTER (WHERE m.from_me) AS sent,
                 count(*) FILTER (WHERE NOT m.from_me) AS received,
                 count(DISTINCT date_trunc('day', m."timestamp", 'UTC')) AS days,
                 (SELECT max(l."timestamp") FROM messages l
                   WHERE l.user_id = $1 AND l.chat_id = c.id AND NOT l.is_deleted AND l.content <> ''
                     AND l."timestamp" <= $11) AS last
            FROM messages m
           WHERE m.user_id = $1 AND m.chat_id = c.id
      """ + SearchSql.live(8) + """
             AND m."timestamp" >= $11::timestamptz - interval '90 days' AND m."timestamp" <= $11
        ) AS n
       WHERE c.user_id = $1 AND NOT c.is_group AND n.last IS NOT NULL
         AND ($6::uuid[] IS NULL OR c.id = ANY ($6::uuid[])) AND chat_is_evidence(c, $2::uuid[], $3)
         AND ($8::text[] IS NULL OR c.platform = ANY ($8::text[]))
       ORDER BY n.quarter DESC, n.last DESC, c.id
       LIMIT $7
      """;

  /** $1: the person; $2: ids that a search found. */
  static final String PLACED = """
      SELECT m.id, m.chat_id, m."timestamp"
        FROM unnest($2::uuid[]) WITH ORDINALITY AS f (id, nr)
        JOIN messages m ON m.user_id = $1 AND m.id = f.id AND NOT m.is_deleted
       ORDER BY f.nr
      """;

  private ContextSql() {}
}
