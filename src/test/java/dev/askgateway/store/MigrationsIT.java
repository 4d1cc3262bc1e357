package dev.askgateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.devservices.DevServices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MigrationsIT {
  private static StoreConfig config(String url, String role) {
    return new StoreConfig(url, url, "ask", role, 1, Duration.ofSeconds(5));
  }

  @Test
  @DisplayName(
      "five nodes that start at once on an empty database, and two on others with a new role, all come up")
  void manyNodes() throws Exception {
    String role = "ask_race";
    String url = DevServices.shared().freshDatabase("race");
    String second = DevServices.shared().freshDatabase("race");
    List<Callable<Integer>> starts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      starts.add(() -> new Migrations(config(url, role)).migrate());
    }
    for (int i = 0; i < 2; i++) {
      starts.add(() -> new Migrations(config(second, role)).migrate());
    }
    ExecutorService nodes = Executors.newFixedThreadPool(starts.size());
    int applied = 0;
    try {
      for (Future<Integer> node : nodes.invokeAll(starts)) {
        applied += node.get();
      }
    } finally {
      nodes.shutdown();
    }

    int newest = Migrations.newest();
    assertThat(applied).isEqualTo(2 * newest);
    assertThat(new Migrations(config(url, role)).migrate()).isZero();
  }
}
