package dev.askgateway.evals;

import dev.askgateway.provider.Embedder;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a model's vectors in one file between runs: records of a text's SHA-256 and its numbers, appended
 * as they come. The same text has the same vector, so nothing is measured otherwise than without it.
 */
final class VectorCache implements Embedder {
  private static final int HASH_BYTES = 32;

  private final Embedder model;
  private final @Nullable Path file;
  private final Map<String, float[]> known = new ConcurrentHashMap<>();

  /** @param folder where to keep them; null to keep none */
  VectorCache(Embedder model, @Nullable Path folder) throws IOException {
    this.model = model;
    this.file = folder == null
        ? null
        : folder.resolve(model.profileId() + "-" + model.version() + ".vectors");
    if (folder != null) {
      Files.createDirectories(folder);
      read();
    }
  }

  private void read() throws IOException {
    if (file == null || !Files.exists(file)) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    byte[] hash = new byte[HASH_BYTES];
    while (bytes.remaining() >= HASH_BYTES + model.dimensions() * Float.BYTES) {
      bytes.get(hash);
      float[] vector = new float[model.dimensions()];
      for (int i = 0; i < vector.length; i++) {
        vector[i] = bytes.getFloat();
      }
      known.put(HexFormat.of().formatHex(hash), vector);
    }
  }

  @Override
  public String profileId() {
    return model.profileId();
  }

  @Override
  public int version() {
    return model.version();
  }

  @Override
  public String model() {
    return model.model();
  }

  @Override
  public int dimensions() {
    return model.dimensions();
  }

  @Override
  public Future<float[]> query(String question) {
    return one("query: " + question, () -> model.query(question));
  }

  @Override
  public Future<List<float[]>> passages(List<String> texts) {
    List<Future<float[]>> vectors = new ArrayList<>();
    for (String text : texts) {
      vectors.add(
          one("passage: " + text, () -> model.passages(List.of(text)).map(found -> found.get(0))));
    }
    return Future.all(vectors).map(all -> all.list());
  }

  private Future<float[]> one(String text, Supplier<Future<float[]>> otherwise) {
    byte[] hash = sha256(text);
    float[] vector = known.get(HexFormat.of().formatHex(hash));
    return vector != null
        ? Future.succeededFuture(vector)
        : otherwise.get().onSuccess(fresh -> keep(hash, fresh));
  }

  private void keep(byte[] hash, float[] vector) {
    if (file == null || known.putIfAbsent(HexFormat.of().formatHex(hash), vector) != null) {
      return;
    }
    ByteBuffer bytes =
        ByteBuffer.allocate(HASH_BYTES + vector.length * Float.BYTES).put(hash);
    for (float value : vector) {
      bytes.putFloat(value);
    }
    try {
      Files.write(file, bytes.array(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
