package dev.askgateway.query;

import dev.askgateway.core.QueryPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a question asks of the text index: content words to be ORed, and phrases that only add to a
 * rank. Holds letters and digits alone, so that no character of a question can act as an operator: a
 * dash never negates. Empty when the question has no content words, which is no error.
 *
 * @param terms at most {@link #MAX_TERMS}, the longest, in the question's order
 * @param phrases neighbouring content words
 */
public record LexicalQuery(List<Term> terms, List<Phrase> phrases) {
  /** Most terms that are asked for. */
  public static final int MAX_TERMS = 18;

  private static final int MAX_PHRASES = 6;
  private static final int MAX_WORD = 64;
  private static final LexicalQuery EMPTY = new LexicalQuery(List.of(), List.of());

  /** Letters and digits, held together by single hyphens: "t-shirt", "98765-43210", "p-8". */
  private static final Pattern CHUNK = Pattern.compile(
      "[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*(?:[-\\u2010\\u2011][\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}]*)*");

  private static final Set<String> OR = Set.of("or", "o", "u");
  private static final Pattern HYPHEN = Pattern.compile("[-\\u2010\\u2011]");

  /** Words of one letter, English and Spanish. */
  private static final Set<String> LETTER_WORDS = Set.of("a", "i", "e", "o", "u", "y");

  /** Other names of the same thing: one of a group brings the others along. */
  private static final List<List<List<String>>> ALIASES = Stream.concat(
          Stream.of(
              group("russian", "rusa", "ruso"),
              group("monday", "lunes"),
              group("tuesday", "martes"),
              group("wednesday", "miercoles"),
              group("thursday", "jueves"),
              group("friday", "viernes"),
              group("saturday", "sabado"),
              group("sunday", "domingo")),
          Places.aliases().stream().map(names -> group(names.toArray(String[]::new))))
      .toList();

  /**
   * Words that follow each other.
   *
   * @param words lower-case letters and digits, a hyphenated compound counting as one
   * @param prefix whether the last word may go on ("p-8" finds "P-8A")
   */
  public record Phrase(List<String> words, boolean prefix) {
    public Phrase {
      words = List.copyOf(words);
    }
  }

  /** One thing asked for, in any of its spellings. */
  public record Term(List<Phrase> spellings) {
    public Term {
      spellings = List.copyOf(spellings);
    }
  }

  private record Chunk(String text, int start, int end) {}

  public LexicalQuery {
    terms = List.copyOf(terms);
    phrases = List.copyOf(phrases);
  }

  /** Looks for no word. */
  public static LexicalQuery none() {
    return EMPTY;
  }

  public boolean isEmpty() {
    return terms.isEmpty();
  }

  /** The content words of a question; words of time are left out where the plan's range filters. */
  public static LexicalQuery of(String question, QueryPlan plan) {
    return of(question, plan, Set.of());
  }

  /**
   * The same without words that are asked for in another way.
   *
   * @param answered folded words: those of a chat that a filter limits the search to
   */
  public static LexicalQuery of(String question, QueryPlan plan, Set<String> answered) {
    String lower = question.toLowerCase(Locale.ROOT);
    List<Chunk> chunks = chunks(lower);
    Set<String> filtered = new HashSet<>(answered);
    if (plan.filtersMessages()) {
      filtered.addAll(QuestionTimes.words(FoldedText.of(question)));
    }
    Set<Term> terms = new LinkedHashSet<>();
    List<Phrase> phrases = new ArrayList<>();
    for (int i = 0; i < chunks.size(); i++) {
      Chunk chunk = chunks.get(i);
      String next = i + 1 < chunks.size() ? chunks.get(i + 1).text() : "";
      boolean paired =
          isContent(next, plan, filtered) && blankBetween(lower, chunk, chunks.get(i + 1));
      if (isContent(chunk.text(), plan, filtered)) {
        addTerms(terms, chunk.text());
        if (paired && phrases.size() < MAX_PHRASES) {
          phrases.add(new Phrase(List.of(chunk.text(), next), false));
        }
      } else if (paired && isLooseLetter(lower, chunk)) {
        terms.add(letterWord(chunk.text(), next));
      }
    }
    List<String> words = new ArrayList<>(FoldedText.words(FoldedText.of(question)));
    words.removeAll(answered);
    addAliases(terms, words, plan);
    return terms.isEmpty()
        ? EMPTY
        : new LexicalQuery(
            longest(Alternatives.joined(List.copyOf(terms), alternatives(lower, chunks))), phrases);
  }

  /** Of too many the longest, which are the rarest as a rule: those that say most of a long question. */
  private static List<Term> longest(List<Term> terms) {
    Set<Term> longest = terms.stream()
        .sorted(Comparator.comparingInt(LexicalQuery::letters).reversed()) // stable
        .limit(MAX_TERMS)
        .collect(Collectors.toSet());
    return terms.stream().filter(longest::contains).toList();
  }

  private static int letters(Term term) {
    return term.spellings().get(0).words().stream().mapToInt(String::length).sum();
  }

  /** The words that "or" joins, "a, b or c" too: whoever asks so is content with one of them. */
  private static List<List<String>> alternatives(String text, List<Chunk> chunks) {
    List<List<String>> alternatives = new ArrayList<>();
    for (int i = 1; i + 1 < chunks.size(); i++) {
      if (OR.contains(chunks.get(i).text())) {
        List<String> words = new ArrayList<>();
        words.add(chunks.get(i + 1).text());
        int first = i - 1;
        words.add(chunks.get(first).text());
        while (first > 0 && commaBetween(text, chunks.get(first - 1), chunks.get(first))) {
          words.add(chunks.get(--first).text());
        }
        alternatives.add(words.stream().map(FoldedText::of).toList());
      }
    }
    return alternatives;
  }

  private static boolean commaBetween(String text, Chunk one, Chunk next) {
    return text.substring(one.end(), next.start()).strip().equals(",");
  }

  private static List<Chunk> chunks(String text) {
    List<Chunk> chunks = new ArrayList<>();
    for (Matcher chunk = CHUNK.matcher(text); chunk.find(); ) {
      // Longer than any word: PostgreSQL refuses such a lexeme.
      if (chunk.end() - chunk.start() <= MAX_WORD) {
        chunks.add(new Chunk(chunk.group(), chunk.start(), chunk.end()));
      }
    }
    return chunks;
  }

  private static boolean blankBetween(String text, Chunk one, Chunk next) {
    return next.start() == one.end() + 1 && Character.isWhitespace(text.charAt(one.end()));
  }

  private static boolean isContent(String text, QueryPlan plan, Set<String> filtered) {
    String folded = FoldedText.of(text);
    boolean number = text.chars().allMatch(Character::isDigit);
    boolean time = plan.filtersMessages() && StopWords.isTime(folded);
    if (time || (!filtered.isEmpty() && filtered.containsAll(FoldedText.words(folded)))) {
      return false;
    }
    if (plan.intent() == QueryPlan.Intent.PEOPLE_RANKING && StopWords.isRanking(folded)) {
      return false;
    }
    return !folded.isEmpty()
        && !StopWords.isStop(folded)
        && (number || text.codePointCount(0, text.length()) > 1);
  }

  /** A letter that may belong to the next word: no word of its own, no end of "Ana's". */
  private static boolean isLooseLetter(String text, Chunk chunk) {
    boolean afterApostrophe =
        chunk.start() > 0 && "'\u2019".indexOf(text.charAt(chunk.start() - 1)) >= 0;
    return chunk.text().length() == 1
        && Character.isLetter(chunk.text().charAt(0))
        && !LETTER_WORDS.contains(chunk.text())
        && !afterApostrophe;
  }

  private static void addTerms(Set<Term> terms, String text) {
    List<String> parts = Arrays.asList(HYPHEN.split(text));
    if (parts.size() == 1) {
      terms.add(new Term(List.of(new Phrase(parts, false))));
      return;
    }
    boolean digits = text.codePoints().anyMatch(Character::isDigit);
    boolean prefix = digits && text.codePoints().anyMatch(Character::isLetter);
    String joined = String.join("", parts);
    List<String> content =
        parts.stream().filter(part -> !StopWords.isStop(part)).toList();
    List<Phrase> spellings = new ArrayList<>();
    if (!digits) {
      spellings.add(new Phrase(List.of(String.join("-", parts)), false));
    }
    if (content.size() > 1) {
      // The index holds digit groups bare, without the dash before them that reads as a minus.
      spellings.add(new Phrase(parts, prefix));
    } else if (digits && !content.isEmpty() && content.get(0).length() > 1) {
      spellings.add(new Phrase(content, prefix));
    }
    spellings.add(new Phrase(List.of(joined), prefix));
    terms.add(new Term(spellings));
    if (!digits) { // "mother-in-law" is found by "law" too, only lower
      content.stream()
          .filter(part -> part.length() > 1)
          .forEach(part -> terms.add(new Term(List.of(new Phrase(List.of(part), false)))));
    }
  }

  /** "t shirt" is asked for as "t-shirt" too: the letter alone is no word of the index. */
  private static Term letterWord(String letter, String word) {
    return new Term(List.of(
        new Phrase(List.of(letter + "-" + word), false),
        new Phrase(List.of(letter + word), false)));
  }

  private static void addAliases(Set<Term> terms, List<String> words, QueryPlan plan) {
    for (List<List<String>> group : ALIASES) {
      boolean asked = group.stream().anyMatch(name -> containsRun(words, name));
      boolean dropped = plan.filtersMessages() && StopWords.isTime(group.get(0).get(0));
      if (asked && !dropped) {
        // The group takes the place of the words that named it: one thing, one term.
        Set<List<Phrase>> named = new LinkedHashSet<>();
        group.forEach(
            name -> name.forEach(word -> named.add(List.of(new Phrase(List.of(word), false)))));
        terms.removeIf(term -> named.stream().anyMatch(name -> foldedEquals(term, name)));
        terms.add(new Term(group.stream().map(name -> new Phrase(name, false)).toList()));
      }
    }
  }

  private static boolean foldedEquals(Term term, List<Phrase> name) {
    return term.spellings().size() == 1
        && term.spellings().get(0).words().size() == 1
        && FoldedText.of(term.spellings().get(0).words().get(0))
            .equals(name.get(0).words().get(0));
  }

  private static boolean containsRun(List<String> words, List<String> run) {
    return java.util.Collections.indexOfSubList(words, run) >= 0;
  }

  private static List<List<String>> group(String... names) {
    return Arrays.stream(names).map(name -> List.of(name.split(" "))).toList();
  }
}
