package dev.askgateway.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.UserId;
import dev.askgateway.provider.onnx.OnnxConfig;
import dev.askgateway.provider.onnx.OnnxEmbedder;
import dev.askgateway.store.Database;
import dev.askgateway.store.EmbeddingVersion;
import dev.askgateway.store.IndexRepository;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OnnxIndexingIT {
  private static final UserId ANA = new UserId("ana");

  @Test
  @DisplayName(
      "with the real model and database the message that answers a question is the nearest")
  void nearest() throws SQLException {
    Vertx vertx = Vertx.vertx();
    try (var conversations = Conversations.fresh()) {
      var database = new Database(vertx, conversations.config);
      var embedder = OnnxEmbedder.load(vertx, OnnxConfig.DEFAULT).await();
      conversations.serve(embedder.profileId(), embedder.model(), embedder.dimensions());
      var repository =
          new IndexRepository(database, conversations.version(EmbeddingVersion.State.ACTIVE));
      conversations.add(ANA, "The plumber comes on Tuesday between nine and eleven");
      conversations.add(ANA, "Happy birthday! Hope you have a great day");
      var wanted = conversations.add(ANA, "I booked the flights to Lisbon, we leave on the 3rd");
      Promise<Void> indexed = Promise.promise();
      var indexer = new Indexer(
          vertx, "one", repository, embedder, IndexingConfig.DEFAULT, new Countdown(3, indexed));

      indexer.start().await();
      indexed.future().timeout(30, TimeUnit.SECONDS).await();
      indexer.stop().await();

      String question =
          Arrays.toString(embedder.query("When are we travelling to Portugal?").await());
      assertThat(conversations.strings("""
              SELECT message_id FROM conversation_message_embeddings
               WHERE user_id = ? AND embedding_profile_id = 'e5-384' AND embedding_version = 1
               ORDER BY embedding <=> ?::vector LIMIT 1
              """, ANA.value(), question))
          .containsExactly(wanted.toString());
      embedder.close().await();
      database.close().await();
    } finally {
      vertx.close().await();
    }
  }

  /** Completes when so many texts are indexed. */
  private static final class Countdown implements IndexingEvents {
    private final Promise<Void> done;
    private int left;

    Countdown(int texts, Promise<Void> done) {
      this.left = texts;
      this.done = done;
    }

    @Override
    public void indexed(int texts) {
      left -= texts;
      if (left <= 0) {
        done.tryComplete();
      }
    }

    @Override
    public void failed(String code, boolean givenUp) {
      done.tryFail(code);
    }

    @Override
    public void backlog(long persons) {}
  }
}
