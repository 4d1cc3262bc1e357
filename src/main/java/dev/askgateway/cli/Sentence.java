package dev.askgateway.cli;

import dev.askgateway.config.InvalidConfig;
import dev.askgateway.config.Redaction;
import dev.askgateway.core.GatewayError;
import java.net.BindException;
import java.sql.SQLException;

/** Says in one sentence why a command failed, without passwords. */
public final class Sentence {
  private Sentence() {}

  public static String of(Throwable failure) {
    if (failure instanceof InvalidConfig invalid) {
      return "The configuration cannot be used:\n  " + String.join("\n  ", invalid.problems());
    }
    Throwable cause = telling(failure);
    if (cause instanceof BindException) {
      return "The address to listen on cannot be used (" + firstLine(cause)
          + "): free it, or set http.port (ASK_HTTP_PORT) to another one.";
    }
    if (cause instanceof SQLException refused) {
      String state = refused.getSQLState() == null ? "" : " [" + refused.getSQLState() + "]";
      return "PostgreSQL refused: " + firstLine(cause) + state;
    }
    if (failure instanceof GatewayError error && cause != error) {
      String what = String.valueOf(error.getMessage());
      return what.substring(0, what.length() - (what.endsWith(".") ? 1 : 0)) + ": "
          + firstLine(cause);
    }
    return "It could not be done: " + firstLine(cause);
  }

  /** The cause that tells most: what the database or the socket said, else the deepest. */
  private static Throwable telling(Throwable failure) {
    Throwable cause = failure;
    while (!(cause instanceof SQLException || cause instanceof BindException)
        && cause.getCause() != null
        && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static String firstLine(Throwable cause) {
    String message = cause.getMessage();
    String line = message == null ? "" : message.strip().lines().findFirst().orElse("");
    return line.isEmpty() ? cause.getClass().getSimpleName() : Redaction.address(line);
  }
}
