package dev.askgateway.prompt;

import java.util.regex.Pattern;

/**
 * A turn of the thread as a later prompt repeats it. An answer may have quoted anything: no fence, no
 * tag, no line that reads as somebody else's turn, and no source marks, which named other windows than
 * the labels of this prompt do.
 */
final class EarlierTurn {
  private static final int MAX = 1500;

  /** Most that is looked at, in characters: marks go first, then the rest is cut. */
  private static final int MOST_READ = 2 * MAX;

  private static final Pattern LINE_END = Pattern.compile("\\R");
  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}&&[^\\n]]+");

  /** Of whatever brackets and letters that look like it. Nothing in it is gone back over. */
  private static final Pattern MARK = Pattern.compile(
      "\\s?[\\p{Ps}\\u23A1&&[^({]][\\s\\u200C\\u200D]*+(?:[SsЅѕＳｓ][\\s\\u200C\\u200D]*+\\p{Nd}++"
          + "[\\s,;\\u200C\\u200D\\p{Pd}]*+)++[\\p{Pe}\\u23A4&&[^)}]]");

  private static final Pattern SPEAKER = Pattern.compile(
      "(?im)^([ #*_]*+(?:system|developer|assistant|user|human|ai|model|tool|question|now)[*_]*+)"
          + " *+[:：]");

  private EarlierTurn() {}

  static String of(String content) {
    String lines = LINE_END.matcher(Untrusted.cut(content, MOST_READ)).replaceAll("\n");
    String text = Untrusted.harmless(CONTROLS.matcher(lines).replaceAll(" "));
    for (String before = ""; !before.equals(text); ) {
      before = text; // what is left of two nested marks may be one
      text = MARK.matcher(text).replaceAll("");
    }
    return Untrusted.cut(Untrusted.withoutBars(SPEAKER.matcher(text).replaceAll("$1 -")), MAX);
  }
}
