package dev.askgateway.query;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A question in the form that the word tables are written in: lower case, no accents, one blank. */
public final class FoldedText {
  private static final Pattern MARKS = Pattern.compile("\\p{Mn}+");
  private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Z}]+");
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*");

  private FoldedText() {}

  /** "Qué dijo Ana el SÁBADO?" gives "que dijo ana el sabado?"; curly apostrophes become straight. */
  public static String of(String text) {
    String bare = MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFD)).replaceAll("");
    return BLANKS
        .matcher(bare.replace('’', '\'').toLowerCase(Locale.ROOT))
        .replaceAll(" ")
        .strip();
  }

  /** The words of a folded text, in order. */
  public static List<String> words(String folded) {
    List<String> words = new ArrayList<>();
    for (Matcher word = WORD.matcher(folded); word.find(); ) {
      words.add(word.group());
    }
    return words;
  }
}
