package dev.askgateway.retrieval;

import dev.askgateway.core.UserId;
import dev.askgateway.store.SearchFilters;
import dev.askgateway.store.SearchFixture;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Many persons who write the same few words with the same few vectors, so that every search would find
 * everybody's messages if nothing held it back; and what each may be shown, known beside the database.
 */
final class LeakWorld {
  static final String PROFILE = "test";
  static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private static final int PERSONS = 24;
  private static final int CHATS = 6;
  private static final int MESSAGES = 25;
  private static final int VECTORS = 12;
  private static final int HOURS = 24 * 120;
  private static final String[] WORDS = {
    "walrus", "dinner", "train", "ticket", "piano", "garden", "lantern", "violet", "marble",
    "copper"
  };
  private static final String[] PLATFORMS = {"whatsapp", "telegram", "slack", "signal", "discord"};

  final List<UserId> persons = new ArrayList<>();
  final List<Chat> chats = new ArrayList<>();
  final List<Message> messages = new ArrayList<>();
  private final Map<UUID, Message> byId = new HashMap<>();
  private final List<float[]> vectors = new ArrayList<>();
  private final SearchFixture data;
  private final Random random;

  static final class Chat {
    final UserId user;
    final UUID id;
    final boolean group;
    private @Nullable Boolean switched;

    Chat(UserId user, UUID id, boolean group) {
      this.user = user;
      this.id = id;
      this.group = group;
    }

    boolean isEvidence(SearchFilters filters) {
      Boolean own = switched;
      return filters.namedChats().contains(id)
          || (group ? filters.groups() || Boolean.TRUE.equals(own) : !Boolean.FALSE.equals(own));
    }
  }

  static final class Message {
    final Chat chat;
    final UUID id;
    final Instant at;
    private boolean live = true;
    private boolean vectorIsCurrent = true;

    Message(Chat chat, UUID id, Instant at) {
      this.chat = chat;
      this.id = id;
      this.at = at;
    }
  }

  LeakWorld(SearchFixture data, long seed) {
    this.data = data;
    this.random = new Random(seed);
    for (int i = 0; i < VECTORS; i++) {
      vectors.add(randomVector());
    }
    for (int i = 0; i < PERSONS; i++) {
      UserId user = new UserId("leak-" + i);
      persons.add(user);
      for (int j = 0; j < CHATS; j++) {
        boolean group = random.nextInt(3) == 0;
        String platform = PLATFORMS[random.nextInt(PLATFORMS.length)];
        Chat chat = new Chat(user, data.chat(user, platform, "Chat " + j, group), group);
        chats.add(chat);
        for (int k = 0; k < MESSAGES; k++) {
          say(chat);
        }
      }
    }
    for (int i = 0; i < messages.size(); i++) {
      change();
    }
  }

  private void say(Chat chat) {
    Instant at = START.plusSeconds(random.nextInt(HOURS) * 3600L);
    UUID id = random.nextBoolean()
        ? data.own(chat.user, chat.id, at, words())
        : data.message(chat.user, chat.id, at, "Ana", words());
    data.vector(chat.user, id, PROFILE, 1, anyVector());
    Message message = new Message(chat, id, at);
    messages.add(message);
    byId.put(id, message);
  }

  /** Something happens: a message goes or its text changes, a chat is switched, or nothing. */
  void change() {
    Message message = messages.get(random.nextInt(messages.size()));
    switch (random.nextInt(12)) {
      case 0 -> {
        data.run("UPDATE messages SET is_deleted = true WHERE id = ?", message.id);
        message.live = false;
      }
      case 1 -> {
        data.run(
            "UPDATE messages SET content = NULL, content_hash = NULL WHERE id = ?", message.id);
        message.live = false;
        message.vectorIsCurrent = false;
      }
      case 2 -> {
        data.run(
            "UPDATE messages SET content = coalesce(content, '') || ' edited', content_hash = '\\x02' WHERE id = ?"
                + " AND content IS NOT NULL",
            message.id);
        message.vectorIsCurrent = false;
      }
      case 3 -> {
        Chat chat = message.chat;
        chat.switched = random.nextBoolean() ? null : random.nextBoolean();
        data.run("UPDATE chats SET ai_enabled = ? WHERE id = ?", chat.switched, chat.id);
      }
      default -> {
        // most of the time nothing does
      }
    }
  }

  /** Words that every person's messages hold. */
  String words() {
    StringBuilder words = new StringBuilder();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      words.append(words.isEmpty() ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
    }
    return words.toString();
  }

  /** A vector that messages of many persons have. */
  float[] anyVector() {
    return vectors.get(random.nextInt(vectors.size()));
  }

  private float[] randomVector() {
    float[] vector = new float[384];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  /** Filters of any kind; now and then they name chats of somebody else. */
  SearchFilters filters(UserId user) {
    Instant from = random.nextInt(3) == 0 ? null : anyTime();
    Instant until = random.nextInt(3) == 0 ? null : anyTime();
    return new SearchFilters(
        someChats(user, random.nextInt(3)),
        someChats(user, random.nextInt(3)),
        random.nextBoolean(),
        from,
        until);
  }

  List<UUID> someChats(UserId user, int count) {
    List<UUID> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Chat> from = random.nextInt(8) == 0 ? chats : chatsOf(user);
      some.add(from.get(random.nextInt(from.size())).id);
    }
    return some;
  }

  private List<Chat> chatsOf(UserId user) {
    return chats.stream().filter(chat -> chat.user.equals(user)).toList();
  }

  Instant anyTime() {
    return START.plusSeconds(random.nextInt(HOURS) * 3600L);
  }

  /** Ids of any messages: anybody's, deleted, outside every scope. */
  List<UUID> someMessages(UserId user, int count) {
    List<UUID> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(messages.get(random.nextInt(messages.size())).id);
    }
    messages.stream()
        .filter(message -> message.chat.user.equals(user))
        .skip(random.nextInt(MESSAGES))
        .limit(count)
        .forEach(message -> some.add(message.id));
    return some;
  }

  /** What of a result must not have been in it. */
  List<UUID> leaked(UserId user, SearchFilters filters, Collection<UUID> found, boolean byVector) {
    return found.stream().filter(id -> !isAllowed(user, filters, id, byVector)).toList();
  }

  private boolean isAllowed(UserId user, SearchFilters filters, UUID id, boolean byVector) {
    Message message = byId.get(id);
    return message != null
        && message.chat.user.equals(user)
        && message.live
        && (!byVector || message.vectorIsCurrent)
        && (filters.onlyChats().isEmpty() || filters.onlyChats().contains(message.chat.id))
        && message.chat.isEvidence(filters)
        && (filters.from() == null || !message.at.isBefore(filters.from()))
        && (filters.until() == null || message.at.isBefore(filters.until()));
  }
}
