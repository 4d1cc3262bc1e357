package dev.askgateway.evals.scale;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;

/**
 * Puts people's messages into the database as ingestion and indexing would have left them: rows, hashes,
 * vectors and counters. In rounds of a few messages of each person, so that on the disk people's rows lie
 * between those of others.
 */
final class Loader {
  private static final int ROUND = 500;
  private static final byte[] COPY_HEAD = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };

  private final World world;
  private final java.sql.Connection owner;
  private final MessageDigest sha256;

  Loader(World world, java.sql.Connection owner) {
    this.world = world;
    this.owner = owner;
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Loads every {@code of}-th person, from the one at {@code first}. */
  void load(int first, int of) throws SQLException, IOException {
    try (var statement = owner.createStatement()) {
      // What refers to what is right by construction; to look each up would take most of the time.
      statement.execute("SET session_replication_role = replica");
      statement.execute("SET search_path = ask, public");
    }
    List<World.Person> people = new ArrayList<>();
    for (int i = first; i < world.people(); i += of) {
      people.add(world.person(i));
    }
    heads(people);
    for (int from = 0; ; from += ROUND) {
      List<Map.Entry<World.Person, World.Line>> round = new ArrayList<>();
      for (World.Person person : people) {
        int to = Math.min(person.lines().size(), from + ROUND);
        if (from < to) {
          person.lines().subList(from, to).forEach(line -> round.add(Map.entry(person, line)));
        }
      }
      if (round.isEmpty()) {
        return;
      }
      messages(round);
      vectors(round);
    }
  }

  private CopyManager copying() throws SQLException {
    return owner.unwrap(PGConnection.class).getCopyAPI();
  }

  private void copy(String into, StringBuilder rows) throws SQLException, IOException {
    copying().copyIn("COPY " + into + " FROM STDIN", new java.io.StringReader(rows.toString()));
  }

  private void heads(List<World.Person> people) throws SQLException, IOException {
    StringBuilder chats = new StringBuilder();
    StringBuilder contacts = new StringBuilder();
    StringBuilder states = new StringBuilder();
    for (World.Person person : people) {
      Map<UUID, Integer> counts = new HashMap<>();
      Map<UUID, Instant> newest = new HashMap<>();
      for (World.Line line : person.lines()) {
        if (!line.deleted()) {
          counts.merge(line.chat().id(), 1, Integer::sum);
          newest.put(line.chat().id(), line.at());
        }
      }
      for (World.Chat chat : person.chats()) {
        int count = counts.getOrDefault(chat.id(), 0);
        row(
            chats,
            person.id(),
            chat.id(),
            chat.platform(),
            chat.key(),
            chat.group() ? "\\N" : chat.members().get(0).id(),
            chat.name(),
            chat.group(),
            count,
            newest.containsKey(chat.id()) ? newest.get(chat.id()) : "\\N",
            chat.off() ? "false" : "\\N");
        for (World.Contact contact : chat.members()) {
          row(contacts, person.id(), contact.id(), chat.platform(), contact.key(), contact.name());
        }
      }
      int all = counts.values().stream().mapToInt(Integer::intValue).sum();
      row(states, person.id(), 1, "ready", all, all);
    }
    copy(
        "chats (user_id, id, platform, platform_chat_id, contact_id, name, is_group, message_count,"
            + " last_message_at, ai_enabled)",
        chats);
    copy("contacts (user_id, id, platform, platform_contact_id, name)", contacts);
    copy(
        "conversation_assistant_index_state (user_id, version_id, status, indexed_count, total_count)",
        states);
  }

  private void messages(List<Map.Entry<World.Person, World.Line>> round)
      throws SQLException, IOException {
    StringBuilder rows = new StringBuilder();
    for (var entry : round) {
      World.Line line = entry.getValue();
      World.Contact sender = line.sender();
      row(
          rows,
          entry.getKey().id(),
          line.id(),
          line.chat().id(),
          sender == null ? "\\N" : sender.id(),
          line.chat().platform(),
          "m" + Long.toHexString(line.seed()),
          line.text(),
          sender == null ? "\\N" : sender.name(),
          sender == null,
          line.at(),
          line.chat().group(),
          line.deleted(),
          line.deleted() ? World.NOW : "\\N",
          "\\\\x" + HexFormat.of().formatHex(hash(line)));
    }
    copy(
        "messages (user_id, id, chat_id, contact_id, platform, platform_message_id, content, contact_name,"
            + " from_me, \"timestamp\", is_group, is_deleted, deleted_at, content_hash)",
        rows);
  }

  /** The hash of the text that is embedded, as the database's {@code embedding_hash} has it. */
  private byte[] hash(World.Line line) {
    World.Contact sender = line.sender();
    String text = "Platform: " + line.chat().platform() + "\nSender: "
        + (sender == null ? "You" : sender.name()) + "\nMessage: " + line.text();
    return sha256.digest(text.getBytes(StandardCharsets.UTF_8));
  }

  private void vectors(List<Map.Entry<World.Person, World.Line>> round)
      throws SQLException, IOException {
    CopyIn copy = copying()
        .copyIn("COPY conversation_message_embeddings (user_id, message_id, embedding_profile_id,"
            + " embedding_version, embedding_model, embedding_dimensions, content_hash, embedding)"
            + " FROM STDIN (FORMAT binary)");
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.write(COPY_HEAD);
    for (var entry : round) {
      if (!entry.getValue().deleted()) {
        vector(out, entry.getKey().id(), entry.getValue());
      }
      if (bytes.size() > 1 << 20) {
        copy.writeToCopy(bytes.toByteArray(), 0, bytes.size());
        bytes.reset();
      }
    }
    out.writeShort(-1);
    copy.writeToCopy(bytes.toByteArray(), 0, bytes.size());
    copy.endCopy();
  }

  private void vector(DataOutputStream out, String user, World.Line line) throws IOException {
    out.writeShort(8);
    field(out, user.getBytes(StandardCharsets.UTF_8));
    field(
        out,
        ByteBuffer.allocate(16)
            .putLong(line.id().getMostSignificantBits())
            .putLong(line.id().getLeastSignificantBits())
            .array());
    field(out, ScaleData.PROFILE.getBytes(StandardCharsets.UTF_8));
    field(out, ByteBuffer.allocate(4).putInt(1).array());
    field(out, ScaleData.MODEL.getBytes(StandardCharsets.UTF_8));
    field(out, ByteBuffer.allocate(4).putInt(Meaning.DIMENSIONS).array());
    field(out, hash(line));
    ByteBuffer vector =
        ByteBuffer.allocate(4 + 4 * Meaning.DIMENSIONS).putInt(Meaning.DIMENSIONS << 16);
    for (float value : world.meaning.of(line.topic(), line.seed())) {
      vector.putFloat(value);
    }
    field(out, vector.array());
  }

  private static void field(DataOutputStream out, byte[] value) throws IOException {
    out.writeInt(value.length);
    out.write(value);
  }

  private static void row(StringBuilder rows, Object... values) {
    for (int i = 0; i < values.length; i++) {
      rows.append(i == 0 ? "" : "\t").append(values[i]);
    }
    rows.append('\n');
  }
}
