package dev.askgateway.core;

/**
 * The person a request belongs to: the subject of the verified token and nothing else.
 *
 * @param value 1 to 255 characters, not blank, without control characters
 */
public record UserId(String value) {
  /** Longest subject accepted, in characters. */
  public static final int MAX_LENGTH = 255;

  public UserId {
    if (!isValid(value)) {
      throw new IllegalArgumentException(
          "a user id is 1 to 255 characters, not blank, no control characters");
    }
  }

  /** Whether a token's subject can name a person. */
  public static boolean isValid(String value) {
    return !value.isBlank()
        && value.length() <= MAX_LENGTH
        && value.equals(value.strip())
        && value.chars().noneMatch(Character::isISOControl)
        && SafeText.isWellFormed(value);
  }
}
