package dev.askgateway.evals.scale;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * CPU time of this process and of the database's that serve it: says what a question costs also where
 * others have the machine's cores at the same time.
 */
final class Cpu {
  private final Connection owner;

  Cpu(Connection owner) {
    this.owner = owner;
  }

  /** Milliseconds so far; those of connections that were closed are lost. */
  double millis() throws SQLException {
    double nanos = 0;
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean process) {
      nanos += process.getProcessCpuTime();
    }
    try (Statement statement = owner.createStatement();
        ResultSet backends = statement.executeQuery(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'ask-gateway'")) {
      while (backends.next()) {
        nanos += ProcessHandle.of(backends.getLong(1))
            .flatMap(handle -> handle.info().totalCpuDuration())
            .map(Duration::toNanos)
            .orElse(0L);
      }
    }
    return nanos / 1e6;
  }
}
