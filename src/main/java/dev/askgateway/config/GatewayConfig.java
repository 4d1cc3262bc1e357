package dev.askgateway.config;

import dev.askgateway.answer.AnswerConfig;
import dev.askgateway.answer.PlannerConfig;
import dev.askgateway.answer.rollout.RolloutConfig;
import dev.askgateway.budget.BudgetConfig;
import dev.askgateway.budget.QueryCacheConfig;
import dev.askgateway.budget.ReconcileConfig;
import dev.askgateway.budget.RedisConfig;
import dev.askgateway.core.Rule;
import dev.askgateway.indexing.IndexingConfig;
import dev.askgateway.intake.IntakeConfig;
import dev.askgateway.intake.ManagementConfig;
import dev.askgateway.intake.Surface;
import dev.askgateway.intake.admission.AdmissionConfig;
import dev.askgateway.intake.auth.AuthConfig;
import dev.askgateway.intake.edge.EdgeConfig;
import dev.askgateway.intake.ingest.IngestConfig;
import dev.askgateway.intake.limit.LimitConfig;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.provider.Deadlines;
import dev.askgateway.provider.Profile;
import dev.askgateway.provider.byok.ByokConfig;
import dev.askgateway.provider.byok.Vendor;
import dev.askgateway.provider.http.ClientLimits;
import dev.askgateway.provider.onnx.OnnxConfig;
import dev.askgateway.relay.RelayConfig;
import dev.askgateway.retrieval.RetrievalConfig;
import dev.askgateway.telemetry.trace.TracingConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be configured: the rooms' own records by the sections that fill them. Each
 * checks itself; what binds one section to another is checked here. If one of these exists, it is
 * valid.
 *
 * @param retrievalVersions what retrieval can be rolled out as, by name
 * @param database there if {@link #needsStore}
 * @param redis there if {@link #needsStore}
 */
public record GatewayConfig(
    IntakeConfig http,
    AuthConfig auth,
    Optional<DatabaseSettings> database,
    Optional<RedisConfig> redis,
    RelayConfig stream,
    AnswerConfig answer,
    RetrievalConfig retrieval,
    Map<String, RetrievalConfig> retrievalVersions,
    QueryCacheConfig queryCache,
    PlannerConfig planner,
    IndexingConfig indexing,
    OnnxConfig embedding,
    IngestConfig ingest,
    ModelSettings models,
    ClientLimits upstream,
    PromptConfig prompt,
    Set<Surface> surfaces,
    EdgeConfig edge,
    LimitConfig limits,
    AdmissionConfig admission,
    BudgetConfig budget,
    ReconcileConfig reconcile,
    RolloutConfig rollout,
    ByokConfig byok,
    ManagementConfig management,
    TracingConfig tracing) {

  public GatewayConfig {
    Optional<Profile> longest = models.longest();
    String totalKey = "profiles." + longest.map(Profile::name).orElse("") + ".total";
    Duration total = longest.map(one -> one.deadlines().total()).orElse(Duration.ZERO);
    Duration usual = Deadlines.DEFAULT.total(); // of a model that is asked for by its own name
    http = http.draining(total.compareTo(usual) > 0 ? total : usual);
    // A JSON client hears nothing before the end, an SSE client nothing between two heartbeats.
    longer("http.idleTimeout", http.idleTimeout(), totalKey, total);
    longer("http.idleTimeout", http.idleTimeout(), "stream.heartbeat", stream.heartbeat());
    Rule.require(
        !management.enabled() || management.port() == 0 || management.port() != http.port(),
        "management.port",
        management.port(),
        "another one than http.port");
    int texts = indexing.concurrency() * indexing.batchSize();
    Rule.require(
        embedding.passageQueue() >= texts,
        "embedding.passageQueue",
        embedding.passageQueue(),
        "at least indexing.concurrency times indexing.batchSize, " + texts);
    if (surfaces.contains(Surface.ASK)) {
      models.requireMessageModels();
      Rule.require(
          !planner.enabled() || byok.enabled() || models.hasPlanner(),
          "retrieval.planner.enabled",
          planner.enabled(),
          "false, or a model of profiles.query_planner be set up");
    }
    Duration replayed = http.replayWindow().plus(total);
    Duration kept = redis.map(RedisConfig::turnLogTtl).orElse(replayed);
    Rule.require(
        kept.compareTo(replayed) >= 0,
        "redis.turnLogTtl",
        Rule.text(kept),
        "at least " + totalKey + " and answer.replayWindow together, " + Rule.text(replayed));
  }

  /** The names that providers have in metrics and usage rows, those of people's own among them. */
  public Set<String> providerNames() {
    Set<String> names = new HashSet<>(models.providerNames());
    if (byok.enabled()) {
      Arrays.stream(Vendor.values()).map(Vendor::providerName).forEach(names::add);
    }
    return Set.copyOf(names);
  }

  /** The names that traces may tell: of servers, models and profiles, and models' ids at their servers. */
  public Set<String> names() {
    Set<String> names = new HashSet<>(providerNames());
    names.addAll(models.names());
    return Set.copyOf(names);
  }

  /** The constants of that version of retrieval; those of none, or of one that is not there, as configured. */
  public RetrievalConfig retrieval(@Nullable String version) {
    return version == null ? retrieval : retrievalVersions.getOrDefault(version, retrieval);
  }

  /** Whether PostgreSQL and Redis are needed: not for models alone that nobody pays for. */
  public boolean needsStore() {
    return needsStore(surfaces, edge, byok);
  }

  private static boolean needsStore(Set<Surface> surfaces, EdgeConfig edge, ByokConfig byok) {
    return surfaces.contains(Surface.ASK)
        || edge.accounting() == EdgeConfig.Accounting.LEDGER
        || byok.enabled();
  }

  private static boolean asksTokens(Set<Surface> surfaces, EdgeConfig edge) {
    return surfaces.contains(Surface.ASK) || edge.auth() == EdgeConfig.Auth.TOKEN;
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
    Set<Surface> surfaces = root.read(Sections::surfaces);
    EdgeConfig edge = root.read(Sections::edge);
    ByokConfig byok = root.read(Sections::byok);
    boolean store = needsStore(surfaces, edge, byok);
    return new GatewayConfig(
        root.read(Sections::http),
        root.read(section -> Sections.auth(section, asksTokens(surfaces, edge))),
        store ? Optional.of(root.read(Sections::database)) : Optional.empty(),
        store ? Optional.of(root.read(Sections::redis)) : Optional.empty(),
        root.read(Sections::stream),
        root.read(Sections::answer),
        root.read(Sections::retrieval),
        root.read(RetrievalVersions::read),
        root.read(Sections::queryCache),
        root.read(Sections::planner),
        root.read(Sections::indexing),
        root.read(Sections::embedding),
        root.read(Sections::ingest),
        root.read(ModelSections::read),
        root.read(Sections::upstream),
        root.read(Sections::prompt),
        surfaces,
        edge,
        root.read(LimitSection::read),
        root.read(AdmissionSection::read),
        root.read(BudgetSection::read),
        root.read(Sections::reconcile),
        root.read(Sections::rollout),
        byok,
        root.read(Sections::management),
        root.read(TracingSection::read));
  }

  /** The keys of tokens alone, for {@link ConfigLoader#load}. */
  public static AuthConfig authOnly(Section root) {
    return root.verified(section -> Sections.auth(section, true));
  }

  /** Where a running gateway is managed, for {@link ConfigLoader#load}. */
  public static ManagementAccess managementOnly(Section root) {
    return root.verified(
        all -> new ManagementAccess(all.read(Sections::management), all.read(Sections::upstream)));
  }

  /** Own keys alone, for {@link ConfigLoader#load}. */
  public static ByokConfig byokOnly(Section root) {
    return root.verified(Sections::byok);
  }

  /** The database alone, for {@link ConfigLoader#load}. */
  public static DatabaseSettings databaseOnly(Section root) {
    return root.verified(Sections::database);
  }

  /** The database and the policy of accounts, for {@link ConfigLoader#load}. */
  public static AccountSettings accountsOnly(Section root) {
    return root.verified(all -> new AccountSettings(
        all.read(Sections::database), all.read(BudgetSection::read).policy()));
  }

  /** The versions of retrieval, for {@link ConfigLoader#load}. */
  public static Map<String, RetrievalConfig> retrievalVersionsOnly(Section root) {
    return root.verified(RetrievalVersions::read);
  }

  /** Redis alone, if there is one, for {@link ConfigLoader#load}. */
  public static Optional<RedisConfig> redisOnly(Section root) {
    return root.verified(all -> all.section("redis").string("url").isBlank()
        ? Optional.empty()
        : Optional.of(all.read(Sections::redis)));
  }

  /** The models and how they are reached, for {@link ConfigLoader#load}: needs no database. */
  public static ModelAccess modelsOnly(Section root) {
    return root.verified(
        all -> new ModelAccess(all.read(ModelSections::read), all.read(Sections::upstream)));
  }
}
