package dev.askgateway.evals;

import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The plain methods over one conversation: BM25, exact cosine of the same model, and both by rank. */
final class Baselines implements AutoCloseable {
  private static final int RRF_K = 60;
  private static final int RRF_DEPTH = 100;
  private static final int SHORT_DEPTH = 20;

  private final VectorCache model;
  private final List<float[]> vectors;
  private final Bm25 text;

  Baselines(Conversation conversation, VectorCache model) throws Exception {
    List<String> texts =
        conversation.turns().stream().map(Conversation.Turn::full).toList();
    this.model = model;
    text = new Bm25(texts);
    vectors = new java.util.ArrayList<>();
    for (String one : texts) { // one after the other: the model's queue is bounded
      vectors.add(Lab.await(model.passages(List.of(one))).get(0));
    }
  }

  /** Positions of turns, best first, by method. */
  Map<String, int[]> ranked(String question) throws Exception {
    int[] words = text.ranked(question);
    int[] meaning = byMeaning(Lab.await(model.query(question)));
    Map<String, int[]> ranked = new LinkedHashMap<>();
    ranked.put("BM25", words);
    ranked.put("dense", meaning);
    ranked.put("RRF k60 100", fused(RRF_DEPTH, words, meaning));
    ranked.put("RRF k60 20", fused(SHORT_DEPTH, words, meaning));
    return ranked;
  }

  private int[] byMeaning(float[] question) {
    double[] cosines =
        vectors.stream().mapToDouble(vector -> dot(vector, question)).toArray();
    return order(cosines, -2);
  }

  private int[] fused(int depth, int[]... lists) {
    double[] scores = new double[vectors.size()];
    for (int[] list : lists) {
      for (int i = 0; i < Math.min(depth, list.length); i++) {
        scores[list[i]] += 1.0 / (RRF_K + i + 1);
      }
    }
    return order(scores, 0);
  }

  private static int[] order(double[] scores, double above) {
    return IntStream.range(0, scores.length)
        .filter(i -> scores[i] > above)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> -scores[i]).thenComparingInt(i -> i))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static double dot(float[] one, float[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}
