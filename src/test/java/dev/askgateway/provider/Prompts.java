package dev.askgateway.provider;

import dev.askgateway.core.Prompt;
import java.time.ZoneId;
import java.util.List;

/** Prompts for tests. */
public final class Prompts {
  private Prompts() {}

  /** A system text and a question, 16 characters together. */
  public static Prompt small() {
    return new Prompt(
        "v1",
        List.of(
            new Prompt.Message(Prompt.Role.SYSTEM, "Be kind."),
            new Prompt.Message(Prompt.Role.USER, "Who came")),
        "Who came",
        ZoneId.of("UTC"),
        List.of(),
        200,
        0.25);
  }

  /** The same as what a model is asked. */
  public static ModelRequest request() {
    return ModelRequest.of(small());
  }
}
