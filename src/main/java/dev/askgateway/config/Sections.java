package dev.askgateway.config;

import dev.askgateway.answer.AnswerConfig;
import dev.askgateway.answer.PlannerConfig;
import dev.askgateway.answer.rollout.RolloutConfig;
import dev.askgateway.budget.QueryCacheConfig;
import dev.askgateway.budget.ReconcileConfig;
import dev.askgateway.budget.RedisConfig;
import dev.askgateway.indexing.IndexingConfig;
import dev.askgateway.intake.IntakeConfig;
import dev.askgateway.intake.ManagementConfig;
import dev.askgateway.intake.Surface;
import dev.askgateway.intake.auth.AuthConfig;
import dev.askgateway.intake.edge.EdgeConfig;
import dev.askgateway.intake.ingest.IngestConfig;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.provider.byok.ByokConfig;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.onnx.OnnxConfig;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.store.StoreConfig;
import java.util.Set;
import java.util.UUID;

/** Which keys fill which record, in the order of its components. No rules: the records have them. */
final class Sections {
  private Sections() {}

  static IntakeConfig http(Section root) {
    Section http = root.section("http");
    return new IntakeConfig(
        http.string("host"),
        http.integer("port"),
        http.integer("instances"),
        http.bytes("maxBodyBytes"),
        http.duration("bodyTimeout"),
        http.smallBytes("maxHeaderBytes"),
        http.smallBytes("maxUriBytes"),
        http.duration("idleTimeout"),
        http.duration("drainGrace"),
        http.duration("drainTimeout"),
        root.section("answer").duration("replayWindow"),
        http.list("corsOrigins"));
  }

  /** @param needed whether anything asks for tokens: else a secret that nobody knows will do */
  static AuthConfig auth(Section root, boolean needed) {
    Section auth = root.section("auth");
    String configured = auth.secret("secret");
    String jwksUrl = auth.string("jwksUrl");
    boolean missing = configured.isEmpty() && jwksUrl.isEmpty();
    String secret = missing && !needed ? UUID.randomUUID() + "-" + UUID.randomUUID() : configured;
    return new AuthConfig(
        secret.isEmpty() ? null : secret,
        jwksUrl.isEmpty() ? null : jwksUrl,
        auth.string("issuer"),
        auth.string("audience"),
        auth.duration("skew"),
        auth.duration("minRefetch"),
        auth.duration("maxKeyAge"));
  }

  static DatabaseSettings database(Section root) {
    Section database = root.section("database");
    String url = database.string("url");
    String migrationUrl = database.string("migrationUrl");
    return new DatabaseSettings(
        new StoreConfig(
            url,
            migrationUrl.isBlank() ? url : migrationUrl,
            database.string("schema"),
            database.string("role"),
            database.integer("poolSize"),
            database.duration("acquireTimeout")),
        database.bool("migrateOnStart"));
  }

  static RedisConfig redis(Section root) {
    Section redis = root.section("redis");
    return new RedisConfig(
        redis.string("url"), redis.duration("timeout"), redis.duration("turnLogTtl"));
  }

  static RelayConfig stream(Section root) {
    Section stream = root.section("stream");
    return new RelayConfig(
        stream.duration("heartbeat"),
        stream.duration("writeDeadline"),
        stream.choice("compat", RelayConfig.Compat.values(), Section::lower));
  }

  static AnswerConfig answer(Section root) {
    Section answer = root.section("answer");
    Section stream = root.section("stream");
    return new AnswerConfig(
        answer.duration("lease"),
        answer.duration("sweepInterval"),
        stream.duration("grace"),
        answer.integer("maxChars"),
        answer.integer("recentTurns"),
        stream.choice("reveal", AnswerConfig.Reveal.values(), Section::lower));
  }

  static RetrievalConfig retrieval(Section root) {
    Section retrieval = root.section("retrieval");
    return new RetrievalConfig(
        retrieval.integer("depth"),
        retrieval.integer("rrfK"),
        retrieval.decimal("preferredWeight"),
        retrieval.decimal("speakerLift"),
        retrieval.decimal("termShare"),
        retrieval.decimal("cosineFloor"),
        retrieval.decimals("cosineFloors"),
        retrieval.decimals("evidenceFloors"),
        retrieval.integer("windowBefore"),
        retrieval.integer("windowAfter"),
        retrieval.integer("windowMessages"),
        retrieval.integer("windowChars"),
        retrieval.integer("anchors"),
        retrieval.whole("exactBelow"),
        retrieval.bool("groups"),
        retrieval.duration("legTimeout"));
  }

