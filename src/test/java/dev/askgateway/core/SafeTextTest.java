package dev.askgateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SafeTextTest {
  @Test
  @DisplayName("NUL goes, a lone surrogate becomes the replacement character, the rest stays")
  void repairs() {
    assertThat(SafeText.clean("a\0b")).isEqualTo("ab");
    assertThat(SafeText.clean("a\ud800b")).isEqualTo("a\ufffdb");
    assertThat(SafeText.clean("\udc00x\ud83d")).isEqualTo("\ufffdx\ufffd");
    assertThat(SafeText.clean("שלום 🙂 क")).isEqualTo("שלום 🙂 क");
  }

  @Test
  @DisplayName("whatever comes in, what comes out survives UTF-8 and holds no NUL")
  void alwaysStorable() {
    Random random = new Random(7);
    for (int round = 0; round < 5_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(12); i > 0; i--) {
        text.append(
            switch (random.nextInt(5)) {
              case 0 -> '\0';
              case 1 -> (char) (0xD800 + random.nextInt(0x800));
              default -> (char) random.nextInt(0xFFFF);
            });
      }
      String clean = SafeText.clean(text.toString());
      assertThat(new String(clean.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
          .isEqualTo(clean);
      assertThat(clean).doesNotContain("\0");
      assertThat(SafeText.clean(clean)).isSameAs(clean);
    }
  }
}
