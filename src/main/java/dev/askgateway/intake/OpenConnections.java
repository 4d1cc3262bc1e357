package dev.askgateway.intake;

import dev.askgateway.intake.admission.Admissions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one door. While the node is to go each ends with the request that it carries, and
 * those that carry none are closed, so that clients come again by another node. Lives on the door's loop.
 */
final class OpenConnections {
  private final Admissions admissions;
  private final Duration patience;
  private final Set<HttpConnection> open = new HashSet<>();

  /** @param patience how long a connection may take to end with its request */
  OpenConnections(Admissions admissions, Duration patience) {
    this.admissions = admissions;
    this.patience = patience;
  }

  void opened(HttpConnection connection) {
    open.add(connection);
    connection.closeHandler(closed -> open.remove(connection));
  }

  /** Looks at a request before anybody answers it. */
  void carries(HttpServerRequest request) {
    if (!admissions.isLeaving()) {
      return;
    }
    if (request.version() != HttpVersion.HTTP_2) { // which says it in a frame of its own
      request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    end(request.connection());
  }

  /** Closes those that carry nothing now, the others with what they carry. */
  void endAll() {
    List.copyOf(open).forEach(this::end);
  }

  private void end(HttpConnection connection) {
    connection.shutdown(patience.toMillis(), TimeUnit.MILLISECONDS);
  }
}
