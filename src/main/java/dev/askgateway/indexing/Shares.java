package dev.askgateway.indexing;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Splits what a call used among its parts: whole tokens, in proportion, in all what there was. */
final class Shares {
  private Shares() {}

  /**
   * The shares in the order of the weights, each less than one token from its exact one.
   *
   * @param total not negative
   * @param weights at least one, all positive
   */
  static List<Long> of(long total, List<Integer> weights) {
    BigInteger sum =
        BigInteger.valueOf(weights.stream().mapToLong(Integer::longValue).sum());
    List<Long> shares = new ArrayList<>();
    List<BigInteger> rests = new ArrayList<>();
    for (int weight : weights) {
      BigInteger[] exact =
          BigInteger.valueOf(total).multiply(BigInteger.valueOf(weight)).divideAndRemainder(sum);
      shares.add(exact[0].longValueExact());
      rests.add(exact[1]);
    }
    long left = total - shares.stream().mapToLong(Long::longValue).sum();
    // What was cut off is given back where most of it was.
    IntStream.range(0, shares.size())
        .boxed()
        .sorted(Comparator.comparing((Integer place) -> rests.get(place)).reversed())
        .limit(left)
        .forEach(place -> shares.set(place, shares.get(place) + 1));
    return shares;
  }
}
