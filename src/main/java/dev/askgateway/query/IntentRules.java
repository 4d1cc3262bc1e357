package dev.askgateway.query;

import dev.askgateway.core.QueryPlan.Intent;
import dev.askgateway.core.QueryPlan.RequestedAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tables that tell what kind of question it is, English and Spanish, over folded text. */
final class IntentRules {
  private static final Pattern PLANS = any(
      "plans?",
      "meetings?",
      "meet(?:ing)? up",
      "meet",
      "calendar",
      "appointments?",
      "birthdays?",
      "hang(?:ing)? out",
      "link(?:ing)? up",
      "quedar",
      "quedamos",
      "vernos",
      "planes",
      "cita",
      "reunion(?:es)?",
      "cumpleanos");
  private static final Pattern RANKING = any(
      "closest",
      "my best friends?",
      "people i know",
      "who do i know",
      "my contacts",
      "my friends",
      "based in",
      "lives? in",
      "living in",
      "mas cercan[oa]s",
      "a quien conozco",
      "viven? en");
  private static final Pattern IDENTITY = Pattern.compile(
      "\\bwho(?: is| was| were|'s| are)\\b|\\b(?:girl|guy|woman|man|person)\\b[^?.!]{0,60}\\b(?:i|we)\\b"
          + "|\\bquien(?:es)? (?:es|era|fue|son)\\b");

  /** The verb that asks for an effect, in a request rather than in a story. */
  private static final Pattern ACTION = Pattern.compile(
      "(?:^|[.!?,;] ?|\\b(?:please|can you|could you|would you|can we|por favor|puedes) )"
          + "(reach out|message|send|text|email|call|remind|schedule|book|invite|reply"
          + "|envia(?:le)?|escribe(?:le)?|llama(?:le)?|recuerdame|agenda|reserva)\\b");

  private static final Map<String, String> ACTION_TYPES = Map.ofEntries(
      Map.entry("call", "call"),
      Map.entry("llama", "call"),
      Map.entry("llamale", "call"),
      Map.entry("remind", "remind"),
      Map.entry("recuerdame", "remind"),
      Map.entry("schedule", "schedule"),
      Map.entry("book", "schedule"),
      Map.entry("invite", "schedule"),
      Map.entry("agenda", "schedule"),
      Map.entry("reserva", "schedule"));

  private static final Map<Pattern, String> PLAN_STATES = new LinkedHashMap<>();

  static {
    PLAN_STATES.put(any("cancell?ed", "called off", "cancelad[oa]s?"), "cancelled");
    PLAN_STATES.put(any("confirmed", "confirmad[oa]s?"), "confirmed");
    PLAN_STATES.put(any("moved", "postponed", "rescheduled", "aplazad[oa]s?"), "changed");
    PLAN_STATES.put(any("tentative", "proposed", "propuest[oa]s?"), "proposed");
  }

  private IntentRules() {}

  private static Pattern any(String... phrases) {
    return Pattern.compile("\\b(?:" + String.join("|", phrases) + ")\\b");
  }

  /** Plans outrank people, people outrank identity, and an action alone is one. */
  static Intent intent(String folded) {
    if (requestedAction(folded) != null && !ranks(folded) && startsWithAction(folded)) {
      return Intent.ACTION_REQUEST;
    }
    if (PLANS.matcher(folded).find()) {
      return Intent.PLAN_RECALL;
    }
    if (ranks(folded)) {
      return Intent.PEOPLE_RANKING;
    }
    return IDENTITY.matcher(folded).find() ? Intent.IDENTITY_LOOKUP : Intent.CONVERSATION_QA;
  }

  private static boolean ranks(String folded) {
    return RANKING.matcher(folded).find() || RankingRules.ranks(folded);
  }

  private static boolean startsWithAction(String folded) {
    return ACTION.matcher(folded).results().anyMatch(match -> match.start() == 0);
  }

  /** The effect a question asks for besides an answer; carried out only after approval. */
  static @Nullable RequestedAction requestedAction(String folded) {
    var match = ACTION.matcher(folded);
    return match.find()
        ? new RequestedAction(ACTION_TYPES.getOrDefault(match.group(1), "message"), true)
        : null;
  }

  /** All states that a plan can name. */
  static List<String> planStates() {
    return List.copyOf(PLAN_STATES.values());
  }

  static List<String> planStatus(String folded) {
    List<String> states = new ArrayList<>();
    PLAN_STATES.forEach((words, state) -> {
      if (words.matcher(folded).find()) {
        states.add(state);
      }
    });
    return states;
  }
}
