package dev.askgateway.retrieval;

import dev.askgateway.store.SearchHit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What both legs found, each message compared with the question in every way, whichever leg found it,
 * and ranked by that. Pure.
 */
final class Candidates {
  /** What the messages beside one add to its cosine, in shares of how far they are over the weakest. */
  private static final double COSINE_BESIDE = 0.3;

  /** What those one further add. */
  private static final double COSINE_NEAR = 0.15;

  /** What the share of words counts beside a cosine as evidence, and who wrote it. */
  private static final double SHARE_WEIGHT = 0.1;

  private static final double SPEAKER_WEIGHT = 0.01;

  /** What counts how far the best stands out, and over which places of the list. */
  private static final double OUTSTANDING = 0.5;

  private static final int REST_FROM = Floors.FEW;
  private static final int REST_TO = 60;

  private final Legs legs;
  private final Speakers speakers;
  private final Signs signs;
  private final RetrievalConfig config;
  private final Map<UUID, SearchHit.Compared> messages = new LinkedHashMap<>();
  private final Map<UUID, SearchHit.Lexical> byWords = new HashMap<>();
  private final List<Retrieved.Ranked> ranked;

  /** @param compared what is known of the messages that the legs found */
  Candidates(
      Legs legs, List<SearchHit.Compared> compared, String question, RetrievalConfig config) {
    this.legs = legs;
    this.speakers = new Speakers(question);
    this.signs = new Signs(
        question,
        compared.stream()
            .map(message -> message.written().at())
            .max(Comparator.naturalOrder())
            .orElse(Instant.EPOCH));
    this.config = config;
    compared.forEach(message -> messages.put(message.messageId(), message));
    Stream.concat(legs.liftedLexical().stream(), legs.lexical().stream())
        .forEach(hit -> byWords.put(hit.messageId(), hit));
    this.ranked = rank();
  }

  /** Best first. */
  List<Retrieved.Ranked> ranked() {
    return ranked;
  }

  /**
   * How well the best message fits the question: its cosine, with a little for its words and its sender,
   * and how far that stands out over the many that are only about the same things. 0 without candidates.
   */
  double evidence() {
    double[] fits = ranked.stream().mapToDouble(this::fit).sorted().toArray();
    if (fits.length == 0) {
      return 0;
    }
    double best = fits[fits.length - 1];
    int to = Math.max(1, fits.length - REST_FROM);
    double rest =
        Arrays.stream(fits, Math.max(0, fits.length - REST_TO), to).average().orElse(best);
    return best + OUTSTANDING * (best - rest);
  }

  private double fit(Retrieved.Ranked hit) {
    return (hit.cosine() == null ? 0 : hit.cosine())
        + SHARE_WEIGHT * hit.share()
        + (speakers.name(message(hit.messageId())) ? SPEAKER_WEIGHT : 0);
  }

  private List<Retrieved.Ranked> rank() {
    Map<UUID, Double> fused = RankFusion.fuse(
        config.rrfK(),
        List.of(
            new RankFusion.Ranking<>(known(ids(legs.lexical())), 1),
            new RankFusion.Ranking<>(byMeaning(), 1),
            new RankFusion.Ranking<>(known(ids(legs.liftedLexical())), config.preferredWeight()),
            new RankFusion.Ranking<>(known(ids(legs.liftedVector())), config.preferredWeight())));
    Talks talks = new Talks(fused, this::message);
    return fused.entrySet().stream()
        .map(entry -> ranked(message(entry.getKey()), entry.getValue(), talks))
        .sorted(Comparator.comparingDouble(Retrieved.Ranked::score).reversed()) // stable
        .toList();
  }

  private Retrieved.Ranked ranked(SearchHit.Compared message, double fused, Talks talks) {
    SearchHit.Lexical words = byWords.get(message.messageId());
    double share = words == null ? 0 : words.share();
    double lift = speakers.name(message) ? 1 + config.speakerLift() : 1;
    return new Retrieved.Ranked(
        message.messageId(),
        fused * lift * signs.lift(message.written(), share, talks.share(message)),
        message.cosine(),
        share);
  }

  /** All candidates that have a vector, by their cosine and those beside them. */
  private List<UUID> byMeaning() {
    double weakest = legs.vector().stream()
        .mapToDouble(SearchHit.Vector::cosine)
        .min()
        .orElse(Double.NEGATIVE_INFINITY);
    Map<UUID, Double> over = new LinkedHashMap<>();
    messages.values().stream()
        .filter(message -> message.cosine() != null)
        .forEach(message -> over.put(message.messageId(), over(message.cosine(), weakest)));
    Map<UUID, Double> spread = new LinkedHashMap<>();
    over.forEach((id, value) ->
        spread.put(id, value + COSINE_BESIDE * beside(id, over) + COSINE_NEAR * near(id, over)));
    Comparator<UUID> best = Comparator.comparing(spread::get, Comparator.reverseOrder());
    return spread.keySet().stream()
        .sorted(best.thenComparing(id -> cosine(id), Comparator.reverseOrder())
            .thenComparing(UUID::toString))
        .toList();
  }

  private static double over(@Nullable Double cosine, double weakest) {
    return cosine == null ? 0 : Math.max(0, cosine - weakest);
  }

  private double cosine(UUID id) {
    Double cosine = message(id).cosine();
    return cosine == null ? 0 : cosine;
  }

  private double beside(UUID id, Map<UUID, Double> values) {
    SearchHit.Compared message = message(id);
    return value(message.beforeId(), values) + value(message.afterId(), values);
  }

  /** Two before and two after, as far as those between were found too. */
  private double near(UUID id, Map<UUID, Double> values) {
    SearchHit.Compared before = found(message(id).beforeId());
    SearchHit.Compared after = found(message(id).afterId());
    return (before == null ? 0 : value(before.beforeId(), values))
        + (after == null ? 0 : value(after.afterId(), values));
  }

  private SearchHit.@Nullable Compared found(@Nullable UUID id) {
    return id == null ? null : messages.get(id);
  }

  private static double value(@Nullable UUID id, Map<UUID, Double> values) {
    return id == null ? 0 : values.getOrDefault(id, 0.0);
  }

  private SearchHit.Compared message(UUID id) {
    SearchHit.Compared message = messages.get(id);
    if (message == null) {
      throw new IllegalStateException("a candidate that was not compared");
    }
    return message;
  }

  /** Without what was deleted between two statements. */
  private List<UUID> known(List<UUID> ids) {
    return ids.stream().filter(messages::containsKey).toList();
  }

  private static List<UUID> ids(List<? extends SearchHit> hits) {
    return new ArrayList<>(hits.stream().map(SearchHit::messageId).toList());
  }
}
