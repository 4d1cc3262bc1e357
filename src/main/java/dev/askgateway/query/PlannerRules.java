package dev.askgateway.query;

import dev.askgateway.core.QueryPlan.Person;
import dev.askgateway.core.QueryPlan.Reason;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides whether a question is beyond the tables, and why (spec E13). Careful: most are not. */
final class PlannerRules {
  private static final String ASKS =
      "(?:what|who|when|where|why|which|how|que|quien|cuando|donde|por que|cual|como)";
  private static final Pattern COMPOUND = Pattern.compile("\\b" + ASKS
      + "\\b.{3,}(?:[?;.,]\\s*(?:and |y )?|\\b(?:and|y) (?:also |then |tambien )?)" + ASKS
      + " (?:did|does|do|is|was|were|are|will|has|have|else|dijo|dije|es|fue|era|quedamos)\\b");
  private static final Pattern NEGATION = Pattern.compile(
      "\\b(?:except|excluding|other than|besides|apart from|but not|not in|not on|not from|excepto|salvo"
          + "|menos en|que no sea)\\b"
          + "|\\b(?:who|which|anyone|anybody|people|friends|contacts|chats|that) (?:i |we )?(?:have|has|had|did|do|does)"
          + "(?:n't| not|nt| never)\\b"
          + "|\\bnever (?:replied|answered|responded|texted|wrote)\\b|\\b(?:quien(?:es)?|que) (?:no|nunca) (?:me )?"
          + "(?:ha|han|respondi|contest|escribi)");
  private static final Pattern COMPARISON = Pattern.compile(
      "\\bcompar(?:e|ed|ing|a|ar|ado)\\b|\\b(?:versus|vs)\\b|\\bdifferen(?:ce|t) (?:between|from)\\b"
          + "|\\bdiferencia entre\\b|\\b(?:more|less|fewer) (?:\\p{L}+ )?(?:often )?than\\b(?! (?:a|an|one|\\d))"
          + "|\\b(?:mas|menos) (?:\\p{L}+ )?que (?:el|la|en|con)\\b");
  private static final Pattern EACH_PERSON =
      Pattern.compile("\\b(?:respectively|each of them|cada un[oa])\\b");

  private PlannerRules() {}

  /** Null when the tables represent the question. */
  static @Nullable Reason reason(String folded, boolean severalTimes, List<Person> people) {
    if (NEGATION.matcher(folded).find()) {
      return Reason.NEGATION;
    }
    if (COMPARISON.matcher(folded).find()) {
      return Reason.COMPARISON;
    }
    if (people.size() > 1 && (severalTimes || EACH_PERSON.matcher(folded).find())) {
      return Reason.SEVERAL_PEOPLE;
    }
    if (COMPOUND.matcher(folded).find()) {
      return Reason.COMPOUND;
    }
    return severalTimes ? Reason.SEVERAL_TIMES : null;
  }
}
