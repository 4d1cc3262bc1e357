package dev.askgateway.retrieval.route;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.query.FoldedText;
import dev.askgateway.query.QuestionShape;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Whose own words a question asks for: "what did Ana say", not "where does Ana live", which anybody may
 * tell. What is left out by name or weighed against others is no limit.
 */
final class SpeakerNames {
  private static final String AUXILIARY = "(?:did|does|has|have|had|is|was)";
  private static final String SAY =
      "(?:say|says|saying|said|tell|tells|telling|told|write|writes|writing|wrote|written|text|texts|texted|send|sends"
          + "|sending|sent|mention|mentions|mentioned|ask|asks|asking|asked|reply|replied|answer|answered|promise"
          + "|promised|recommend|recommended|suggest|suggested)";
  private static final String TOLD =
      "(?:said|says|told|tells|wrote|texted|sent|mentioned|asked|replied|answered|promised|recommended|suggested)";
  private static final String DIJO =
      "(?:dijo|dice|conto|cuenta|escribio|pregunto|pidio|recomendo|prometio|menciono|mando|envio|respondio|contesto"
          + "|sugirio)";
  private static final String BESIDE = "(?:[\\p{L}'-]+ ){1,3}(?:and|or|y|o) ";
  private static final String MORE = "(?: (?:and|or|y|o) [\\p{L}'-]+(?: [\\p{L}'-]+)?)?";

  private SpeakerNames() {}

  /** The names of {@link QueryPlan#people} who speak, as the plan has them. */
  static List<String> of(String question, QueryPlan plan) {
    if (plan.needsPlanner() != null || QuestionShape.asksForOwnWords(question)) {
      return List.of();
    }
    String folded = FoldedText.of(question);
    return plan.people().stream()
        .map(QueryPlan.Person::name)
        .filter(name -> !name.isBlank() && speaks(folded, Pattern.quote(FoldedText.of(name))))
        .toList();
  }

  private static boolean speaks(String folded, String name) {
    return Pattern.compile("\\b" + AUXILIARY + " (?:" + BESIDE + ")?" + name + MORE
            + " (?:ever |also |just |really )?" + SAY + "\\b"
            + "|\\b" + name + MORE + " (?:has |had )?" + TOLD + "\\b"
            + "|\\b(?:messages?|texts?|mensajes?) (?:from|by|de) (?:" + BESIDE + ")?" + name + "\\b"
            + "|\\b(?:dijo|dijeron|conto|escribio|pregunto|pidio|recomendo|prometio|menciono|mando|envio|respondio|contesto"
            + "|sugirio) (?:" + BESIDE + ")?" + name + "\\b"
            + "|\\b" + name + MORE + " (?:me |te |nos |le |les )?" + DIJO + "\\b")
        .matcher(folded)
        .find();
  }
}
