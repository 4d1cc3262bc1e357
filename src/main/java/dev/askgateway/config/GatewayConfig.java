package dev.askgateway.config;

import java.util.function.Supplier;

/** Everything that can be configured, section by section. If one of these exists, it is valid. */
public record GatewayConfig(
    HttpSettings http,
    AuthSettings auth,
    DatabaseSettings database,
    RedisSettings redis,
    StreamSettings stream,
    AnswerSettings answer,
    RetrievalSettings retrieval,
    IndexingSettings indexing,
    EmbeddingSettings embedding,
    IngestSettings ingest,
    OpenAiSettings openai,
    PromptSettings prompt) {

  /**
   * Reads every section before it gives up, so that one start shows all problems.
   *
   * @throws InvalidConfig if there is any
   */
  public static GatewayConfig from(Section root) {
    Supplier<HttpSettings> http = root.read("http", HttpSettings::from);
    Supplier<AuthSettings> auth = root.read("auth", AuthSettings::from);
    Supplier<DatabaseSettings> database = root.read("database", DatabaseSettings::from);
    Supplier<RedisSettings> redis = root.read("redis", RedisSettings::from);
    Supplier<StreamSettings> stream = root.read("stream", StreamSettings::from);
    Supplier<AnswerSettings> answer = root.read("answer", AnswerSettings::from);
    Supplier<RetrievalSettings> retrieval = root.read("retrieval", RetrievalSettings::from);
    Supplier<IndexingSettings> indexing = root.read("indexing", IndexingSettings::from);
    Supplier<EmbeddingSettings> embedding = root.read("embedding", EmbeddingSettings::from);
    Supplier<IngestSettings> ingest = root.read("ingest", IngestSettings::from);
    Supplier<OpenAiSettings> openai = root.read("openai", OpenAiSettings::from);
    Supplier<PromptSettings> prompt = root.read("prompt", PromptSettings::from);
    root.verify();
    return new GatewayConfig(
        http.get(),
        auth.get(),
        database.get(),
        redis.get(),
        stream.get(),
        answer.get(),
        retrieval.get(),
        indexing.get(),
        embedding.get(),
        ingest.get(),
        openai.get(),
        prompt.get());
  }
}
