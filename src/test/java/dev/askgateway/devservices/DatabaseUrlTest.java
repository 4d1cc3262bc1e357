package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

  @Test
  @DisplayName("another database keeps login, server and parameters")
  void otherDatabase() {
    assertThat(DatabaseUrl.parse("postgres://me:p%40ss@db.test:6000/one?sslmode=require")
            .withDatabase("two"))
        .hasToString("postgres://me:p%40ss@db.test:6000/two?sslmode=require");
  }

  @Test
  @DisplayName("what is shown has neither user nor password")
  void shownWithoutLogin() {
    assertThat(DatabaseUrl.parse("postgresql://me:secret@db.test/one").shown())
        .isEqualTo("db.test:5432/one");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://h/db",
        "mysql://me:secret@h/db",
        "postgresql:///db",
        "postgresql://me:se cret@h/d"
      })
  @DisplayName("another kind of address is refused in a sentence without the password")
  void refused(String text) {
    assertThatThrownBy(() -> DatabaseUrl.parse(text))
        .isInstanceOf(DevServicesException.class)
        .hasMessageContaining("DATABASE_URL")
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining("se cret")
        .hasNoCause();
  }
}
