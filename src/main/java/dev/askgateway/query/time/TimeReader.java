package dev.askgateway.query.time;

import dev.askgateway.core.QueryPlan.TimeRange;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the expressions of time in a question and says what each means. */
public final class TimeReader {
  /** "Every Monday" and "each week" are no time but a habit. */
  private static final Set<String> HABITS =
      Set.of("every", "each", "cada", "once", "todos", "todas", "per", "all");

  private static final Set<String> MONEY = Set.of("$", "€", "£", "#");
  private static final Set<String> GLUE = Set.of("-", "/", ".", "_", "+");

  private final Now now;

  /** An expression in the text, which reads the same for every caller. */
  public final class Expression {
    private final int start;
    private final int end;
    private final Parsed parsed;

    private Expression(int start, int end, Parsed parsed) {
      this.start = start;
      this.end = end;
      this.parsed = parsed;
    }

    /** Where it begins in the folded text. */
    public int start() {
      return start;
    }

    /** Where it ends in the folded text, exclusive. */
    public int end() {
      return end;
    }

    /** Whether it is a date or a time, which an event may have; false for a stretch up to or from a time. */
    public boolean isCalendar() {
      return parsed.shape() != Parsed.Shape.STRETCH;
    }

    /** Whether it is told so roughly that {@link #otherRange} is what it means by the letter. */
    public boolean isVague() {
      return parsed.shape() == Parsed.Shape.ABOUT;
    }

    /** Whether it comes again, so that its date depends on the tense. */
    public boolean comesAgain() {
      return parsed.floating();
    }

    /**
     * Whether it is told by how far it is from the request ("four years ago", "last summer"), unlike a
     * date of its own and unlike what {@link #comesAgain}.
     */
    public boolean isCountedFromNow(Tense tense) {
      // Ten: a decade is another one only then.
      Now later = now.movedTo(now.local().plusYears(10));
      Span span = parsed.reading().at(now, tense);
      return !parsed.floating() && span != null && !span.equals(parsed.reading().at(later, tense));
    }

    /** What other speakers mean by the same words, or null when there are no two ways. */
    public @Nullable TimeRange otherRange(Tense tense) {
      Reading other = parsed.other();
      Span span = other == null ? null : other.at(now, tense);
      return span == null ? null : span.in(now.zone());
    }

    /** What it means, or null when there is no such time ("February 30"). */
    public @Nullable TimeRange range(Tense tense) {
      Span span = parsed.reading().at(now, tense);
      return span == null ? null : span.in(now.zone());
    }
  }

  /**
   * @param at the moment of the request
   * @param zone the account's zone
   * @param dayFirst whether 3/5 is the third of May
   */
  public TimeReader(Instant at, ZoneId zone, boolean dayFirst) {
    this.now = Now.of(at, zone, dayFirst);
  }

  /** The expressions of a folded text, in its order; they do not overlap. */
  public List<Expression> read(String folded) {
    Tokens tokens = new Tokens(folded);
    List<Expression> found = new ArrayList<>();
    int i = 0;
    while (i < tokens.size()) {
      Parsed parsed = partOfWord(tokens, i) ? null : Expressions.any(tokens, i);
      if (parsed == null || goesOn(tokens, parsed.end())) {
        i++;
        continue;
      }
      if (!tokens.in(i - 1, HABITS)) {
        found.add(new Expression(tokens.charStart(i), tokens.charEnd(parsed.end() - 1), parsed));
      }
      i = parsed.end();
    }
    return found;
  }

  /** In the middle of a number with signs, a word with digits, or behind the sign of a currency. */
  private static boolean partOfWord(Tokens t, int i) {
    boolean sign = t.in(i - 1, GLUE) && t.glued(i) && t.glued(i - 1);
    boolean word = t.glued(i) && (t.isWord(i - 1) || t.isNumber(i - 1)) && t.isNumber(i);
    return t.in(i - 1, MONEY) || (t.isNumber(i) && (sign || word));
  }

  private static boolean goesOn(Tokens t, int end) {
    return t.isNumber(end - 1)
        && t.in(end, GLUE)
        && t.glued(end)
        && t.isNumber(end + 1)
        && t.glued(end + 1);
  }
}
