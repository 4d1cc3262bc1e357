package dev.askgateway.query;

import dev.askgateway.core.QueryPlan.Person;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The people a question is about: names by their capitals, or in a question without any by the words
 * around them ("did ana say"), and descriptions ("the Russian girl I talked about").
 */
final class PersonRules {
  private static final int MAX = 8;

  private static final Pattern NAME = Pattern.compile(
      "(?<![\\p{L}\\p{N}#@])\\p{Lu}[\\p{L}\\p{M}]*(?:[-'\u2019]\\p{Lu}[\\p{L}\\p{M}]*)*(?: \\p{Lu}[\\p{L}\\p{M}]+)*");

  private static final String SPOKE =
      "say|tell|write|text|send|mention|ask|reply|talk|think|want|promise|recommend|suggest|know";
  private static final Pattern PLAIN_NAME = Pattern.compile(
      "\\b(?:did|does|has|is) ([a-z]{3,20})(?: and ([a-z]{3,20}))? (?:" + SPOKE + ")\\b"
          + "|\\b(?:dijo|conto|escribio|pregunto|recomendo) ([a-z]{3,20})(?: y ([a-z]{3,20}))?\\b");

  private static final String NOUN_EN =
      "girl|guy|woman|man|person|lady|boy|dude|couple|friend|colleague|coworker|neighbou?r|doctor|dentist"
          + "|plumber|electrician|teacher|lawyer|landlord|driver|cousin|roommate";
  private static final String NOUN_ES =
      "chica|chico|mujer|hombre|persona|senora|senor|tipo|amig[oa]|vecin[oa]|doctora?|dentista|plomero"
          + "|electricista|maestr[oa]|abogad[oa]|prim[oa]|coleg[oa]";
  private static final Pattern DESCRIBED_EN =
      Pattern.compile("\\b(?:the|that|a|an|this) ((?:[\\p{L}-]+ ){0,3}?)(" + NOUN_EN
          + ")(?= (?:i|we|who|that|from|with|whom)\\b|[?.!,]|$)");
  private static final Pattern DESCRIBED_ES = Pattern.compile(
      "\\b(?:el|la|un|una|ese|esa) (" + NOUN_ES + ")((?: (?!de\\b|que\\b|con\\b)[\\p{L}-]+){0,2})"
          + "(?= (?:de (?:la|el|quien)|del|que|con)\\b|[?.!,]|$)");

  private static final Set<String> NO_PEOPLE = Set.of(
      "january",
      "february",
      "march",
      "april",
      "may",
      "june",
      "july",
      "august",
      "september",
      "october",
      "november",
      "december",
      "enero",
      "febrero",
      "marzo",
      "abril",
      "mayo",
      "junio",
      "julio",
      "agosto",
      "septiembre",
      "octubre",
      "noviembre",
      "diciembre",
      "christmas",
      "easter",
      "halloween",
      "thanksgiving",
      "navidad",
      "english",
      "spanish",
      "google",
      "facebook",
      "twitter",
      "mom",
      "dad",
      "ai",
      "ok");

  private PersonRules() {}

  /** @param chats names of chats, which are no people of their own */
  static List<Person> people(String question, List<String> chats) {
    Set<Person> people = new LinkedHashSet<>();
    Set<String> names = names(question);
    chats.forEach(chat -> Arrays.stream(chat.split(" (?:and|y) ")).forEach(names::remove));
    names.forEach(name -> people.add(new Person(name, List.of(), null)));
    people.addAll(described(question));
    return people.stream().limit(MAX).toList();
  }

  private static Set<String> names(String question) {
    Set<String> names = new LinkedHashSet<>();
    boolean capitals = false;
    for (Matcher match = NAME.matcher(question); match.find(); ) {
      boolean first = isSentenceStart(question, match.start());
      capitals |= !first;
      String name = first ? afterFirstWord(question, match.group(), match.end()) : match.group();
      if (!name.isEmpty() && isName(name)) {
        names.add(name);
      }
    }
    if (!capitals && names.isEmpty()) {
      plainNames(question, names);
    }
    return names;
  }

  private static boolean isSentenceStart(String question, int at) {
    String before = question.substring(0, at).stripTrailing();
    return before.isEmpty()
        || ".?!\u00bf\u00a1:\"".indexOf(before.charAt(before.length() - 1)) >= 0;
  }

  /** The first word of a sentence has a capital anyway: it is a name when a verb of a person follows. */
  private static String afterFirstWord(String question, String run, int end) {
    String rest = FoldedText.of(question.substring(end, Math.min(question.length(), end + 20)));
    if (rest.matches(
        "(?:'s |said |told |wrote |asked |and \\p{L}+ (?:said|told)|dijo |y \\p{L}+ dij).*")) {
      return run;
    }
    int blank = run.indexOf(' ');
    return blank < 0 ? "" : run.substring(blank + 1);
  }

  private static boolean isName(String name) {
    String folded = FoldedText.of(name);
    boolean allCapitals = name.length() > 1 && name.equals(name.toUpperCase(java.util.Locale.ROOT));
    return name.length() > 1
        && !allCapitals
        && !Places.isPlace(folded)
        && FoldedText.words(folded).stream()
            .noneMatch(word ->
                StopWords.isStop(word) || StopWords.isTime(word) || NO_PEOPLE.contains(word))
        && ChatRules.platforms("on " + folded).isEmpty()
        && !StopWords.isOrigin(folded);
  }

  private static void plainNames(String question, Set<String> names) {
    for (Matcher match = PLAIN_NAME.matcher(FoldedText.of(question)); match.find(); ) {
      for (int group = 1; group <= match.groupCount(); group++) {
        String name = match.group(group);
        if (name != null && isName(name)) {
          names.add(name);
        }
      }
    }
  }

  private static List<Person> described(String question) {
    OriginalText text = OriginalText.of(question);
    List<Person> people = new ArrayList<>();
    for (Matcher match = DESCRIBED_EN.matcher(text.folded()); match.find(); ) {
      add(
          people,
          text.original(match.start(1), match.end(1)),
          text.original(match.start(2), match.end(2)));
    }
    for (Matcher match = DESCRIBED_ES.matcher(text.folded()); match.find(); ) {
      add(
          people,
          text.original(match.start(2), match.end(2)),
          text.original(match.start(1), match.end(1)));
    }
    return people;
  }

  private static void add(List<Person> people, String adjectives, String noun) {
    List<String> descriptors = new ArrayList<>(Arrays.stream(adjectives.split("\\s+"))
        .filter(word -> !word.isEmpty() && !StopWords.isStop(FoldedText.of(word)))
        .toList());
    descriptors.add(noun);
    people.add(new Person("", descriptors, null));
  }
}
