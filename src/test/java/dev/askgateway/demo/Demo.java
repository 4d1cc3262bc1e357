package dev.askgateway.demo;

import dev.askgateway.cli.Sentence;
import dev.askgateway.devservices.DevServicesException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * {@code mvn -q -Pdemo}: starts everything, says how to ask, and runs until it is told to stop. A
 * start that fails ends in one sentence and exit code 1.
 */
public final class Demo {
  private static final String DEFAULT_PORT = "8080";

  private Demo() {}

  public static void main(String[] arguments) throws InterruptedException {
    String port = System.getProperty("port", DEFAULT_PORT);
    if (!port.matches("\\d{1,5}")
        || Integer.parseInt(port) < 1
        || Integer.parseInt(port) > 65_535) {
      say("-Dport=" + port + " is no port: it must be a number from 1 to 65535.");
      System.exit(1);
    }
    DemoRun run = new DemoRun(Integer.parseInt(port), Demo::say);
    CountDownLatch stopped = new CountDownLatch(1);
    AtomicBoolean failed = new AtomicBoolean();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(
            () -> {
              run.close();
              stopped.countDown();
            },
            "demo-stop"));
    try {
      run.start();
    } catch (DevServicesException | DemoRun.Unusable known) {
      failed.set(true);
      say(known.getMessage());
    } catch (Exception broken) {
      failed.set(true);
      say(Sentence.of(broken));
    }
    if (failed.get()) {
      System.exit(1);
    }
    while (!stopped.await(1, TimeUnit.DAYS)) {
      // runs until a signal starts the hook
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
