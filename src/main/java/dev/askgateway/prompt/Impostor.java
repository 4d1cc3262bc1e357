package dev.askgateway.prompt;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Names that look like the person's own, or like one who takes part in a talk with a model. */
final class Impostor {
  private static final Set<String> TAKEN = Set.of(
      "you",
      "me",
      "i",
      "system",
      "developer",
      "assistant",
      "user",
      "human",
      "ai",
      "model",
      "tool",
      "function",
      "evidence",
      "question",
      "now");

  /** Cyrillic, Greek and Armenian letters that look like Latin ones, each above the one it looks like. */
  private static final String LOOKS = "аевсԁіјкмноոрԛѕтυսѵԝхуγοαιερτνν";

  private static final String LIKE = "aebcdijkmhonpqstuuvwxyyoaieptvv";
  private static final Pattern MARKS = Pattern.compile("\\p{M}+");
  private static final Pattern FIRST_END = Pattern.compile("[^\\p{L}\\p{M}\\p{N}._'-]");
  private static final Pattern NO_LETTER = Pattern.compile("[^\\p{L}]+");

  private Impostor() {}

  /** Whether the name, or the first word of it, is such a one. */
  static boolean is(String name) {
    String plain = Normalizer.normalize(name, Normalizer.Form.NFKD).strip();
    return TAKEN.contains(letters(plain)) || TAKEN.contains(letters(FIRST_END.split(plain, 2)[0]));
  }

  private static String letters(String text) {
    String bare = NO_LETTER.matcher(MARKS.matcher(text).replaceAll("")).replaceAll("");
    StringBuilder latin = new StringBuilder();
    for (char letter : bare.toLowerCase(Locale.ROOT).toCharArray()) {
      int at = LOOKS.indexOf(letter);
      latin.append(at < 0 ? letter : LIKE.charAt(at));
    }
    return latin.toString();
  }
}
