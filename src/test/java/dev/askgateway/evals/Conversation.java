package dev.askgateway.evals;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** One conversation of an open data set: its turns in order, and what is asked of it. */
record Conversation(String id, List<Turn> turns, List<Question> questions) {

  /** @param text the words, with a shared picture's caption */
  record Turn(String id, int session, Instant at, String who, String text) {
    /** What plain methods index: who speaks and the words. */
    String full() {
      return who + ": " + text;
    }
  }

  /**
   * A question with its gold, in one of two forms.
   *
   * @param gold positions of the turns that hold the evidence; empty where sessions are the gold
   * @param sessions the gold sessions; empty where turns are the gold
   * @param before only earlier sessions are there when it is asked
   */
  record Question(
      String category,
      String text,
      boolean answerable,
      List<Integer> gold,
      List<Integer> sessions,
      int before) {
    boolean isMeasured() {
      return answerable && !(gold.isEmpty() && sessions.isEmpty());
    }
  }

  List<String> speakers() {
    return turns.stream().map(Turn::who).distinct().sorted().toList();
  }

  /** Positions of the turns of a session. */
  Stream<Turn> session(int session) {
    return turns.stream().filter(turn -> turn.session() == session);
  }
}
