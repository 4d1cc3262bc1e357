package dev.askgateway.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.threadchecker.BlockedThreadChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.slf4j.LoggerFactory;

class BlockedLoopWatchTest {

  @Test
  @DisplayName("a class whose test blocks an event loop fails, and the report shows where")
  void blockingFails() {
    var results = new Results();

    run(Blocking.class, results);

    assertThat(results.tests)
        .extracting(TestExecutionResult::getStatus)
        .containsExactly(Status.SUCCESSFUL);
    assertThat(results.failures)
        .singleElement()
        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("vert.x-eventloop-thread-")
        .hasMessageContaining("has been blocked")
        .hasMessageContaining("holdTheLoop");
  }

  @Test
  @DisplayName("a class that blocks only a worker passes")
  void workersMayBlock() {
    var results = new Results();

    run(Working.class, results);

    assertThat(results.tests)
        .extracting(TestExecutionResult::getStatus)
        .containsExactly(Status.SUCCESSFUL);
    assertThat(results.failures).isEmpty();
  }

  private static void run(Class<?> tests, Results results) {
    var request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build();
    LauncherFactory.create().execute(request, results);
  }

  private static final class Results implements TestExecutionListener {
    final List<TestExecutionResult> tests = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
      if (identifier.isTest()) {
        tests.add(result);
      } else {
        result.getThrowable().ifPresent(failures::add);
      }
    }
  }

  /** Keeps a thread busy until Vert.x has warned of it: no guess about time is needed. */
  private static final class Warned extends AppenderBase<ILoggingEvent> {
    private final CountDownLatch warned = new CountDownLatch(1);
    private final Logger logger =
        (Logger) LoggerFactory.getLogger(BlockedThreadChecker.LOGGER_NAME);

    Warned() {
      setContext(logger.getLoggerContext());
      start();
      logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      warned.countDown();
    }

    boolean holdTheLoop() throws InterruptedException {
      try {
        return warned.await(20, TimeUnit.SECONDS);
      } finally {
        logger.detachAppender(this);
      }
    }
  }

  private static Vertx impatientVertx() {
    return Vertx.vertx(new VertxOptions()
        .setBlockedThreadCheckInterval(10)
        .setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
        .setMaxEventLoopExecuteTime(50)
        .setMaxWorkerExecuteTimeUnit(TimeUnit.MILLISECONDS)
        .setMaxWorkerExecuteTime(50));
  }

  /** Run by hand above; no test of the build finds a nested class. */
  static class Blocking {
    @Test
    void blocks() {
      var vertx = impatientVertx();
      var warned = new Warned();
      var held = Future.<Boolean>future(promise -> vertx.runOnContext(now -> {
        try {
          promise.complete(warned.holdTheLoop());
        } catch (InterruptedException interrupted) {
          promise.fail(interrupted);
        }
      }));
      assertThat(held.await()).isTrue();
      vertx.close().await();
    }
  }

  /** Run by hand above; no test of the build finds a nested class. */
  static class Working {
    @Test
    void blocks() {
      var vertx = impatientVertx();
      var warned = new Warned();
      assertThat(vertx.executeBlocking(warned::holdTheLoop).await()).isTrue();
      vertx.close().await();
    }
  }
}
