package dev.askgateway.devservices;

import org.jspecify.annotations.Nullable;

/** The services cannot be had. The message is one sentence for the person at the terminal. */
public final class DevServicesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final String WAYS_OUT = "set DATABASE_URL and REDIS_URL, start Docker,"
      + " or install the distribution's postgresql-17-pgvector package";

  DevServicesException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** A failure of the embedded servers: what is missing, then the three ways out. */
  static DevServicesException stuck(String problem, @Nullable Throwable cause) {
    return new DevServicesException(problem + "; " + WAYS_OUT + ".", cause);
  }
}
