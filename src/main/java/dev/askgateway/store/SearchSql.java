package dev.askgateway.store;

/** The statements of {@link SearchRepository}, put together once from constant parts. */
final class SearchSql {
  private static final String LIVE = """
       AND NOT m.is_deleted AND m.content <> ''
       AND chat_is_evidence(c, $2::uuid[], $3)
       AND m."timestamp" >= $4 AND m."timestamp" < $5
       AND ($%1$d::text[] IS NULL OR c.platform = ANY ($%1$d::text[]))
       AND ($%3$d::text[] IS NULL OR is_sent_by(m.from_me, m.contact_id,
             coalesce(nullif(m.contact_name, ''), CASE WHEN NOT c.is_group THEN c.name END), $%2$d::uuid[], $%3$d::text[]))
      """;
  private static final String IN_CHATS = " AND m.chat_id = ANY ($6::uuid[])\n";
  /** Names the same parameter, so that both variants take the same tuple. */
  private static final String IN_ANY_CHAT = " AND $6::uuid[] IS NULL\n";

  /**
   * What may be found at all.
   *
   * @param first the parameter of the platforms, which those of the senders follow
   */
  static String live(int first) {
    return LIVE.formatted(first, first + 1, first + 2);
  }

  /** The found ids are read again under the person's policy. */
  static final String LEXICAL = """
      SELECT m.id, s.rank, s.asked, s.matched, s.in_text, s.share
        FROM search_text($1, $8::text[], $9, $10, $6::uuid[], $2::uuid[], $3, $4, $5, $7,
                       $11::text[], $12::uuid[], $13::text[]) s
        JOIN messages m ON m.user_id = $1 AND m.id = s.message_id
       ORDER BY s.rank DESC, m."timestamp" DESC, m.id
      """;

  private static final String BESIDE = """
      LEFT JOIN LATERAL (
        SELECT b.id, b.content LIKE '%%?' AS asks FROM messages b
         WHERE b.user_id = $1 AND b.chat_id = m.chat_id AND (b."timestamp", b.id) %1$s (m."timestamp", m.id)
           AND b."timestamp" BETWEEN m."timestamp" - interval '12 hours' AND m."timestamp" + interval '12 hours'
           AND NOT b.is_deleted AND b.content <> ''
         ORDER BY b."timestamp" %2$s, b.id %2$s LIMIT 1) AS %3$s ON true
      """;

  /** Of found messages only, which were inside every filter. */
  static final String COMPARE = """
      SELECT m.id, m.from_me, coalesce(m.contact_name, '') AS sender, before.id AS before_id, after.id AS after_id,
             m.chat_id, m."timestamp", left(m.content, 1000) AS text, m.content LIKE '%?' AS asks,
             coalesce(before.asks, false) AS answers,
             1 - (e.embedding <=> $6::text::vector) AS cosine
        FROM messages m
        LEFT JOIN conversation_message_embeddings e
          ON e.user_id = m.user_id AND e.message_id = m.id AND e.content_hash = m.content_hash
         AND e.embedding_profile_id = $3 AND e.embedding_version = $4 AND e.embedding_dimensions = $5
      """
      + BESIDE.formatted("<", "DESC", "before")
      + BESIDE.formatted(">", "ASC", "after")
      + " WHERE m.user_id = $1 AND m.id = ANY ($2::uuid[]) AND NOT m.is_deleted\n";

  /** As {@link #LEXICAL}: the found ids are read again. An index walked in a relaxed order is put in order here. */
  static final String NEAR = """
      SELECT m.id, s.cosine, s.fell_back
        FROM search_near($1, $8, $9, $10, $6::uuid[], $2::uuid[], $3, $4, $5, $7, $11, $12, $13, $14) s
        JOIN messages m ON m.user_id = $1 AND m.id = s.message_id
       ORDER BY s.cosine DESC, m."timestamp" DESC, m.id
      """;

  private static final String RECENT = """
      SELECT m.id
        FROM messages m JOIN chats c ON c.user_id = m.user_id AND c.id = m.chat_id
       WHERE m.user_id = $1 AND (m.from_me OR NOT $8)
      """ + live(9) + """
      %s ORDER BY m."timestamp" DESC, m.id DESC
       LIMIT $7
      """;

  static final String RECENT_ANYWHERE = RECENT.formatted(IN_ANY_CHAT);
  static final String RECENT_IN_CHATS = RECENT.formatted(IN_CHATS);

  private static final String SIDE = """
      (SELECT m.* FROM messages m
        WHERE m.user_id = $1 AND m.chat_id = a.chat_id
          AND (m."timestamp", m.id) %1$s (a."timestamp", a.id)
          AND NOT m.is_deleted AND m.content <> ''
          AND m."timestamp" >= $4 AND m."timestamp" < $5
        ORDER BY m."timestamp" %2$s, m.id %2$s LIMIT %3$s)
      """;

  static final String WINDOWS = """
      SELECT a.id AS anchor_id, c.id AS chat_id, c.name AS chat_name, c.platform, c.is_group,
             w.id, w.platform_message_id, w.from_me, w."timestamp", left(w.content, $9) AS content,
             w.reply_to_platform_message_id,
             CASE WHEN w.from_me THEN 'You'
                  ELSE coalesce(nullif(w.contact_name, ''), nullif(p.name, ''), nullif(c.name, ''), 'Unknown')
             END AS sender
        FROM unnest($6::uuid[]) WITH ORDINALITY AS asked (id, nr)
        JOIN messages a ON a.user_id = $1 AND a.id = asked.id AND a.id = ANY ($6::uuid[]) AND NOT a.is_deleted AND a.content <> ''
         AND a."timestamp" >= $4 AND a."timestamp" < $5
        JOIN chats c ON c.user_id = $1 AND c.id = a.chat_id AND chat_is_evidence(c, $2::uuid[], $3)
         AND ($10::uuid[] IS NULL OR a.chat_id = ANY ($10::uuid[]))
         AND ($11::text[] IS NULL OR c.platform = ANY ($11::text[]))
       CROSS JOIN LATERAL (
      """
      + SIDE.formatted("<", "DESC", "$7") + "UNION ALL\n" + SIDE.formatted(">=", "ASC", "$8 + 1")
      + """
       ) w
        LEFT JOIN contacts p ON p.user_id = $1 AND p.id = w.contact_id
       ORDER BY asked.nr, w."timestamp", w.id
      """;

  private SearchSql() {}
}
