package dev.askgateway.query;

import java.util.List;
import java.util.regex.Pattern;

/** Shapes of questions that are answered from a chronological stretch rather than by ranking. */
public final class QuestionShape {
  private static final Pattern CATCH_UP = Pattern.compile(
      "\\b(?:summari[sz]e|summary|recap|catch (?:me )?up|what did i miss|what have i missed|what'?s new"
          + "|whats new|what'?s been happening|resume|resumen|resumir|al dia|que me perdi)\\b");
  private static final Pattern OWN_WORDS = Pattern.compile(
      "\\b(?:did|have) i (?:say|said|write|written|tell|told|send|sent|text|promise|promised|mention|mentioned)\\b"
          + "|\\bi (?:said|wrote|told|sent|texted|promised)\\b|\\bdije\\b|\\bescribi\\b|\\bprometi\\b");

  private static final Pattern MESSAGES = Pattern.compile(
      "\\b(?:say|says|said|tell|tells|told|mention(?:s|ed)?|write|writes|wrote|written|text(?:s|ed)?|talk(?:ed)?"
          + "|send|sent|ask(?:ed)?|repl(?:y|ied)|messages?|chats?|news?|dijo|dije|dijimos|hablamos|hable|conto"
          + "|escribio|pregunto|mensajes?)\\b");
  private static final Pattern PAST = Pattern.compile(
      "\\b(?:yesterday|last|past|previous|ago|since|before|until|till|ayer|anteayer|antier|hace|desde|hasta"
          + "|pasad[oa]|ultim[oa]s?)\\b");

  private static final Pattern WAS = Pattern.compile(
      "\\b(?:was|were|had|went|met|happened|came|saw|ate|did|used to|fue|fui|fuimos|estuvo|vi|vimos|paso"
          + "|conoci)\\b");

  private static final Pattern WHEN = Pattern.compile(
      "\\b(?:when|since when|how long|what (?:year|month|day|date|time)|which (?:year|month|day)|cuando|que dia"
          + "|desde cuando|cuanto tiempo)\\b");

  /** Beside the words for time of a question: what a message tells a time with. */
  private static final Pattern TELLS_TIME = Pattern.compile(
      "\\b(?:ago|year|years|night|morning|evening|weekend|just|january|february|march|april|june|july|august"
          + "|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto"
          + "|septiembre|octubre|noviembre|diciembre|ano|anos|noche|\\d{4}|\\d{1,2}(?:[:/]\\d{2}|[ap]m))\\b");

  private QuestionShape() {}

  /** Whether it asks for a time: "When did Ana move?" */
  public static boolean asksWhen(String question) {
    return WHEN.matcher(FoldedText.of(question)).find();
  }

  /** Whether a text tells a time in words or numbers: "last week", "in May 2023", "at 18:30". */
  public static boolean namesTime(String text) {
    String folded = FoldedText.of(text);
    return TELLS_TIME.matcher(folded).find()
        || FoldedText.words(folded).stream().anyMatch(StopWords::isTime);
  }

  /** Whether it asks for what was said, rather than for what happened; over folded text. */
  static boolean isAboutMessages(String folded) {
    return MESSAGES.matcher(folded).find() || CATCH_UP.matcher(folded).find();
  }

  /**
   * Whether a day in the question may be that of an event as well as that of the messages: "where did
   * we eat on Saturday", unlike "what did Ana say on Saturday" and "what happened yesterday".
   */
  public static boolean leavesDayOpen(String question) {
    String folded = FoldedText.of(question);
    return !isAboutMessages(folded) && !PAST.matcher(folded).find();
  }

  /**
   * Whether it asks for what was rather than for what is: "what did Ana paint", unlike "what does she paint"
   * and "what is next". Of several sentences those count that end as questions.
   */
  public static boolean asksOfThePast(String question) {
    List<String> sentences = Sentences.of(FoldedText.of(question));
    List<String> asking =
        sentences.stream().filter(sentence -> sentence.contains("?")).toList();
    return (asking.isEmpty() ? sentences : asking)
        .stream().anyMatch(sentence -> WAS.matcher(sentence).find());
  }

  /** Whether it asks to be caught up: the newest messages answer it. */
  public static boolean isCatchUp(String question) {
    return CATCH_UP.matcher(FoldedText.of(question)).find();
  }

  /** Whether it asks for what the person wrote. */
  public static boolean asksForOwnWords(String question) {
    return OWN_WORDS.matcher(FoldedText.of(question)).find();
  }
}
