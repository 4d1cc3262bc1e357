package dev.askgateway.provider.byok;

import dev.askgateway.core.Rule;
import java.util.Base64;
import java.util.Map;
import java.util.TreeSet;

/**
 * Whether people may bring their own provider keys, and how these are kept.
 *
 * @param enabled false: the routes answer 404 and nobody's key is used
 * @param keys what secrets are sealed with: 32 random bytes in base64, by the key's id. An old key stays
 *     until nothing is sealed with it any more
 * @param currentKey the id of the key that seals
 * @param customBaseUrls whether connections may name an address of their own
 * @param allowPrivateAddresses whether that may be this machine or its network; only for those who use
 *     the gateway alone
 */
public record ByokConfig(
    boolean enabled,
    Map<String, String> keys,
    String currentKey,
    boolean customBaseUrls,
    boolean allowPrivateAddresses) {

  /** Nobody brings a key. */
  public static final ByokConfig DISABLED = new ByokConfig(false, Map.of(), "", false, false);

  private static final int KEY_BYTES = 32;

  public ByokConfig {
    keys = Map.copyOf(keys);
    for (Map.Entry<String, String> key : keys.entrySet()) {
      Rule.require(
          key.getKey().matches("[a-z0-9][a-z0-9_-]{0,39}"),
          "byok.keys",
          "not usable",
          "named by lower-case letters, digits, _ and -, at most 40");
      Rule.require(isKey(key.getValue()), "byok.keys", "not usable", "32 random bytes in base64");
    }
    Rule.require(!enabled || !keys.isEmpty(), "byok.keys", "empty", "at least one key");
    Rule.require(
        keys.isEmpty() || keys.containsKey(currentKey),
        "byok.currentKey",
        "not usable",
        "the id of one of byok.keys");
  }

  private static boolean isKey(String base64) {
    try {
      return Base64.getDecoder().decode(base64).length == KEY_BYTES;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  /** The keys are named, not shown. */
  @Override
  public String toString() {
    return "ByokConfig[enabled=" + enabled + ", keys=" + new TreeSet<>(keys.keySet())
        + ", currentKey=" + currentKey + ", customBaseUrls=" + customBaseUrls
        + ", allowPrivateAddresses=" + allowPrivateAddresses + "]";
  }
}
