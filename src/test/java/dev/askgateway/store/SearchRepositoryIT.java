package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.UserId;
import dev.askgateway.query.LexicalQuery;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchRepositoryIT {
  private static final Instant NOON = Instant.parse("2026-09-08T12:00:00Z");

  private static Vertx vertx;
  private static SearchFixture data;
  private static SearchRepository messages;

  @BeforeAll
  static void start() throws Exception {
    vertx = Vertx.vertx();
    data = SearchFixture.create(vertx);
    messages = data.repository(20_000);
  }

  @AfterAll
  static void stop() throws Exception {
    data.close();
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private static UserId someone() {
    return new UserId("person-" + UUID.randomUUID());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.await(20, TimeUnit.SECONDS);
  }

  private static SearchText text(String question) {
    LexicalQuery query = LexicalQuery.of(question, QueryPlan.plain());
    return new SearchText(
        query.terms().stream()
            .map(term -> new SearchText.Term(phrases(term.spellings())))
            .toList(),
        phrases(query.phrases()));
  }

  private static List<SearchText.Phrase> phrases(List<LexicalQuery.Phrase> phrases) {
    return phrases.stream()
        .map(phrase -> new SearchText.Phrase(phrase.words(), phrase.prefix()))
        .toList();
  }

  private static List<UUID> found(UserId user, String question, SearchFilters filters)
      throws Exception {
    return await(messages.lexical(user, text(question), filters, 20)).stream()
        .map(SearchHit.Lexical::messageId)
        .toList();
  }

  private static List<UUID> near(
      SearchRepository from, UserId user, float[] vector, SearchFilters filters, int limit)
      throws Exception {
    return await(from.vector(user, SearchVector.of("test", 1, vector), filters, limit)).stream()
        .map(SearchHit.Vector::messageId)
        .toList();
  }

  private static float[] random(Random random, int dimensions) {
    float[] vector = new float[dimensions];
    for (int i = 0; i < dimensions; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  private static SearchFilters between(Instant from, Instant until) {
    return new SearchFilters(List.of(), List.of(), true, from, until);
  }

  @Test
  @DisplayName("another person's messages are never found, by words, meaning, time or id")
  void othersAreInvisible() throws Exception {
    UserId ana = someone();
    UserId ben = someone();
    UUID hers =
        data.message(ana, data.chat(ana, "slack", "A", false), NOON, "Caro", "the walrus dinner");
    data.vector(ana, hers, "test", 1, random(new Random(1), 384));

    assertThat(found(ben, "walrus dinner", SearchFilters.ALL)).isEmpty();
    assertThat(near(messages, ben, random(new Random(1), 384), SearchFilters.ALL, 5))
        .isEmpty();
    assertThat(await(messages.recent(ben, SearchFilters.ALL, false, 5))).isEmpty();
    assertThat(await(messages.neighbourhoods(ben, List.of(hers), SearchFilters.ALL, 2, 2, 500)))
        .isEmpty();
    assertThat(found(ana, "walrus dinner", SearchFilters.ALL)).containsExactly(hers);
  }

  @Test
  @DisplayName("the search function refuses a person who is not the one of the transaction")
  void functionKeepsToItsPerson() throws Exception {
    UserId ana = someone();
    UserId ben = someone();
    data.message(ana, data.chat(ana, "slack", "A", false), NOON, "Caro", "the walrus dinner");
    String sql = """
        SELECT count(*) FROM search_text($1, ARRAY['''walrus'''], '', 0, NULL, '{}', true, '-infinity', 'infinity', 9,
                                         NULL, NULL, NULL)
        """;
    for (UserId asker : List.of(ana, ben)) {
      long rows = await(data.database.as(asker, client -> client
          .preparedQuery(sql)
          .execute(io.vertx.sqlclient.Tuple.of(ana.value()))
          .map(result -> result.iterator().next().getLong(0))));
      assertThat(rows).isEqualTo(asker.equals(ana) ? 1 : 0);
    }
    // Nobody set: nothing, from the function and from the tables.
    long nobody = await(data.database.call(sql, io.vertx.sqlclient.Tuple.of(ana.value())))
        .iterator()
        .next()
        .getLong(0);
    long bare = await(
            data.database.call("SELECT count(*) FROM messages", io.vertx.sqlclient.Tuple.tuple()))
        .iterator()
        .next()
        .getLong(0);
    assertThat(nobody).isZero();
    assertThat(bare).isZero();
  }

  @Test
  @DisplayName("one chat only means that chat only, in every leg")
  void strictScopeLeaksNothing() throws Exception {
    UserId user = someone();
    Random random = new Random(2);
    UUID mine = data.chat(user, "whatsapp", "Mine", false);
    UUID other = data.chat(user, "telegram", "Other", false);
    List<UUID> inside = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      UUID in = data.message(user, mine, NOON.plusSeconds(i), "Ana", "dinner at eight " + i);
      UUID out = data.message(user, other, NOON.plusSeconds(i), "Ana", "dinner at eight " + i);
      data.vector(user, in, "test", 1, random(random, 384));
      data.vector(user, out, "test", 1, random(random, 384));
      inside.add(in);
    }
    SearchFilters strict = new SearchFilters(List.of(mine), List.of(mine), true, null, null);
    assertThat(found(user, "dinner", strict)).hasSize(20).isSubsetOf(inside);
    assertThat(near(messages, user, random(random, 384), strict, 20))
        .hasSize(20)
        .isSubsetOf(inside);
    assertThat(await(messages.recent(user, strict, false, 40)))
        .hasSize(20)
        .allMatch(hit -> inside.contains(hit.messageId()));
    assertThat(found(user, "dinner", SearchFilters.ALL)).hasSize(20).isNotEqualTo(inside);
  }

  @Test
  @DisplayName("what is deleted, emptied or edited since its vector vanishes at once")
  void deletedVanish() throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "signal", "Chat", false);
    float[] vector = random(new Random(3), 384);
    UUID kept = data.message(user, chat, NOON, "Ana", "the flamingo parade");
    UUID deleted = data.message(user, chat, NOON.plusSeconds(1), "Ana", "the flamingo parade");
    UUID emptied = data.message(user, chat, NOON.plusSeconds(2), "Ana", "the flamingo parade");
    UUID edited = data.message(user, chat, NOON.plusSeconds(3), "Ana", "the flamingo parade");
    for (UUID id : List.of(kept, deleted, emptied, edited)) {
      data.vector(user, id, "test", 1, vector);
    }
    assertThat(near(messages, user, vector, SearchFilters.ALL, 9)).hasSize(4);
    data.run("UPDATE messages SET is_deleted = true WHERE id = ?", deleted);
    data.run("UPDATE messages SET content = NULL, content_hash = NULL WHERE id = ?", emptied);
    data.run(
        "UPDATE messages SET content = 'cancelled', content_hash = '\\x02' WHERE id = ?", edited);

    assertThat(await(messages.lexical(user, text("flamingo parade"), SearchFilters.ALL, 9)))
        .extracting(SearchHit::messageId, hit -> ((SearchHit.Lexical) hit).matched())
        .containsExactly(tuple(kept, 2), tuple(edited, 0)); // the edited one as a neighbour only
    assertThat(near(messages, user, vector, SearchFilters.ALL, 9)).containsExactly(kept);
    List<EvidenceMessage> window = await(
            messages.neighbourhoods(user, List.of(kept, deleted), SearchFilters.ALL, 2, 2, 500))
        .stream()
        .flatMap(found -> found.messages().stream())
        .toList();
    assertThat(window)
        .extracting(EvidenceMessage::text)
        .containsExactly("the flamingo parade", "cancelled");
  }

  @Test
  @DisplayName("a range holds its first moment and not its last, in hits and in their neighbours")
  void rangesAreHalfOpen() throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "discord", "Chat", false);
    Instant start = Instant.parse("2026-09-11T00:00:00Z");
    Instant end = Instant.parse("2026-09-14T00:00:00Z");
    float[] vector = random(new Random(4), 384);
    List<UUID> ids = new ArrayList<>();
    for (Instant at : List.of(start.minusMillis(1), start, end.minusMillis(1), end)) {
      UUID id = data.message(user, chat, at, "Ana", "picnic");
      data.vector(user, id, "test", 1, vector);
      ids.add(id);
    }
    SearchFilters range = between(start, end);
    assertThat(found(user, "picnic", range)).containsExactly(ids.get(2), ids.get(1));
    assertThat(near(messages, user, vector, range, 9)).containsExactly(ids.get(2), ids.get(1));
    assertThat(await(messages.recent(user, range, false, 9)))
        .extracting(SearchHit.Recent::messageId)
        .containsExactly(ids.get(2), ids.get(1));
    assertThat(await(messages.neighbourhoods(user, List.of(ids.get(1)), range, 5, 5, 500))
            .get(0)
            .messages())
        .extracting(EvidenceMessage::id)
        .containsExactly(ids.get(1), ids.get(2));
  }

  @Test
  @DisplayName(
      "a chat with AI off is no evidence unless it is named; groups go by the policy or their own switch")
  void chatSwitches() throws Exception {
    UserId user = someone();
    UUID open = data.chat(user, "whatsapp", "Open", false);
    UUID off = data.chat(user, "whatsapp", "Off", false);
    UUID group = data.chat(user, "whatsapp", "Group", true);
    UUID chosen = data.chat(user, "whatsapp", "Chosen group", true);
    data.run("UPDATE chats SET ai_enabled = false WHERE id = ?", off);
    data.run("UPDATE chats SET ai_enabled = true WHERE id = ?", chosen);
    UUID a = data.message(user, open, NOON, "Ana", "sushi");
    UUID b = data.message(user, off, NOON, "Ana", "sushi");
    UUID c = data.message(user, group, NOON, "Ana", "sushi");
    UUID d = data.message(user, chosen, NOON, "Ana", "sushi");

    assertThat(found(user, "sushi", SearchFilters.ALL)).containsExactlyInAnyOrder(a, c, d);
    assertThat(found(user, "sushi", new SearchFilters(List.of(), List.of(off), true, null, null)))
        .containsExactlyInAnyOrder(a, b, c, d);
    assertThat(found(user, "sushi", new SearchFilters(List.of(), List.of(), false, null, null)))
        .containsExactlyInAnyOrder(a, d);
    assertThat(await(messages.neighbourhoods(user, List.of(b), SearchFilters.ALL, 1, 1, 99)))
        .isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "call 98765-43210 | call me on +91-98765-43210 | call me on 12345-67890",
        "what about 9876543210 | my number is 98765 43210 | my number is 98765 11111",
        "the p-8 | Poseidon P-8A arrived | eight parcels arrived",
        "t shirt | bought a t-shirt | shirt size",
        "t-shirt | bought a t-shirt | shirt size",
        "covid-19 test | a covid-19 test tomorrow | a driving test tomorrow",
        "café menu | the cafe menu is out | the menu is out",
        "pottery workshop | the pottery workshop was fun | a workshop about pottery then",
        "who comes from cdmx | she lives in Mexico City | she lives in a city",
        "what about the 3.50 bill | the bill was 3.50 | the bill was 3",
      })
  @DisplayName("the right message comes first for")
  void ranksBest(String question, String better, String worse) throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Chat", false);
    UUID good = data.message(user, chat, NOON, "Ana", better);
    data.message(user, chat, NOON.plusSeconds(60), "Ana", worse);

    assertThat(found(user, question, SearchFilters.ALL)).startsWith(good);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan A - budget",
        "the - best budget",
        "budget & !plan | (x",
        "'budget' \\ :*",
        "-budget"
      })
  @DisplayName("a dash or an operator in a question negates nothing and breaks nothing:")
  void dashesNeverNegate(String question) throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Chat", false);
    UUID about = data.message(user, chat, NOON, "Ana", "plan A has the best budget");
    UUID elsewhere = data.chat(user, "whatsapp", "Elsewhere", false);
    data.message(user, elsewhere, NOON, "Ana", "something else altogether");

    assertThat(found(user, question, SearchFilters.ALL)).containsExactly(about);
  }

  @Test
  @DisplayName("any question at all is a valid text query")
  void fuzz() throws Exception {
    UserId user = someone();
    data.message(
        user, data.chat(user, "whatsapp", "Chat", false), NOON, "Ana", "hello dinner budget");
    Random random = new Random(42);
    String alphabet = "abz019 -–'\"\\:*&|!()<>@#%.,/🎂éÑ\u0301ßİ中あ\u200d\ud83d\n\t[]{}$";
    int asked = 0;
    for (int round = 0; round < 300; round++) {
      StringBuilder question = new StringBuilder();
      for (int i = random.nextInt(60); i >= 0; i--) {
        question.append(
            random.nextInt(9) == 0
                ? " dinner "
                : String.valueOf(alphabet.charAt(random.nextInt(alphabet.length()))));
      }
      if (!LexicalQuery.of(question.toString(), QueryPlan.plain()).isEmpty()) {
        await(messages.lexical(
            user, text(question.toString()), SearchFilters.ALL, 5)); // no syntax error
        asked++;
      }
    }
    assertThat(asked).isGreaterThan(200);
  }

  @Test
  @DisplayName("a word that few messages hold ranks above two that nearly all hold")
  void rareWordsWeighMore() throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Chat", false);
    for (int i = 0; i < 30; i++) {
      data.message(user, chat, NOON.plusSeconds(86_400L * i), "Ana", "good morning number " + i);
    }
    UUID rare = data.message(user, chat, NOON.minusSeconds(86_400), "Ana", "the boiler broke");
    SearchText query =
        new SearchText(List.of(term("good"), term("morning"), term("boiler")), List.of());

    List<SearchHit.Lexical> hits = await(messages.lexical(user, query, SearchFilters.ALL, 5));
    assertThat(hits.get(0).messageId()).isEqualTo(rare);
    assertThat(hits.get(0).share()).isGreaterThan(0.9);
    assertThat(hits.get(1).share()).isLessThan(0.1);
  }

  @Test
  @DisplayName(
      "the message after a match is found behind it, the one before further behind; not those of other days,"
          + " chats or times")
  void neighboursOfMatches() throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Chat", false);
    UUID other = data.chat(user, "whatsapp", "Other", false);
    data.message(user, chat, NOON.minusSeconds(50_000), "Ana", "long before");
    UUID before = data.message(user, chat, NOON.minusSeconds(60), "Ana", "just before");
    UUID match = data.message(user, chat, NOON, "Ana", "who fixes the boiler");
    UUID after = data.message(user, chat, NOON.plusSeconds(3600), "Ben", "me");
    data.message(user, chat, NOON.plusSeconds(90_000), "Ben", "long after");
    data.message(user, other, NOON, "Ana", "elsewhere");
    SearchText query = new SearchText(List.of(term("boiler")), List.of());

    List<SearchHit.Lexical> hits = await(messages.lexical(user, query, SearchFilters.ALL, 9));
    assertThat(hits).extracting(SearchHit::messageId).containsExactly(match, after, before);
    assertThat(hits).extracting(SearchHit.Lexical::matched).containsExactly(1, 0, 0);
    assertThat(hits).extracting(SearchHit.Lexical::matchedInText).containsExactly(1, 0, 0);
    SearchFilters moment = new SearchFilters(List.of(), List.of(), true, NOON, NOON.plusSeconds(1));
    assertThat(await(messages.lexical(user, query, moment, 9)))
        .extracting(SearchHit::messageId)
        .containsExactly(match);
    data.run("UPDATE messages SET is_deleted = true WHERE id = ?", after);
    assertThat(await(messages.lexical(user, query, SearchFilters.ALL, 9)))
        .extracting(SearchHit::messageId)
        .containsExactly(match, before);
  }

  @Test
  @DisplayName("a term that the text index drops is not counted as asked for")
  void stopWordsAreNotCounted() throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Chat", false);
    data.message(user, chat, NOON, "Dinner", "see you there");
    data.message(user, chat, NOON.plusSeconds(1), "Ana", "dinner with wine");
    SearchText query =
        new SearchText(List.of(term("dinner"), term("the"), term("wine")), List.of());

    List<SearchHit.Lexical> hits = await(messages.lexical(user, query, SearchFilters.ALL, 5));
    assertThat(hits).extracting(SearchHit.Lexical::asked).containsOnly(2);
    assertThat(hits).extracting(SearchHit.Lexical::matched).containsExactly(2, 1);
    assertThat(hits).extracting(SearchHit.Lexical::matchedInText).containsExactly(2, 0);
    SearchText nothing = new SearchText(List.of(term("the")), List.of());
    assertThat(await(messages.lexical(user, nothing, SearchFilters.ALL, 5))).isEmpty();
  }

  private static SearchText.Term term(String word) {
    return new SearchText.Term(List.of(new SearchText.Phrase(List.of(word), false)));
  }

  @Test
  @DisplayName("a message of any length and content can be stored")
  void longMessagesAreStored() {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Chat", false);
    StringBuilder distinct = new StringBuilder();
    for (int i = 0; distinct.length() < 300_000; i++) {
      distinct
          .append("w-")
          .append(Integer.toString(i, 36))
          .append("-ñandú")
          .append(i)
          .append(' ');
    }
    data.message(user, chat, NOON, "Ana", distinct.toString());
    data.message(user, chat, NOON, "Ana".repeat(5000), "😀".repeat(100_000));
    data.message(user, chat, NOON, "Ana", "1".repeat(100_000));
  }

  @Test
  @DisplayName(
      "where too many messages are in scope to read all, those that weigh most are found all the same")
  void largeAccount() throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Chat", false);
    List<UUID> both = new ArrayList<>();
    UUID rare = data.message(user, chat, NOON.minus(Duration.ofDays(500)), "Ana", "a walrus");
    for (int day = 0; day < 90; day++) { // apart, so that none is the neighbour of another
      String text = day % 18 == 4 ? "dinner on the train" : day % 2 == 0 ? "dinner" : "train";
      UUID id = data.message(user, chat, NOON.minus(Duration.ofDays(day)), "Ana", text);
      if (text.startsWith("dinner on")) {
        both.add(id);
      }
    }
    data.run("UPDATE chats SET message_count = 1000000 WHERE id = ?", chat);

    List<UUID> best = found(user, "walrus dinner train", SearchFilters.ALL);
    assertThat(best).hasSize(20).startsWith(rare);
    assertThat(best.subList(1, 1 + both.size())).isEqualTo(both);
    assertThat(found(user, "dinner train", SearchFilters.ALL)).hasSize(20).startsWith(both.get(0));
    assertThat(found(user, "walrus", between(NOON.minus(Duration.ofDays(90)), NOON)))
        .isEmpty();
  }

  @Test
  @DisplayName("the approximate search gives what the exact one gives, also when it gives up early")
  void approximateEqualsExact() throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Chat", false);
    Random random = new Random(5);
    for (int i = 0; i < 60; i++) {
      data.vector(
          user,
          data.message(user, chat, NOON.plusSeconds(i), "Ana", "m" + i),
          "test",
          1,
          random(random, 384));
    }
    SearchRepository approximate = data.repository(0);
    float[] question = random(random, 384);
    assertThat(near(approximate, user, question, SearchFilters.ALL, 10))
        .isEqualTo(near(messages, user, question, SearchFilters.ALL, 10));
    assertThat(approximate.exactFallbacks()).isZero();

    // More than there is: the short answer is checked against a full scan.
    assertThat(near(approximate, user, question, SearchFilters.ALL, 100)).hasSize(60);
    assertThat(approximate.exactFallbacks()).isEqualTo(1);
  }

  @Test
  @DisplayName("with the index alone, a far person's few vectors are still all found")
  void crowdedPartition() throws Exception {
    UserId near = someone();
    UserId far = sharingPartition(near);
    Random random = new Random(6);
    float[] question = random(random, 384);
    UUID crowd = data.chat(near, "whatsapp", "Crowd", false);
    for (int i = 0; i < 400; i++) {
      float[] close = question.clone();
      close[i % 384] += 0.01f;
      data.vector(near, data.message(near, crowd, NOON, "B", "b" + i), "test", 1, close);
    }
    UUID chat = data.chat(far, "whatsapp", "Few", false);
    List<UUID> few = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      UUID id = data.message(far, chat, NOON, "A", "a" + i);
      data.vector(far, id, "test", 1, random(random, 384));
      few.add(id);
    }
    data.run("ANALYZE messages");
    data.run("ANALYZE conversation_message_embeddings");

    assertThat(near(data.repository(0), far, question, SearchFilters.ALL, 10))
        .hasSize(10)
        .isSubsetOf(few);
  }

  /** Another person whose rows lie in the same partition, and so in the same index. */
  private static UserId sharingPartition(UserId user) throws Exception {
    String partition =
        "SELECT satisfies_hash_partition('ask.messages'::regclass, 16, i, $1::text) AS hit, i"
            + " FROM generate_series(0, 15) i";
    int wanted = partitionOf(user, partition);
    for (UserId other = someone(); ; other = someone()) {
      if (partitionOf(other, partition) == wanted) {
        return other;
      }
    }
  }

  private static int partitionOf(UserId user, String sql) throws Exception {
    for (var row : await(data.database.call(sql, io.vertx.sqlclient.Tuple.of(user.value())))) {
      if (row.getBoolean("hit")) {
        return row.getInteger("i");
      }
    }
    throw new IllegalStateException("no partition");
  }

  @Test
  @DisplayName("vectors of other profiles, versions and sizes are never compared")
  void profilesNeverMix() throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Chat", false);
    Random random = new Random(7);
    float[] small = random(random, 384);
    UUID right = data.message(user, chat, NOON, "Ana", "right");
    data.vector(user, right, "test", 1, small);
    data.vector(user, data.message(user, chat, NOON, "Ana", "profile"), "other", 1, small);
    data.vector(user, data.message(user, chat, NOON, "Ana", "version"), "test", 2, small);
    UUID large = data.message(user, chat, NOON, "Ana", "size");
    data.vector(user, large, "test", 1, random(random, 1536));

    for (SearchRepository from : List.of(messages, data.repository(0))) {
      assertThat(near(from, user, small, SearchFilters.ALL, 9)).containsExactly(right);
      assertThat(near(from, user, random(random, 1536), SearchFilters.ALL, 9))
          .containsExactly(large);
      assertThat(near(from, user, random(random, 768), SearchFilters.ALL, 9)).isEmpty();
    }
  }

  @Test
  @DisplayName("a vector without a direction is refused, stored or asked")
  void noZeroOrNaN() {
    UserId user = someone();
    UUID message = data.message(user, data.chat(user, "whatsapp", "Chat", false), NOON, "Ana", "x");
    float[] nan = new float[384];
    nan[3] = Float.NaN;
    for (float[] bad : List.of(new float[384], nan)) {
      assertThatThrownBy(() -> data.vector(user, message, "test", 1, bad))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> SearchVector.of("test", 1, bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> SearchVector.of("test", 1, new float[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("a neighbourhood is N before and N after by time and id, with who said it")
  void neighbourhood() throws Exception {
    UserId user = someone();
    UUID chat = data.chat(user, "whatsapp", "Trip", false);
    UUID other = data.chat(user, "whatsapp", "Other", false);
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      ids.add(data.message(user, chat, NOON.plusSeconds(i), "Ana", "m" + i));
      data.message(user, other, NOON.plusSeconds(i), "Ben", "noise");
    }
    ids.add(data.own(user, chat, NOON.plusSeconds(9), "mine"));
    ids.add(data.message(user, chat, NOON.plusSeconds(10), null, "abcdefghij"));

    var windows = await(
        messages.neighbourhoods(user, List.of(ids.get(9), ids.get(0)), SearchFilters.ALL, 2, 2, 5));
    assertThat(windows).hasSize(2);
    assertThat(windows.get(0).messages())
        .extracting(EvidenceMessage::id)
        .isEqualTo(ids.subList(7, 11));
    assertThat(windows.get(0).messages())
        .extracting(EvidenceMessage::senderName)
        .containsExactly("Ana", "Ana", "You", "Trip");
    assertThat(windows.get(0).messages())
        .extracting(EvidenceMessage::hit)
        .containsExactly(false, false, true, false);
    assertThat(windows.get(0).messages().get(3).text()).isEqualTo("abcde");
    assertThat(windows.get(1).messages())
        .extracting(EvidenceMessage::id)
        .isEqualTo(ids.subList(0, 3));
  }

  private static SearchHit.Written written(UUID chat, Instant at, String text) {
    return new SearchHit.Written(chat, at, text, text.endsWith("?"), false);
  }

  @Test
  @DisplayName(
      "found messages are compared with the question, whoever found them, each person's own only")
  void compared() throws Exception {
    UserId user = someone();
    UserId other = someone();
    UUID chat = data.chat(user, "whatsapp", "Ana", false);
    UUID first = data.message(user, chat, NOON, "Ana", "one?");
    UUID second = data.own(user, chat, NOON.plusSeconds(60), "two");
    UUID later =
        data.message(user, chat, NOON.plus(java.time.Duration.ofHours(13)), "Ana", "three");
    UUID foreign =
        data.message(other, data.chat(other, "whatsapp", "Ana", false), NOON, "Ana", "one");
    float[] vector = new float[384];
    vector[0] = 1;
    data.vector(user, first, "test", 1, vector);
    data.vector(user, second, "another", 1, vector);

    List<SearchHit.Compared> found = await(messages.compare(
        user, List.of(first, second, later, foreign), SearchVector.of("test", 1, vector)));
    assertThat(found)
        .containsExactlyInAnyOrder(
            new SearchHit.Compared(
                first, false, "Ana", written(chat, NOON, "one?"), null, second, 1.0),
            new SearchHit.Compared(
                second,
                true,
                "",
                new SearchHit.Written(chat, NOON.plusSeconds(60), "two", false, true),
                first,
                null,
                null),
            new SearchHit.Compared(
                later,
                false,
                "Ana",
                written(chat, NOON.plus(java.time.Duration.ofHours(13)), "three"),
                null,
                null,
                null));
    assertThat(await(messages.compare(user, List.of(first), null)))
        .containsExactly(new SearchHit.Compared(
            first, false, "Ana", written(chat, NOON, "one?"), null, second, null));
    assertThat(await(messages.compare(user, List.of(), null))).isEmpty();
  }
}
