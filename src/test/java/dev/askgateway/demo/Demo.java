package dev.askgateway.demo;

import dev.askgateway.cli.Sentence;
import dev.askgateway.devservices.DevServicesException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * {@code mvn -q -Pdemo}: starts everything, says how to ask, and runs until it is told to stop. A
 * start that fails ends in one sentence and exit code 1.
 */
public final class Demo {
  private Demo() {}

  public static void main(String[] arguments) throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    if (!starts(stopped)) {
      System.exit(1);
    }
    while (!stopped.await(1, TimeUnit.DAYS)) {
      // runs until a signal starts the hook
    }
  }

  private static boolean starts(CountDownLatch stopped) {
    DemoRun run;
    try {
      run = new DemoRun(DemoOptions.of(System.getProperties()), Demo::say);
    } catch (DemoRun.Unusable known) {
      say(known.getMessage());
      return false;
    }
    Runtime.getRuntime()
        .addShutdownHook(new Thread(
            () -> {
              run.close();
              stopped.countDown();
            },
            "demo-stop"));
    try {
      run.start();
      return true;
    } catch (DevServicesException | DemoRun.Unusable known) {
      sayUnlessStopping(run, known.getMessage());
    } catch (Exception broken) {
      sayUnlessStopping(run, Sentence.of(broken));
    }
    return false;
  }

  /** What a start says that Ctrl-C ended is nobody's concern. */
  private static void sayUnlessStopping(DemoRun run, String line) {
    if (!run.isStopping()) {
      say(line);
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
