package dev.askgateway.provider.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A count of tokens")
class TokenCountTest {
  private static final double MARGIN = 1.5;

  private static TokenCount counted(String text) {
    return TokenCount.counted(List.of(text), O200k.load());
  }

  @Test
  @DisplayName("is taken as it is by a model with the same vocabulary")
  void same() {
    TokenCount count = counted(Texts.prose().get("hindi"));

    assertThat(count.at(1)).isEqualTo(count.tokens());
  }

  @Test
  @DisplayName("has for another vocabulary a token for each digit, and never more than the bytes")
  void others() {
    String digits = "9".repeat(300);

    assertThat(counted(digits).at(MARGIN)).isEqualTo(300);
    assertThat(counted("plain words").at(10)).isEqualTo(11);
    assertThat(counted("plain words").at(1.5)).isEqualTo(3);
    assertThat(TokenCount.bound(List.of("añ語😀")).at(MARGIN)).isEqualTo(1 + 2 + 3 + 4);
    assertThat(TokenCount.bound(List.of("añ語😀")).at(1)).isEqualTo(1 + 2 + 3 + 4);
  }

  @Test
  @DisplayName("with the usual margin is no smaller than that of an older vocabulary, of any text")
  void older() {
    Encoding other = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);

    for (String text : Texts.all()) {
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
        continue; // The other one takes no half characters.
      }
      assertThat(counted(text).at(MARGIN))
          .as(text.substring(0, 10))
          .isGreaterThanOrEqualTo(other.countTokensOrdinary(text));
    }
  }

  @Test
  @DisplayName(
      "of prose is a third of its letters at most, and three fifths with the widest margin")
  void tight() {
    for (String language : List.of("english", "german", "spanish")) {
      String text = Texts.prose().get(language);
      assertThat(counted(text).at(1)).as(language).isLessThan(text.length() / 3);
      assertThat(counted(text).at(2)).as(language).isLessThanOrEqualTo(text.length() * 3 / 5);
    }
  }
}
