package dev.askgateway.indexing;

import dev.askgateway.provider.Embedder;
import dev.askgateway.provider.ModelEmbedder;
import dev.askgateway.store.EmbeddingVersion;
import dev.askgateway.store.EmbeddingVersion.State;
import dev.askgateway.store.VersionRepository;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which version of the index is in service, as the database says it: every node hears of a cutover
 * within {@code indexing.versionInterval}, without a restart (spec H5). While the database is away,
 * what was last known holds.
 *
 * <p>A node that has not the model of a version leaves that version alone: it indexes nothing for it,
 * and while it is the active one searches by words only. It tells so once.
 */
public final class VersionWatch {
  private static final Logger LOG = LoggerFactory.getLogger(VersionWatch.class);

  /** A version with this node's embedder for it. */
  record Kept(EmbeddingVersion version, Embedder embedder) {}

  private final Vertx vertx;
  private final String node;
  private final VersionRepository repository;
  private final ModelEmbedder first;
  private final Map<String, ModelEmbedder> models = new LinkedHashMap<>();
  private final Duration interval;
  private volatile @Nullable Embedder searched;
  private volatile List<EmbeddingVersion> known = List.of();
  private Consumer<List<Kept>> listener = kept -> {};
  private long timer = -1;

  /** @param models those of this node; the first is what an index without vectors begins with */
  public VersionWatch(
      Vertx vertx,
      String node,
      VersionRepository repository,
      List<ModelEmbedder> models,
      Duration interval) {
    this.vertx = vertx;
    this.node = node;
    this.repository = repository;
    this.first = models.get(0);
    models.forEach(model -> this.models.put(
        EmbeddingVersion.modelKey(model.profileId(), model.model(), model.dimensions()), model));
    this.interval = interval;
  }

  /**
   * The embedder of the version in service, whose vectors are the only ones that its questions may be
   * compared with: whoever searches asks once and keeps to it. Empty: this node has not its model.
   */
  public Optional<Embedder> searched() {
    return Optional.ofNullable(searched);
  }

  /**
   * Succeeds once the version in service is known.
   *
   * @param listener hears of all versions to keep, now and whenever they change
   */
  Future<Void> start(Consumer<List<Kept>> listener) {
    this.listener = listener;
    return repository
        .adopt(first.profileId(), first.model(), first.dimensions())
        .compose(adopted -> look())
        .onSuccess(seen -> timer = vertx.setPeriodic(interval.toMillis(), tick -> look()
            .onFailure(failure -> LOG.warn(
                "The versions of the index cannot be read: code={}", Faults.code(failure)))));
  }

  /** No cutover waits for this node any more. */
  Future<Void> stop() {
    vertx.cancelTimer(timer);
    return repository.forget(node).otherwiseEmpty();
  }

  private Future<Void> look() {
    return repository.watch(node, Set.copyOf(models.keySet())).map(versions -> {
      if (!versions.equals(known)) {
        known = versions;
        apply(versions);
      }
      return null;
    });
  }

  private void apply(List<EmbeddingVersion> versions) {
    List<Kept> kept = versions.stream()
        .flatMap(version -> embedder(version).map(with -> new Kept(version, with)).stream())
        .toList();
    searched = kept.stream()
        .filter(one -> one.version.state() == State.ACTIVE)
        .map(Kept::embedder)
        .findFirst()
        .orElse(null);
    versions.forEach(this::tell);
    listener.accept(kept);
  }

  private Optional<Embedder> embedder(EmbeddingVersion version) {
    return Optional.ofNullable(models.get(version.modelKey()))
        .map(model -> model.ofVersion(version.version()));
  }

  private void tell(EmbeddingVersion version) {
    if (models.containsKey(version.modelKey())) {
      LOG.info(
          "index version {} {} of {} is {}",
          version.profileId(),
          version.version(),
          version.model(),
          version.state());
    } else if (version.state() == State.ACTIVE) {
      LOG.warn(
          "The index in service is {} {} of {}, {} numbers; no embedding_messages profile here has that model:"
              + " this node searches by words only.",
          version.profileId(),
          version.version(),
          version.model(),
          version.dimensions());
    } else {
      LOG.warn(
          "The index version {} {} of {} gets no vectors from this node, which has not its model.",
          version.profileId(),
          version.version(),
          version.model());
    }
  }
}
