package dev.askgateway.answer.rollout;

import dev.askgateway.core.UserId;
import dev.askgateway.store.Arm;
import org.jspecify.annotations.Nullable;

/** Who has what of the rollout that runs. Never waits. */
@FunctionalInterface
public interface Rollouts {
  /** Nothing is rolled out. */
  Rollouts NONE = (user, profile) -> Given.NOTHING;

  /** What a person's question of that profile is given. */
  Given of(UserId user, String profile);

  /**
   * What one question has of a rollout, to its end.
   *
   * @param arm null: the rollout is none of its concern
   * @param profile the candidate: it must be able to answer in every arm, and does so in all but the control's;
   *     null where no profile is rolled out
   * @param retrieval the version of retrieval that it is searched with, or null for the configured one
   */
  record Given(
      @Nullable Arm arm, @Nullable String profile, @Nullable String retrieval) {
    public static final Given NOTHING = new Given(null, null, null);

    boolean isControl() {
      return arm != null && arm.place() == Arm.Place.CONTROL;
    }
  }
}
