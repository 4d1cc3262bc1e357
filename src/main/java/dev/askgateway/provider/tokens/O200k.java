package dev.askgateway.provider.tokens;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.util.ArrayList;
import java.util.List;

/**
 * The vocabulary of OpenAI's present models, {@code o200k_base}. One copy for the process: it is large.
 *
 * <p>A text goes to the tokenizer in pieces. One word of a megabyte would take it a tree of a hundred
 * times that; a piece bounds that, and makes the time linear.
 */
final class O200k implements TokenCounter {
  /** The longest piece, in characters. */
  static final int PIECE = 2_048;

  private final Encoding encoding;

  private O200k(Encoding encoding) {
    this.encoding = encoding;
  }

  private static final class Loaded {
    static final O200k ONE =
        new O200k(Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE));

    static {
      // The first texts would take many times as long on an event loop, until this is compiled.
      ONE.count("What a first text is like: a few words, 2 or 3 numbers and {\"marks\"}.\n"
          .repeat(4_000));
    }
  }

  /** Takes about a second the first time: not for an event loop. */
  static O200k load() {
    return Loaded.ONE;
  }

  @Override
  public long count(String text) {
    long tokens = 0;
    for (String piece : pieces(text)) {
      tokens += encoding.countTokensOrdinary(piece);
    }
    return tokens;
  }

  static List<String> pieces(String text) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int to = end(text, from);
      pieces.add(text.substring(from, to));
      from = to;
    }
    return pieces;
  }

  /**
   * Where the piece ends that begins there: before the last blank after a word, where no token reaches
   * across; without one, at its full length, which may cost a token more.
   */
  private static int end(String text, int from) {
    int full = from + PIECE;
    if (full >= text.length()) {
      return text.length();
    }
    for (int at = full; at > from + PIECE / 2; at--) {
      if (text.charAt(at) == ' ' && !Character.isWhitespace(text.charAt(at - 1))) {
        return at;
      }
    }
    return Character.isHighSurrogate(text.charAt(full - 1)) ? full - 1 : full;
  }
}
