package dev.askgateway.provider.byok;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.UserId;
import dev.askgateway.provider.byok.SecretBox.CannotOpen;
import dev.askgateway.provider.byok.SecretBox.Owner;
import dev.askgateway.provider.byok.SecretBox.Sealed;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A sealed secret")
class SecretBoxTest {
  private static final String SECRET = "sk-qzkey-1234567890";
  private static final Owner OWNER =
      new Owner(new UserId("ana"), new UUID(1, 2), "openai https://api.example/v1");

  private final SecretBox box = new SecretBox(OwnServers.CONFIG);

  private static void staysClosed(SecretBox box, Owner owner, Sealed sealed) {
    assertThatThrownBy(() -> box.open(owner, sealed))
        .isInstanceOf(CannotOpen.class)
        .hasNoCause()
        .hasMessageNotContaining("qzkey");
  }

  @Test
  @DisplayName("opens to what it was, whatever that was")
  void roundTrip() throws CannotOpen {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      String secret = random
          .ints(random.nextInt(500), 0x21, 0x7f)
          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
          .toString();
      Owner owner = new Owner(new UserId("u" + i), new UUID(i, i), "gemini ");
      assertThat(box.open(owner, box.seal(owner, secret))).isEqualTo(secret);
    }
  }

  @Test
  @DisplayName("holds nothing of the secret, and is another one each time")
  void hidden() {
    Set<Buffer> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Buffer bytes = box.seal(OWNER, SECRET).bytes();
      assertThat(bytes.toString(StandardCharsets.ISO_8859_1))
          .doesNotContain("sk-")
          .doesNotContain("qzkey");
      seen.add(bytes.getBuffer(1, 13)); // the nonces alone differ
    }
    assertThat(seen).hasSize(100);
  }

  @Test
  @DisplayName("stays closed with any one bit flipped")
  void everyBit() {
    Sealed sealed = box.seal(OWNER, SECRET);
    byte[] bytes = sealed.bytes().getBytes();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      staysClosed(box, OWNER, new Sealed(Buffer.buffer(changed), sealed.keyId()));
    }
  }

  @Test
  @DisplayName("stays closed cut off at any length, or with more behind it")
  void anyLength() {
    Sealed sealed = box.seal(OWNER, SECRET);
    for (int length = 0; length < sealed.bytes().length(); length++) {
      staysClosed(box, OWNER, new Sealed(sealed.bytes().getBuffer(0, length), sealed.keyId()));
    }
    staysClosed(box, OWNER, new Sealed(sealed.bytes().copy().appendByte((byte) 0), sealed.keyId()));
  }

  @Test
  @DisplayName("opens for no other person, connection or destination")
  void bound() {
    Sealed sealed = box.seal(OWNER, SECRET);
    for (Owner other : List.of(
        new Owner(new UserId("ben"), OWNER.connection(), OWNER.destination()),
        new Owner(OWNER.user(), new UUID(1, 3), OWNER.destination()),
        new Owner(OWNER.user(), OWNER.connection(), "openai https://evil.example/v1"),
        new Owner(OWNER.user(), OWNER.connection(), "gemini https://api.example/v1"))) {
      staysClosed(box, other, sealed);
    }
  }

  @Test
  @DisplayName("opens with the key it was sealed with and no other, whatever the row calls it")
  void keys() throws CannotOpen {
    Sealed sealed = box.seal(OWNER, SECRET);
    Map<String, String> both = Map.of("old", OwnServers.OLD_KEY, "new", OwnServers.NEW_KEY);
    SecretBox rotated = new SecretBox(new ByokConfig(true, both, "new", false, false));

    assertThat(rotated.open(OWNER, sealed)).isEqualTo(SECRET);
    assertThat(rotated.isOld(sealed)).isTrue();
    Sealed fresh = rotated.seal(OWNER, SECRET);
    assertThat(fresh.keyId()).isEqualTo("new");
    assertThat(rotated.isOld(fresh)).isFalse();
    staysClosed(box, OWNER, fresh);
    staysClosed(rotated, OWNER, new Sealed(sealed.bytes(), "new"));
    // The same key under another name is another key: the name is bound, too.
    Map<String, String> renamed = Map.of("older", OwnServers.OLD_KEY);
    SecretBox other = new SecretBox(new ByokConfig(true, renamed, "older", false, false));
    staysClosed(other, OWNER, new Sealed(sealed.bytes(), "older"));
  }
}
