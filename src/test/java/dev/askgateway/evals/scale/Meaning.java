package dev.askgateway.evals.scale;

import java.util.Random;

/**
 * Vectors with the shape of real ones: topics lie in areas, and what is said of a topic spreads along few
 * directions of its own and a little along all. So near neighbours are of one topic, and
 * differ among themselves. Topics are islands, more than those of real texts: the hard case of a graph of
 * neighbours.
 */
final class Meaning {
  static final int DIMENSIONS = 384;
  static final int TOPICS = 2_000;

  private static final int AREAS = 60;
  private static final int DIRECTIONS = 12;
  private static final double TOPIC_IN_AREA = 0.9;
  private static final double SPREAD = 0.6;
  private static final double NOISE = 0.35;

  private final float[][] centres = new float[TOPICS][];
  private final float[][][] directions = new float[TOPICS][DIRECTIONS][];

  Meaning(long seed) {
    Random random = new Random(seed);
    float[][] areas = new float[AREAS][];
    for (int i = 0; i < AREAS; i++) {
      areas[i] = direction(random);
    }
    for (int topic = 0; topic < TOPICS; topic++) {
      centres[topic] = areas[random.nextInt(AREAS)].clone();
      add(centres[topic], direction(random), TOPIC_IN_AREA);
      normalise(centres[topic]);
      for (int i = 0; i < DIRECTIONS; i++) {
        directions[topic][i] = direction(random);
      }
    }
  }

  /** Something said of a topic, always the same for a seed. */
  float[] of(int topic, long seed) {
    Random random = new Random(seed);
    float[] vector = centres[topic].clone();
    for (float[] direction : directions[topic]) {
      add(vector, direction, random.nextGaussian() * SPREAD / Math.sqrt(DIRECTIONS));
    }
    add(vector, direction(random), NOISE);
    return normalise(vector);
  }

  /** What asks for it: the same thing in other words. */
  static float[] question(float[] answer, Random random) {
    float[] vector = answer.clone();
    add(vector, direction(random), 0.5);
    return normalise(vector);
  }

  private static float[] direction(Random random) {
    float[] vector = new float[DIMENSIONS];
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return normalise(vector);
  }

  private static void add(float[] to, float[] what, double weight) {
    for (int i = 0; i < to.length; i++) {
      to[i] += (float) (weight * what[i]);
    }
  }

  private static float[] normalise(float[] vector) {
    double square = 0;
    for (float value : vector) {
      square += value * value;
    }
    float length = (float) Math.sqrt(square);
    for (int i = 0; i < vector.length; i++) {
      vector[i] /= length;
    }
    return vector;
  }
}
