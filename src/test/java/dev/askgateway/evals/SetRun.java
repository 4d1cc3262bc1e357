package dev.askgateway.evals;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.evals.Conversation.Question;
import dev.askgateway.evals.Conversation.Turn;
import dev.askgateway.retrieval.Retrieved;
import dev.askgateway.store.IngestRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * One data set through the product, beside the plain methods. Each conversation is one person with one
 * chat; a question is asked when the sessions before it are there.
 */
final class SetRun {
  static final String PRODUCT = "product";
  private static final int AROUND = 2;
  private static final int WINDOWS = 4;
  private static final int DEPTH = 100;

  final Measures measures = new Measures();
  final OffTopic offTopic = new OffTopic();
  private final Lab lab;
  private final DataSet data;
  private long asked;
  private long nanos;

  SetRun(Lab lab, DataSet data) {
    this.lab = lab;
    this.data = data;
  }

  void run() throws Exception {
    for (int i = 0; i < data.conversations().size(); i++) {
      Conversation conversation = data.conversations().get(i);
      try (Baselines plain = new Baselines(conversation, lab.embedder)) {
        one(conversation, plain, data.offTopic(i));
      }
    }
  }

  /** Milliseconds of a question from its text to its pack, the mean; the vector may be a kept one. */
  double millis() {
    return nanos / 1e6 / asked;
  }

  private void one(Conversation conversation, Baselines plain, List<String> strange)
      throws Exception {
    UserId user = new UserId(data.name() + "-" + conversation.id());
    List<Question> questions = new ArrayList<>(conversation.questions());
    questions.sort(Comparator.comparingInt(Question::before)); // stable
    List<Integer> sessions =
        conversation.turns().stream().map(Turn::session).distinct().sorted().toList();
    int there = 0;
    Map<UUID, Integer> positions = new HashMap<>();
    Instant now = Instant.EPOCH;
    for (Question question : questions) {
      List<Turn> fresh = new ArrayList<>();
      while (there < sessions.size() && sessions.get(there) < question.before()) {
        conversation.session(sessions.get(there++)).forEach(fresh::add);
      }
      if (!fresh.isEmpty()) {
        lab.ingest(user, fresh.stream().map(turn -> message(conversation, turn)).toList());
        positions = positions(user, conversation);
        now = fresh.get(fresh.size() - 1).at().plus(Duration.ofDays(1));
      }
      Retrieved found = ask(user, question.text(), now);
      offTopic.add(question.answerable() ? OffTopic.ANSWERABLE : OffTopic.ADVERSARIAL, found);
      if (question.isMeasured()) {
        product(conversation, question, found, positions);
        for (var method : plain.ranked(question.text()).entrySet()) {
          add(
              method.getKey(),
              conversation,
              question,
              method.getValue(),
              Rank.windows(method.getValue(), conversation, AROUND, WINDOWS, DEPTH));
        }
      }
    }
    for (String question : strange) {
      offTopic.add(OffTopic.OFF_TOPIC, ask(user, question, now));
    }
  }

  private Retrieved ask(UserId user, String question, Instant at) throws Exception {
    long begin = System.nanoTime();
    Retrieved found = lab.ask(user, question, at, ZoneOffset.UTC, Scope.GLOBAL);
    nanos += System.nanoTime() - begin;
    asked++;
    return found;
  }

  private IngestRepository.Message message(Conversation conversation, Turn turn) {
    return new IngestRepository.Message(
        data.name(),
        conversation.id(),
        conversation.id(),
        false,
        turn.id(),
        turn.at(),
        turn.who(),
        turn.who(),
        false,
        turn.text(),
        null,
        null,
        null,
        false);
  }

  private Map<UUID, Integer> positions(UserId user, Conversation conversation) throws Exception {
    Map<String, Integer> byId = new HashMap<>();
    for (int i = 0; i < conversation.turns().size(); i++) {
      byId.put(conversation.turns().get(i).id(), i);
    }
    Map<UUID, Integer> positions = new HashMap<>();
    lab.ids(user, false).forEach((id, name) -> positions.put(id, byId.get(name)));
    return positions;
  }

  private void product(
      Conversation conversation, Question question, Retrieved found, Map<UUID, Integer> positions) {
    int[] ranked =
        found.ranking().stream().mapToInt(hit -> positions.get(hit.messageId())).toArray();
    Set<Integer> shown = found.windows().stream()
        .flatMap(window -> window.messages().stream())
        .map(EvidenceMessage::id)
        .map(positions::get)
        .collect(Collectors.toSet());
    add(PRODUCT, conversation, question, ranked, shown);
    if (!question.gold().isEmpty()) {
      boolean refused = found.pack().isEmpty();
      Set<Integer> packed = refused ? Set.of() : shown;
      Map<String, Double> more = new LinkedHashMap<>();
      more.put("over floor", refused ? 0.0 : 1.0);
      more.put("4win+floor", Rank.coverage(packed, question.gold()));
      more.put(
          "4win of +-2",
          Rank.coverage(
              Rank.windows(ranked, conversation, AROUND, WINDOWS, DEPTH), question.gold()));
      measures.add(PRODUCT, question.category(), more);
    }
  }

  private void add(
      String method,
      Conversation conversation,
      Question question,
      int[] ranked,
      Set<Integer> shown) {
    Map<String, Double> values = new LinkedHashMap<>();
    if (!question.sessions().isEmpty()) {
      int[] sessions = Arrays.stream(ranked)
          .map(turn -> conversation.turns().get(turn).session())
          .filter(session -> session < question.before())
          .distinct()
          .toArray();
      for (int k : new int[] {1, 3, 5, 10}) {
        values.put("R@" + k, Rank.recall(sessions, question.sessions(), k));
      }
      values.put("MRR", Rank.reciprocal(sessions, question.sessions()));
      values.put("nDCG@10", Rank.ndcg(sessions, question.sessions(), 10));
    } else if (question.gold().size() > 1 && question.category().equals("specific")) {
      values.put("P@5", Rank.precision(ranked, question.gold(), 5));
      values.put("P@10", Rank.precision(ranked, question.gold(), 10));
      values.put("MRR", Rank.reciprocal(ranked, question.gold()));
      values.put(
          "any win", new HashSet<>(question.gold()).stream().anyMatch(shown::contains) ? 1.0 : 0);
      values.put("span cov", Rank.coverage(shown, question.gold()));
      values.put("turns", (double) shown.size());
    } else {
      for (int k : new int[] {5, 10, 20}) {
        values.put("R@" + k, Rank.recall(ranked, question.gold(), k));
      }
      values.put("MRR", Rank.reciprocal(ranked, question.gold()));
      values.put("nDCG@10", Rank.ndcg(ranked, question.gold(), 10));
      values.put("4win", Rank.coverage(shown, question.gold()));
      values.put("turns", (double) shown.size());
    }
    measures.add(method, question.category(), values);
  }
}
