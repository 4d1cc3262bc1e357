package dev.askgateway.provider.byok;

import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig.MaxTokensMember;
import dev.askgateway.provider.ProviderConfig.KeyHeader;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The providers whose keys people may bring. */
public enum Vendor {
  OPENAI(Dialect.OPENAI, KeyHeader.BEARER, "https://api.openai.com/v1"),
  ANTHROPIC(Dialect.ANTHROPIC, KeyHeader.X_API_KEY, "https://api.anthropic.com/v1"),
  GEMINI(
      Dialect.GEMINI, KeyHeader.X_GOOG_API_KEY, "https://generativelanguage.googleapis.com/v1beta");

  private static final String PREFIX = "byok-";

  private final Dialect dialect;
  private final KeyHeader keyHeader;
  private final String address;

  Vendor(Dialect dialect, KeyHeader keyHeader, String address) {
    this.dialect = dialect;
    this.keyHeader = keyHeader;
    this.address = address;
  }

  /** The name clients and rows know it by. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Vendor> ofWire(String wire) {
    return Arrays.stream(values()).filter(vendor -> vendor.wire().equals(wire)).findFirst();
  }

  /** The provider's name in usage rows and metrics: one for each vendor, whosever the key is. */
  public String providerName() {
    return PREFIX + wire();
  }

  /** Whether the name is or may become one of theirs. */
  static boolean isProviderName(String name) {
    return name.startsWith(PREFIX);
  }

  public Dialect dialect() {
    return dialect;
  }

  public KeyHeader keyHeader() {
    return keyHeader;
  }

  /** Where the vendor itself serves. */
  public String address() {
    return address;
  }

  /** The vendor's own server wants the newer name; servers that only speak like it know the older. */
  MaxTokensMember maxTokensMember(boolean ownServer) {
    return ownServer ? MaxTokensMember.MAX_COMPLETION_TOKENS : MaxTokensMember.MAX_TOKENS;
  }
}
