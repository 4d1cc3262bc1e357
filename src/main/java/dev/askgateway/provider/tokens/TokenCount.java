package dev.askgateway.provider.tokens;

import java.util.List;

/**
 * What is known of the tokens of some texts.
 *
 * @param tokens as counted in one vocabulary, or {@code most}
 * @param loose what other vocabularies may cut finer than they are expected to
 * @param most the texts' length in UTF-8: no token is less than a byte
 */
public record TokenCount(long tokens, long loose, long most) {

  static TokenCount counted(List<String> texts, TokenCounter counter) {
    long tokens = 0;
    for (String text : texts) {
      tokens += counter.count(text);
    }
    TokenCount bound = bound(texts);
    return new TokenCount(tokens, bound.loose, bound.most);
  }

  /** Without a vocabulary. */
  static TokenCount bound(List<String> texts) {
    long bytes = 0;
    long quarters = 0;
    for (String text : texts) {
      for (int i = 0; i < text.length(); i++) {
        char at = text.charAt(i);
        bytes += at < 0x80 ? 1 : at < 0x800 || Character.isSurrogate(at) ? 2 : 3;
        quarters += at < 0x80 ? looseAscii(at) : loose(at);
      }
    }
    return new TokenCount(bytes, (quarters + 3) / 4, bytes);
  }

  /** In quarter tokens: digits and controls may stand alone, marks in smaller groups. */
  private static int looseAscii(char at) {
    if (at < ' ' || (at >= '0' && at <= '9')) {
      return 4;
    }
    boolean letter = (at | 0x20) >= 'a' && (at | 0x20) <= 'z';
    return letter || at == ' ' ? 0 : 1;
  }

  /**
   * In quarter tokens: Greek, Cyrillic, Hebrew and Arabic; the scripts of India, Georgia and Thailand,
   * which some vocabularies know by their bytes only; the rest, most of it Chinese, Japanese, Korean.
   */
  private static int loose(char at) {
    return at < 0x800 ? 4 : at < 0x2000 ? 6 : 2;
  }

  /**
   * The tokens to expect of a model.
   *
   * @param margin 1: it has the vocabulary of the count; more: another one, which makes about so many
   *     of one of these, and cuts some characters finer
   */
  public long at(double margin) {
    return margin <= 1 ? tokens : Math.min(most, (long) Math.ceil(tokens * margin) + loose);
  }
}
