package dev.askgateway.config;

/**
 * The in-process embedding model. If one of these exists, it is valid.
 *
 * @param queue most texts that wait for it; more are refused
 */
public record EmbeddingSettings(int threads, int queue) {

  public EmbeddingSettings {
    Rule.range("embedding.threads", threads, 1, 64);
    Rule.range("embedding.queue", queue, 1, 1_000_000);
  }

  static EmbeddingSettings from(Section embedding) {
    return new EmbeddingSettings(embedding.integer("threads"), embedding.integer("queue"));
  }
}
