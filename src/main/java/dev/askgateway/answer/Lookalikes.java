package dev.askgateway.answer;

/** What a character of a source mark is read as, by people and by models. */
final class Lookalikes {
  /** Of characters that are not seen. */
  static final char NOTHING = 0;

  private static final String OPENING = "［【〔〖〘〚⟦⁅❲﹝⦋⦍⦏";
  private static final String CLOSING = "］】〕〗〙〛⟧⁆❳﹞⦌⦎⦐";
  private static final String LETTER = "sЅѕＳｓꜱ";

  private Lookalikes() {}

  /** {@code [ ] S}, a digit, a blank, a hyphen; any other as it is. */
  static char of(char c) {
    if (c < 0x80) {
      return c == 's' ? 'S' : c;
    }
    int digit = Character.digit(c, 10);
    if (digit >= 0) {
      return (char) ('0' + digit);
    }
    if (OPENING.indexOf(c) >= 0) {
      return '[';
    }
    if (CLOSING.indexOf(c) >= 0) {
      return ']';
    }
    return LETTER.indexOf(c) >= 0 ? 'S' : ofKind(c);
  }

  private static char ofKind(char c) {
    return switch (Character.getType(c)) {
      case Character.FORMAT, Character.NON_SPACING_MARK -> NOTHING;
      case Character.SPACE_SEPARATOR -> ' ';
      case Character.DASH_PUNCTUATION -> '-';
      default -> c == '，' || c == '、' ? ',' : c;
    };
  }
}
