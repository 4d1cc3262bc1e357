package dev.askgateway.cli;

import dev.askgateway.config.ManagementAccess;
import dev.askgateway.intake.ManagementConfig;
import dev.askgateway.provider.http.HttpJson;
import dev.askgateway.provider.http.UpstreamClient;
import dev.askgateway.telemetry.LogLevels;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** Changes a level of the gateway that runs on this machine, by its management listener. */
record LogLevel(ManagementAccess access) {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int LONGEST_ANSWER = 16 << 10;
  private static final String INHERIT = "INHERIT";

  /**
   * Blocks until it is done.
   *
   * @param level one of the levels, or "inherit" for that of the package above
   * @return the logger as it then stands, for people
   * @throws IllegalArgumentException for another level, and for a logger that is not the gateway's own
   */
  String set(String name, String level) throws Exception {
    ManagementConfig management = access.management();
    if (!management.enabled()) {
      throw new IllegalStateException("management.enabled is false: there is nobody to ask");
    }
    String wanted = level.toUpperCase(Locale.ROOT);
    if (!wanted.equals(INHERIT) && !LogLevels.LEVELS.contains(wanted)) {
      throw new IllegalArgumentException(
          "LEVEL is one of " + String.join(", ", LogLevels.LEVELS) + ", " + INHERIT);
    }
    if (!LogLevels.isOurs(name)) {
      throw new IllegalArgumentException(
          "only the levels of " + LogLevels.OURS + " and what is in it can be changed");
    }
    Vertx vertx = Vertx.vertx();
    try {
      JsonObject now = Serve.await(
          new HttpJson(UpstreamClient.create(vertx, access.client()))
              .put(
                  url(management, name),
                  new JsonObject().put("level", wanted.equals(INHERIT) ? null : wanted),
                  TIMEOUT,
                  LONGEST_ANSWER),
          TIMEOUT.plusSeconds(1));
      return now.getString("name") + " is at " + now.getString("effectiveLevel");
    } finally {
      OwnVertx.end(vertx).join();
    }
  }

  private static String url(ManagementConfig management, String name) {
    String host = management.host();
    String here = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
    return "http://" + (here.contains(":") ? "[" + here + "]" : here) + ":" + management.port()
        + "/loggers/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }
}
