package dev.askgateway.intake;

import dev.askgateway.core.Rule;

/**
 * Where the operator's own listener is.
 *
 * @param enabled whether there is one
 * @param port 0 takes a free one
 */
public record ManagementConfig(boolean enabled, String host, int port) {
  public ManagementConfig {
    Rule.require(!host.isBlank(), "management.host", host, "an address or a name to listen on");
    Rule.range("management.port", port, 0, 65_535);
  }
}
