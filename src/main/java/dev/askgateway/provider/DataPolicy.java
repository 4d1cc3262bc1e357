package dev.askgateway.provider;

/**
 * What becomes of what a provider is told (spec D1, D2; facts 1.4).
 *
 * @param mode whose account and machine it is; one request never crosses modes
 * @param retention how long it is kept, the strictest first
 * @param region where it is worked on ("eu", "us"), or "" for anywhere
 */
public record DataPolicy(Mode mode, Retention retention, String region) {

  /** Who runs the model and who pays. */
  public enum Mode {
    /** The operator's account. */
    MANAGED,
    /** The person's own account, through us. */
    BYOK,
    /** The operator's own machine. */
    LOCAL
  }

  /** How long content is kept, the strictest first. */
  public enum Retention {
    NONE,
    TRANSIENT,
    PROVIDER_POLICY
  }

  /** The rule of {@link #isRegion}. */
  static final String REGION = "lower-case letters, digits and dashes, at most 40";

  static boolean isRegion(String region) {
    return region.matches("[a-z0-9-]{0,40}");
  }

  /**
   * Whether content that may go to {@code wanted} may come here: same mode, kept no longer, and in the
   * same region if one is asked for.
   */
  public boolean satisfies(DataPolicy wanted) {
    return mode == wanted.mode
        && retention.compareTo(wanted.retention) <= 0
        && (wanted.region.isEmpty() || wanted.region.equals(region));
  }
}
