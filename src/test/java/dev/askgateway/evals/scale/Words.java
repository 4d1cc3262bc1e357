package dev.askgateway.evals.scale;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The words that people of our own making write: real English ones for the most common, made-up ones for the
 * many rare. How often each comes falls with its rank as in a language (Zipf).
 */
final class Words {
  /** Words of content that there are. */
  static final int COUNT = 20_000;

  private static final double EXPONENT = 1.0;
  private static final String[] SMALL =
      ("the i you to and a it of is in that we for on are so be have this was not with but just my at do"
              + " what can will me if your there all when they one from")
          .split(" ");
  private static final Set<String> SMALL_ONES = Set.of(SMALL);
  private static final String[] COMMON =
      ("time work home dinner today meeting morning train house car phone week money food school party friend"
              + " lunch office call night book coffee flight hotel ticket doctor photo music game movie weekend"
              + " birthday email project price family kids garden beach summer winter rain bus airport holiday"
              + " team client invoice contract draft report budget kitchen bathroom rent landlord neighbour dog cat"
              + " gym yoga running bike match score recipe pasta salad cake wine beer market shop delivery"
              + " parcel order return size shoes jacket dress wedding gift present card bank account transfer"
              + " password laptop screen printer server code release bug design logo website")
          .split(" ");
  private static final String[] SYLLABLES =
      ("ba be bo da de do ka ke ko la le lo ma me mo na ne no pa pe po ra re ro sa so ta te to va ve vo"
              + " bri cla dro fle gri pla sko tru zan mil tor")
          .split(" ");

  private final List<String> ranked;
  private final double[] cumulated = new double[COUNT];

  Words(long seed) {
    Random random = new Random(seed);
    Set<String> all = new LinkedHashSet<>(List.of(COMMON));
    while (all.size() < COUNT) {
      StringBuilder word = new StringBuilder();
      for (int syllables = 2 + random.nextInt(3); syllables > 0; syllables--) {
        word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
      }
      all.add(word.append("xz".charAt(random.nextInt(2))).toString()); // no ending of the stemmer's
    }
    ranked = new ArrayList<>(all);
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
      sum += 1 / Math.pow(i + 3, EXPONENT);
      cumulated[i] = sum;
    }
  }

  /** A word of content by how common it is, 0 the most. */
  String ranked(int rank) {
    return ranked.get(rank);
  }

  boolean isSmall(String word) {
    return SMALL_ONES.contains(word);
  }

  String small(Random random) {
    return SMALL[random.nextInt(SMALL.length)];
  }

  /** A word of content, common ones more often. */
  String any(Random random) {
    double wanted = random.nextDouble() * cumulated[COUNT - 1];
    int at = java.util.Arrays.binarySearch(cumulated, wanted);
    return ranked.get(Math.min(COUNT - 1, at < 0 ? -at - 1 : at));
  }
}
