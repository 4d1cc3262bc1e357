package dev.askgateway.provider.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a model says, in no vendor's words.
 *
 * @param pieces what it says, in this order; may be empty
 * @param tokens what it reports as used, or null
 * @param finish why it stops, or null when it never says
 * @param endMarker whether the vendor's end marker follows, if it has one
 */
public record Script(List<Piece> pieces, Tokens tokens, Finish finish, boolean endMarker) {

  /** Why a model stops. */
  public enum Finish {
    STOP,
    LENGTH,
    TOOL_CALLS,
    FILTER
  }

  /** A piece of the answer. */
  public sealed interface Piece {}

  public record Text(String text) implements Piece {}

  public record Thought(String text) implements Piece {}

  /** @param arguments the JSON text of an object, cut into pieces */
  public record Call(String id, String name, List<String> arguments) implements Piece {}

  /**
   * A usage report.
   *
   * @param input all tokens of the input, the cached among them
   * @param output all tokens of the output, those of the reasoning among them
   */
  public record Tokens(long input, long cached, long output, long reasoning) {}

  public Script {
    pieces = List.copyOf(pieces);
  }

  /** A whole answer of these pieces, with usage 12 in, 7 out. */
  public static Script of(Finish finish, Piece... pieces) {
    return new Script(List.of(pieces), new Tokens(12, 0, 7, 0), finish, true);
  }

  public static Script answer(String... texts) {
    return of(Finish.STOP, Stream.of(texts).map(Text::new).toArray(Piece[]::new));
  }

  /** The same up to the k-th piece of text and no further: no usage, no reason, no end marker. */
  public Script cutAfter(int texts) {
    List<Piece> kept = new ArrayList<>();
    int seen = 0;
    for (Piece piece : pieces) {
      seen += piece instanceof Text ? 1 : 0;
      if (seen > texts) {
        break;
      }
      kept.add(piece);
    }
    return new Script(kept, null, null, false);
  }

  /** All text. */
  public String text() {
    StringBuilder all = new StringBuilder();
    pieces.forEach(piece -> {
      if (piece instanceof Text text) {
        all.append(text.text());
      }
    });
    return all.toString();
  }
}
