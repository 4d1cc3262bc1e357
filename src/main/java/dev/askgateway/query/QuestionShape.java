package dev.askgateway.query;

import java.util.regex.Pattern;

/** Shapes of questions that are answered from a chronological stretch rather than by ranking. */
public final class QuestionShape {
  private static final Pattern CATCH_UP = Pattern.compile(
      "\\b(?:summari[sz]e|summary|recap|catch (?:me )?up|what did i miss|what have i missed|what'?s new"
          + "|whats new|what'?s been happening|resume|resumen|resumir|al dia|que me perdi)\\b");
  private static final Pattern OWN_WORDS = Pattern.compile(
      "\\b(?:did|have) i (?:say|said|write|written|tell|told|send|sent|text|promise|promised|mention|mentioned)\\b"
          + "|\\bi (?:said|wrote|told|sent|texted|promised)\\b|\\bdije\\b|\\bescribi\\b|\\bprometi\\b");

  private QuestionShape() {}

  /** Whether it asks to be caught up: the newest messages answer it. */
  public static boolean isCatchUp(String question) {
    return CATCH_UP.matcher(FoldedText.of(question)).find();
  }

  /** Whether it asks for what the person wrote. */
  public static boolean asksForOwnWords(String question) {
    return OWN_WORDS.matcher(FoldedText.of(question)).find();
  }
}
