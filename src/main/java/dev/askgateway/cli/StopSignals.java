package dev.askgateway.cli;

import dev.askgateway.telemetry.LogLevels;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a supervisor, or Ctrl-C, tells the process. A shutdown hook would do for the first signal, but the
 * exit code would be the signal's however well all ended, and a second one would not be heard. Java has no
 * other way to the signals than {@code sun.misc.Signal}, and javac no way to name it without a warning.
 */
final class StopSignals implements Consumer<Runnable> {
  private static final Logger LOG = LoggerFactory.getLogger(StopSignals.class);
  private static final List<String> NAMES = List.of("TERM", "INT");
  private static final int KILLED = 128;

  private final AtomicBoolean told = new AtomicBoolean();

  /** @param stop run at the first signal, on a thread of its own; with the second the process is over */
  @Override
  public void accept(Runnable stop) {
    try {
      Class<?> signals = Class.forName("sun.misc.Signal");
      Class<?> handlers = Class.forName("sun.misc.SignalHandler");
      Method handle = signals.getMethod("handle", signals, handlers);
      Object handler = Proxy.newProxyInstance(
          handlers.getClassLoader(),
          new Class<?>[] {handlers},
          (self, method, arguments) -> came(method, arguments, stop));
      for (String name : NAMES) {
        handle.invoke(null, signals.getConstructor(String.class).newInstance(name), handler);
      }
    } catch (ReflectiveOperationException notOurs) { // the JVM was told to leave them alone
      Runtime.getRuntime().addShutdownHook(new Thread(stop, "ask-gateway-stop"));
    }
  }

  private @Nullable Object came(Method method, Object[] arguments, Runnable stop)
      throws ReflectiveOperationException {
    if (!method.getName().equals("handle")) {
      throw new UnsupportedOperationException(method.getName());
    }
    if (told.getAndSet(true)) {
      LOG.warn("stopped at once, by a second signal");
      LogLevels.close(); // no hook runs, and lines leave by a queue
      Object number = arguments[0].getClass().getMethod("getNumber").invoke(arguments[0]);
      Runtime.getRuntime().halt(KILLED + ((Integer) number));
    }
    stop.run();
    return null;
  }
}
