package dev.askgateway.query.time;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A folded question as words, numbers and signs. Asking beyond its ends gives the empty word. */
final class Tokens {
  /** More of a question is not looked at for times. */
  static final int MAX = 300;

  private static final Pattern TOKEN = Pattern.compile("\\d+|\\p{L}+(?:'\\p{L}+)?|\\S");

  record Token(String text, int start, int end) {}

  private final List<Token> list = new ArrayList<>();
  private final Map<String, Map<Integer, Optional<Parsed>>> read = new HashMap<>();

  Tokens(String folded) {
    Matcher token = TOKEN.matcher(folded);
    while (token.find() && list.size() < MAX) {
      list.add(new Token(token.group(), token.start(), token.end()));
    }
  }

  /** What a rule reads at a place, asked of the rule once: several rules build on the same ones. */
  @Nullable
  Parsed once(String rule, int i, BiFunction<Tokens, Integer, @Nullable Parsed> reader) {
    Map<Integer, Optional<Parsed>> places = read.computeIfAbsent(rule, name -> new HashMap<>());
    Optional<Parsed> known = places.get(i);
    if (known == null) {
      known = Optional.ofNullable(reader.apply(this, i));
      places.put(i, known);
    }
    return known.orElse(null);
  }

  int size() {
    return list.size();
  }

  String at(int i) {
    return i >= 0 && i < list.size() ? list.get(i).text() : "";
  }

  boolean is(int i, String word) {
    return at(i).equals(word);
  }

  boolean in(int i, Set<String> words) {
    return words.contains(at(i));
  }

  /** Whether nothing stands between this token and the one before. */
  boolean glued(int i) {
    return i > 0 && i < list.size() && list.get(i).start() == list.get(i - 1).end();
  }

  /** The token after these words, or -1 when they are not here. */
  int after(int i, String phrase) {
    int from = 0;
    for (int at = i; ; at++) {
      String word = at(at);
      int to = from + word.length();
      if (word.isEmpty() || !phrase.startsWith(word, from)) {
        return -1;
      }
      if (to == phrase.length()) {
        return at + 1;
      }
      if (phrase.charAt(to) != ' ') {
        return -1;
      }
      from = to + 1;
    }
  }

  /** The token after the first of the phrases that is here, or -1. */
  int afterAny(int i, List<String> phrases) {
    int best = -1;
    for (String phrase : phrases) {
      best = Math.max(best, after(i, phrase));
    }
    return best;
  }

  /** Past one of these, if it is here. */
  int skip(int i, Set<String> words) {
    return in(i, words) ? i + 1 : i;
  }

  boolean isNumber(int i) {
    return i >= 0 && i < list.size() && Character.isDigit(at(i).charAt(0));
  }

  int digits(int i) {
    return isNumber(i) ? at(i).length() : 0;
  }

  /** The number at a place, or -1 when there is none of up to eight digits. */
  int value(int i) {
    int digits = digits(i);
    return digits < 1 || digits > 8 ? -1 : Integer.parseInt(at(i));
  }

  boolean isWord(int i) {
    return i >= 0 && i < list.size() && Character.isLetter(at(i).charAt(0));
  }

  /** Whether a sentence or a part of it ends before this token. */
  boolean isBreak(int i) {
    return !isWord(i) && !isNumber(i);
  }

  int charStart(int i) {
    return list.get(i).start();
  }

  int charEnd(int i) {
    return list.get(i).end();
  }
}
