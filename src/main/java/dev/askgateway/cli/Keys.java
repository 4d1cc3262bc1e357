package dev.askgateway.cli;

import dev.askgateway.config.DatabaseSettings;
import dev.askgateway.provider.byok.ByokConfig;
import dev.askgateway.provider.byok.Resealing;
import dev.askgateway.provider.byok.SecretBox;
import dev.askgateway.store.ConnectionRepository;
import dev.askgateway.store.Database;
import io.vertx.core.Vertx;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What can be done with the keys that seal people's secrets. Blocks its thread, which is no event loop. */
enum Keys {
  /** Seals every secret with the current key, so that the others may go. */
  RESEAL;

  private static final int PAGE = 100;

  Resealing.Count run(DatabaseSettings settings, ByokConfig config) {
    if (config.keys().isEmpty()) {
      throw new IllegalStateException("there are no keys: set byok.keys (ASK_BYOK_KEYS)");
    }
    Vertx vertx = Vertx.vertx();
    Database database = new Database(vertx, settings.store());
    try {
      return new Resealing(new SecretBox(config), new ConnectionRepository(database))
          .run(PAGE)
          .toCompletionStage()
          .toCompletableFuture()
          .join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  /** Reads the word of the command line. */
  static final class OfWord implements ITypeConverter<Keys> {
    @Override
    public Keys convert(String word) {
      for (Keys one : values()) {
        if (one.name().toLowerCase(Locale.ROOT).equals(word)) {
          return one;
        }
      }
      throw new TypeConversionException("it must be reseal");
    }
  }
}
