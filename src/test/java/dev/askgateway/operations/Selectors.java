package dev.askgateway.operations;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads which series a PromQL expression asks for: names of metrics with the labels they are selected
 * by, and the labels they are grouped by. Knows no more of the language than that takes.
 */
public final class Selectors {
  /**
   * One series that is asked for.
   *
   * @param labels those in its braces
   */
  public record Selector(String metric, Set<String> labels) {}

  /**
   * What an expression needs.
   *
   * @param grouped labels of by, on and the like
   */
  public record Needs(List<Selector> selectors, Set<String> grouped) {}

  private static final Set<String> GROUPING =
      Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
  private static final Set<String> WORDS =
      Set.of("and", "or", "unless", "bool", "offset", "inf", "nan", "atan2");

  private final String text;
  private final List<Selector> selectors = new ArrayList<>();
  private final Set<String> grouped = new HashSet<>();
  private int at;

  private Selectors(String text) {
    this.text = text;
  }

  /** @throws IllegalArgumentException for text with an open brace, bracket or quote */
  public static Needs of(String expression) {
    Selectors reader = new Selectors(expression);
    reader.read();
    return new Needs(List.copyOf(reader.selectors), Set.copyOf(reader.grouped));
  }

  private void read() {
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == '"' || next == '\'') {
        string();
      } else if (next == '[') {
        until(']');
      } else if (Character.isDigit(next)) {
        number();
      } else if (isName(next)) {
        word(name());
      } else if (next == '{') {
        throw new IllegalArgumentException("a selector without a name at " + at + ": " + text);
      } else {
        at++;
      }
    }
  }

  private void word(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    blanks();
    if (GROUPING.contains(lower)) {
      if (at < text.length() && text.charAt(at) == '(') {
        for (String label : until(')').split(",")) {
          if (!label.isBlank()) {
            grouped.add(label.strip());
          }
        }
      }
    } else if (!WORDS.contains(lower) && (at >= text.length() || text.charAt(at) != '(')) {
      Set<String> labels = Set.of();
      // A function has its parentheses, an aggregation perhaps its grouping first.
      if (at < text.length() && text.charAt(at) == '{') {
        labels = labels();
      } else if (isGroupingNext()) {
        return;
      }
      selectors.add(new Selector(word, labels));
    }
  }

  private boolean isGroupingNext() {
    String rest = text.substring(at);
    return rest.matches("(?is)(by|without)\\s*\\(.*");
  }

  private Set<String> labels() {
    Set<String> labels = new HashSet<>();
    at++;
    while (true) {
      if (at >= text.length()) {
        throw new IllegalArgumentException("an open brace: " + text);
      }
      char next = text.charAt(at);
      if (next == '}') {
        at++;
        return labels;
      } else if (next == '"' || next == '\'') {
        string();
      } else if (isName(next)) {
        labels.add(name());
      } else {
        at++;
      }
    }
  }

  private static boolean isName(char next) {
    return Character.isLetterOrDigit(next) || next == '_' || next == ':' || next == '$';
  }

  private String name() {
    int start = at;
    while (at < text.length() && isName(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  /** Also what is written behind it: 5m, 1e6, 0.5. */
  private void number() {
    while (at < text.length() && (isName(text.charAt(at)) || text.charAt(at) == '.')) {
      at++;
    }
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private String until(char end) {
    int close = text.indexOf(end, at);
    if (close < 0) {
      throw new IllegalArgumentException("no " + end + ": " + text);
    }
    String inside = text.substring(at + 1, close);
    at = close + 1;
    return inside;
  }

  private void string() {
    char quote = text.charAt(at++);
    while (at < text.length() && text.charAt(at) != quote) {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    if (at >= text.length()) {
      throw new IllegalArgumentException("an open quote: " + text);
    }
    at++;
  }
}
