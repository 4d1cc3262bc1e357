package dev.askgateway;

import dev.askgateway.answer.AnswerConfig;
import dev.askgateway.budget.PriceBook;
import dev.askgateway.budget.RedisConfig;
import dev.askgateway.config.GatewayConfig;
import dev.askgateway.indexing.IndexingConfig;
import dev.askgateway.intake.IntakeConfig;
import dev.askgateway.intake.auth.AuthConfig;
import dev.askgateway.intake.ingest.IngestConfig;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.ProviderConfig;
import dev.askgateway.provider.onnx.OnnxConfig;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.retrieval.RetrievalConfig;
import io.vertx.core.impl.cpu.CpuCoreSensor;
import java.time.Duration;
import java.util.Map;

/** The configuration as each room wants it. */
record Rooms(GatewayConfig config) {

  /** The name of the provider that the openai section describes. */
  static final String OPENAI = "openai";

  /** Queue of embeddings of questions: a person waits, so it stays short. */
  private static final int QUERY_QUEUE = 256;

  IntakeConfig intake() {
    IntakeConfig usual = IntakeConfig.defaults();
    return new IntakeConfig(
        config.http().host(),
        config.http().port(),
        instances(),
        config.http().maxBodyBytes(),
        usual.bodyTimeout(),
        usual.maxHeaderBytes(),
        usual.maxUriBytes(),
        usual.idleTimeout(),
        config.http().drainTimeout(),
        config.answer().replayWindow(),
        config.http().corsOrigins());
  }

  private int instances() {
    int wanted = config.http().instances();
    return wanted == 0 ? CpuCoreSensor.availableProcessors() : wanted;
  }

  AuthConfig auth() {
    var auth = config.auth();
    return new AuthConfig(
        auth.secret().isEmpty() ? null : auth.secret(),
        auth.jwksUrl().isEmpty() ? null : auth.jwksUrl(),
        auth.issuer(),
        auth.audience(),
        auth.skew(),
        auth.jwksRefetchInterval(),
        AuthConfig.DEFAULT_MAX_KEY_AGE);
  }

  RedisConfig redis() {
    // A log that outlives its turn's longest run and the time a replay is promised.
    Duration ttl = config.answer().replayWindow().plus(config.openai().total()).plusMinutes(5);
    return new RedisConfig(config.redis().url(), config.redis().timeout(), ttl);
  }

  RelayConfig relay() {
    var stream = config.stream();
    return new RelayConfig(
        stream.heartbeat(),
        stream.writeDeadline(),
        RelayConfig.Compat.valueOf(stream.compat().name()));
  }

  AnswerConfig answer() {
    return new AnswerConfig(
        config.answer().leaseDuration(),
        config.answer().sweepInterval(),
        config.stream().grace(),
        config.answer().maxAnswerBytes(),
        config.answer().recentTurns(),
        AnswerConfig.Reveal.valueOf(config.stream().reveal().name()));
  }

  RetrievalConfig retrieval() {
    var retrieval = config.retrieval();
    RetrievalConfig usual = RetrievalConfig.DEFAULT;
    return new RetrievalConfig(
        retrieval.depth(),
        retrieval.rrfK(),
        usual.preferredWeight(),
        retrieval.lexicalShare(),
        usual.cosineFloor(),
        retrieval.cosineFloor(),
        retrieval.windowBefore(),
        retrieval.windowAfter(),
        usual.windowMessages(),
        usual.windowChars(),
        usual.anchors(),
        retrieval.exactScanRows(),
        usual.groups(),
        usual.legTimeout());
  }

  PromptConfig prompt() {
    return new PromptConfig(
        config.prompt().maxInputTokens(),
        config.prompt().maxOutputTokens(),
        config.answer().recentTurns(),
        config.prompt().temperature());
  }

  IndexingConfig indexing() {
    var indexing = config.indexing();
    IndexingConfig usual = IndexingConfig.DEFAULT;
    return new IndexingConfig(
        indexing.concurrency(),
        indexing.batchSize(),
        usual.batchesPerClaim(),
        indexing.pollInterval(),
        indexing.leaseDuration(),
        usual.retryBase(),
        usual.retryCeiling(),
        usual.textAttempts(),
        usual.visibleAfter());
  }

  OnnxConfig onnx() {
    return new OnnxConfig(
        1, config.embedding().threads(), QUERY_QUEUE, config.embedding().queue());
  }

  IngestConfig ingest() {
    var ingest = config.ingest();
    return new IngestConfig(
        ingest.maxLineBytes(),
        ingest.maxBodyBytes(),
        ingest.batchSize(),
        ingest.maxRejectionsListed());
  }

  boolean hasModel() {
    return !config.openai().baseUrl().isEmpty();
  }

  ProviderConfig openai() {
    var openai = config.openai();
    ProviderConfig.MaxTokensMember member = "max_completion_tokens".equals(openai.maxTokensField())
        ? ProviderConfig.MaxTokensMember.MAX_COMPLETION_TOKENS
        : ProviderConfig.MaxTokensMember.MAX_TOKENS;
    return new ProviderConfig(
        OPENAI,
        openai.baseUrl(),
        openai.apiKey(),
        openai.model(),
        openai.includeUsage(),
        member,
        true);
  }

  Deadlines deadlines() {
    var openai = config.openai();
    return new Deadlines(
        openai.connectTimeout(),
        openai.firstDelta(),
        openai.firstDelta(),
        openai.stall(),
        openai.total());
  }

  PriceBook prices() {
    if (!hasModel()) {
      return new PriceBook("free", Map.of());
    }
    var prices = config.openai().prices();
    PriceBook.Price price = new PriceBook.Price(
        prices.input(), prices.cacheRead(), prices.cacheWrite(), prices.output());
    return PriceBook.of(Map.of(OPENAI + ":" + config.openai().model(), price));
  }
}
