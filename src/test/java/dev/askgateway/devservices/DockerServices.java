package dev.askgateway.devservices;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The two servers as containers. Each carries the name of its run, so that what a killed run left
 * behind can be told from what a living one needs, with or without Testcontainers' own reaper.
 */
final class DockerServices {
  private static final String RUN = "dev.askgateway.run";
  private static final String POSTGRES = "pgvector/pgvector:pg17";
  private static final String REDIS = "redis:7";
  private static final int REDIS_PORT = 6379;

  private final DockerClient client;
  private final String run;

  private DockerServices(DockerClient client, String run) {
    this.client = client;
    this.run = run;
  }

  /**
   * Connects when the images are there or can be pulled, and removes the containers of dead runs.
   *
   * @param isLive whether the run of that name still has its folder
   */
  static DockerServices connect(String run, Predicate<String> isLive, Consumer<String> progress)
      throws IOException {
    DockerImages.require(List.of(POSTGRES, REDIS), progress);
    var docker = new DockerServices(DockerClientFactory.instance().client(), run);
    for (var container : docker
        .client
        .listContainersCmd()
        .withShowAll(true)
        .withLabelFilter(List.of(RUN))
        .exec()) {
      if (!isLive.test(container.getLabels().get(RUN))) {
        docker.remove(container.getId());
      }
    }
    return docker;
  }

  PostgresService postgres() {
    var image = DockerImageName.parse(POSTGRES).asCompatibleSubstituteFor("postgres");
    var password = UUID.randomUUID().toString();
    var container = new PostgreSQLContainer(image)
        .withDatabaseName("askgateway")
        .withUsername("postgres")
        .withPassword(password)
        .withLabels(Map.of(RUN, run))
        .withCommand(
            "postgres",
            "-c",
            "fsync=off",
            "-c",
            "synchronous_commit=off",
            "-c",
            "full_page_writes=off",
            "-c",
            "max_connections=200",
            "-c",
            "shared_buffers=256MB");
    startOrRemove(container);
    var url = DatabaseUrl.of(
        "postgres",
        password,
        container.getHost(),
        container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
        "askgateway");
    return new ContainedPostgres(container, url);
  }

  RedisService redis() throws IOException {
    // A port chosen by Docker would change when the container is started again.
    var port = EmbeddedRedisService.freePort();
    var container = new GenericContainer<>(DockerImageName.parse(REDIS))
        .withExposedPorts(REDIS_PORT)
        .withLabels(Map.of(RUN, run))
        .withCommand("redis-server", "--bind", "0.0.0.0", "--protected-mode", "no", "--save", "");
    container.setPortBindings(List.of(port + ":" + REDIS_PORT));
    startOrRemove(container);
    try {
      RedisPing.await(container.getHost(), port);
    } catch (DevServicesException silent) {
      container.stop();
      throw silent;
    }
    return new ContainedRedis(client, container, port);
  }

  private static void startOrRemove(GenericContainer<?> container) {
    try {
      container.start();
    } catch (RuntimeException failed) {
      container.stop();
      throw failed;
    }
  }

  private void remove(String container) {
    try {
      client
          .removeContainerCmd(container)
          .withForce(true)
          .withRemoveVolumes(true)
          .exec();
    } catch (NotFoundException gone) {
      // Somebody else cleaned up first.
    }
  }

  private record ContainedPostgres(PostgreSQLContainer container, DatabaseUrl url)
      implements PostgresService {
    @Override
    public void close() {
      container.stop();
    }
  }

  private record ContainedRedis(DockerClient client, GenericContainer<?> container, int port)
      implements RedisService {
    @Override
    public String url() {
      return "redis://" + container.getHost() + ":" + port;
    }

    @Override
    public void stop() {
      client.killContainerCmd(container.getContainerId()).exec();
      client.waitContainerCmd(container.getContainerId()).start().awaitStatusCode();
    }

    @Override
    public void start() {
      client.startContainerCmd(container.getContainerId()).exec();
      RedisPing.await(container.getHost(), port);
    }

    @Override
    public void close() {
      container.stop();
    }
  }
}
