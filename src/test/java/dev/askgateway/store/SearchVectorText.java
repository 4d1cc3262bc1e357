package dev.askgateway.store;

import java.util.Arrays;

/** Vectors as SQL text, without the checks of the production form. */
final class SearchVectorText {
  private SearchVectorText() {}

  static String of(float[] values) {
    return Arrays.toString(values).replace(" ", "");
  }
}