  static PlannerConfig planner(Section root) {
    Section planner = root.section("retrieval").section("planner");
    return new PlannerConfig(
        planner.bool("enabled"),
        planner.integer("inputTokens"),
        planner.integer("outputTokens"),
        planner.duration("timeout"));
  }

  static QueryCacheConfig queryCache(Section root) {
    Section cache = root.section("retrieval").section("queryCache");
    return new QueryCacheConfig(
        cache.duration("ttl"), cache.duration("timeout"), cache.secret("secret"));
  }

  static IndexingConfig indexing(Section root) {
    Section indexing = root.section("indexing");
    return new IndexingConfig(
        indexing.integer("concurrency"),
        indexing.integer("persons"),
        indexing.integer("batchSize"),
        indexing.integer("batchTokens"),
        indexing.integer("batchesPerClaim"),
        indexing.duration("pollInterval"),
        indexing.duration("lease"),
        indexing.duration("retryBase"),
        indexing.duration("retryCeiling"),
        indexing.integer("textAttempts"),
        indexing.integer("visibleAfter"),
        indexing.duration("versionInterval"));
  }

  static OnnxConfig embedding(Section root) {
    Section embedding = root.section("embedding");
    return new OnnxConfig(
        embedding.integer("queryThreads"),
        embedding.integer("passageThreads"),
        embedding.integer("queryQueue"),
        embedding.integer("passageQueue"));
  }

  static IngestConfig ingest(Section root) {
    Section ingest = root.section("ingest");
    return new IngestConfig(
        ingest.smallBytes("maxLineBytes"),
        ingest.bytes("maxBodyBytes"),
        ingest.integer("batchSize"),
        ingest.integer("maxRejectedListed"));
  }

  static Set<Surface> surfaces(Section root) {
    return root.choices("surfaces", Surface.values(), Section::lower);
  }

  static EdgeConfig edge(Section root) {
    Section edge = root.section("edge");
    return new EdgeConfig(
        edge.choice("auth", EdgeConfig.Auth.values(), Section::lower),
        edge.choice("accounting", EdgeConfig.Accounting.values(), Section::lower),
        edge.duration("headAfter"),
        edge.bytes("maxBodyBytes"));
  }

  static ByokConfig byok(Section root) {
    Section byok = root.section("byok");
    return new ByokConfig(
        byok.bool("enabled"),
        byok.secrets("keys"),
        byok.string("currentKey"),
        byok.bool("customBaseUrls"),
        byok.bool("allowPrivateAddresses"));
  }

  static ClientLimits upstream(Section root) {
    Section upstream = root.section("upstream");
    return new ClientLimits(
        upstream.integer("maxConnections"),
        upstream.integer("maxHttp2Connections"),
        upstream.integer("maxWaiting"),
        upstream.duration("keepAlive"),
        upstream.smallBytes("maxLineBytes"),
        upstream.smallBytes("maxEventBytes"),
        upstream.smallBytes("maxErrorBytes"));
  }

  static ReconcileConfig reconcile(Section root) {
    return new ReconcileConfig(root.section("reconcile").duration("interval"));
  }

  static RolloutConfig rollout(Section root) {
    Section rollout = root.section("rollout");
    return new RolloutConfig(
        rollout.duration("interval"),
        rollout.duration("checkInterval"),
        rollout.integer("minAnswers"),
        rollout.decimal("errorRate"));
  }

  static ManagementConfig management(Section root) {
    Section management = root.section("management");
    return new ManagementConfig(
        management.bool("enabled"), management.string("host"), management.integer("port"));
  }

  static PromptConfig prompt(Section root) {
    Section prompt = root.section("prompt");
    return new PromptConfig(
        prompt.integer("inputTokens"),
        prompt.integer("outputTokens"),
        root.section("answer").integer("recentTurns"),
        prompt.decimal("temperature"));
  }
}
