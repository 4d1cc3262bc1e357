package dev.askgateway.config;

import dev.askgateway.answer.AnswerConfig;
import dev.askgateway.budget.RedisConfig;
import dev.askgateway.core.Rule;
import dev.askgateway.indexing.IndexingConfig;
import dev.askgateway.intake.IntakeConfig;
import dev.askgateway.intake.auth.AuthConfig;
import dev.askgateway.intake.ingest.IngestConfig;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.onnx.OnnxConfig;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.retrieval.RetrievalConfig;
import java.time.Duration;

/**
 * Everything that can be configured: the rooms' own records by the sections that fill them. Each
 * checks itself; what binds one section to another is checked here. If one of these exists, it is
 * valid.
 */
public record GatewayConfig(
    IntakeConfig http,
    AuthConfig auth,
    DatabaseSettings database,
    RedisConfig redis,
    RelayConfig stream,
    AnswerConfig answer,
    RetrievalConfig retrieval,
    IndexingConfig indexing,
    OnnxConfig embedding,
    IngestConfig ingest,
    ModelSettings models,
    ClientLimits upstream,
    PromptConfig prompt) {

  public GatewayConfig {
    Duration total = models.catalogue().profiles().values().stream()
        .map(profile -> profile.deadlines().total())
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
    // A JSON client hears nothing before the end, an SSE client nothing between two heartbeats.
    longer("http.idleTimeout", http.idleTimeout(), "openai.total", total);
    longer("http.idleTimeout", http.idleTimeout(), "stream.heartbeat", stream.heartbeat());
    int texts = indexing.concurrency() * indexing.batchSize();
    Rule.require(
        embedding.passageQueue() >= texts,
        "embedding.passageQueue",
        embedding.passageQueue(),
        "at least indexing.concurrency times indexing.batchSize, " + texts);
    Duration replayed = http.replayWindow().plus(total);
    Rule.require(
        redis.turnLogTtl().compareTo(replayed) >= 0,
        "redis.turnLogTtl",
        Rule.text(redis.turnLogTtl()),
        "at least openai.total and answer.replayWindow together, " + Rule.text(replayed));
  }

  private static void longer(String key, Duration value, String lower, Duration least) {
    Rule.require(
        value.compareTo(least) > 0,
        key,
        Rule.text(value),
        "longer than " + lower + ", " + Rule.text(least));
  }

  /**
   * Reads every section before it gives up, so that one start shows all problems.
   *
   * @throws InvalidConfig if there is any
   */
  public static GatewayConfig from(Section root) {
    return root.verified(GatewayConfig::read);
  }

  private static GatewayConfig read(Section root) {
    return new GatewayConfig(
        root.read(Sections::http),
        root.read(Sections::auth),
        root.read(Sections::database),
        root.read(Sections::redis),
        root.read(Sections::stream),
        root.read(Sections::answer),
        root.read(Sections::retrieval),
        root.read(Sections::indexing),
        root.read(Sections::embedding),
        root.read(Sections::ingest),
        root.read(Sections::models),
        root.read(Sections::upstream),
        root.read(Sections::prompt));
  }

  /** The keys of tokens alone, for {@link ConfigLoader#load}. */
  public static AuthConfig authOnly(Section root) {
    return root.verified(Sections::auth);
  }

  /** The database alone, for {@link ConfigLoader#load}. */
  public static DatabaseSettings databaseOnly(Section root) {
    return root.verified(Sections::database);
  }
}
