package dev.askgateway.devservices;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.PullResponseItem;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.testcontainers.dockerclient.DockerClientProviderStrategy;
import org.testcontainers.dockerclient.TransportConfig;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/**
 * Sees to it that the images are on the machine before Testcontainers looks for them: it would try
 * each for minutes where they cannot be had, and its own client starts with pulling its reaper.
 */
final class DockerImages {
  /** The image that this version of Testcontainers starts before all others; its own constant is hidden. */
  static final String REAPER = "testcontainers/ryuk:0.14.0";

  private static final Duration PULL = Duration.ofMinutes(3);

  private final DockerClient client;
  private final Consumer<String> progress;

  private DockerImages(DockerClient client, Consumer<String> progress) {
    this.client = client;
    this.progress = progress;
  }

  /**
   * Returns when all images are there.
   *
   * @throws IOException naming the first one that cannot be had
   */
  static void require(List<String> names, Consumer<String> progress) throws IOException {
    var needed = new ArrayList<String>();
    if (!Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED"))) {
      needed.add(REAPER);
    }
    needed.addAll(names);
    var host = URI.create(DockerEngine.host(System.getenv()));
    if (Boolean.parseBoolean(System.getenv("DOCKER_TLS_VERIFY"))
        || "https".equals(host.getScheme())) {
      return; // only Testcontainers knows the certificates
    }
    var transport = TransportConfig.builder().dockerHost(host).build();
    try (var client = DockerClientProviderStrategy.getClientForConfig(transport)) {
      var images = new DockerImages(client, progress);
      for (var name : needed) {
        images.require(ImageNameSubstitutor.instance()
            .apply(DockerImageName.parse(name))
            .asCanonicalNameString());
      }
    }
  }

  private void require(String image) throws IOException {
    try {
      client.inspectImageCmd(image).exec();
    } catch (NotFoundException absent) {
      progress.accept("Docker: pulling " + image);
      pull(image);
    }
  }

  private void pull(String image) throws IOException {
    try (var pulling =
        client.pullImageCmd(image).exec(new ResultCallback.Adapter<PullResponseItem>())) {
      if (!pulling.awaitCompletion(PULL.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(
            "pulling " + image + " was not done after " + PULL.toSeconds() + " s");
      }
      client.inspectImageCmd(image).exec();
    } catch (DockerException refused) {
      var hint =
          image.contains("ryuk") ? ", TESTCONTAINERS_RYUK_DISABLED=true does without it" : "";
      throw new IOException("the image " + image + " cannot be pulled" + hint, refused);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }
}
