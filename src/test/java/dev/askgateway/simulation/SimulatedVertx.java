package dev.askgateway.simulation;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one event loop of a node's life in simulated time: timers, and tasks in the order in which they came.
 * Once the life is over none of them is run. What the gateway does not use is not there.
 */
final class SimulatedVertx implements InvocationHandler {
  private final Schedule schedule;
  private final BooleanSupplier alive;
  private final ArrayDeque<Handler<Void>> tasks = new ArrayDeque<>();
  private final Set<Long> timers = new HashSet<>();
  private final Context context = proxy(Context.class, this::onContext);
  private long made;

  private SimulatedVertx(Schedule schedule, BooleanSupplier alive) {
    this.schedule = schedule;
    this.alive = alive;
  }

  static Vertx of(Schedule schedule, BooleanSupplier alive) {
    return proxy(Vertx.class, new SimulatedVertx(schedule, alive));
  }

  static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(
        SimulatedVertx.class.getClassLoader(),
        new Class<?>[] {type},
        (self, method, arguments) -> switch (method.getName()) {
          case "hashCode" -> System.identityHashCode(self);
          case "equals" -> self == arguments[0];
          case "toString" -> "simulated " + type.getSimpleName();
          default -> handler.invoke(self, method, arguments);
        }));
  }

  static UnsupportedOperationException unknown(Method method) {
    return new UnsupportedOperationException("not simulated: " + method);
  }

  @Override
  public @Nullable Object invoke(Object self, Method method, Object[] arguments) {
    switch (method.getName()) {
      case "getOrCreateContext":
        return context;
      case "cancelTimer":
        return timers.remove((Long) arguments[0]);
      case "setTimer":
        return timer((Long) arguments[0], handler(arguments[1]));
      case "setPeriodic":
        return periodic((Long) arguments[0], handler(arguments[1]));
      case "timer":
        return later((Long) arguments[0]);
      default:
        throw unknown(method);
    }
  }

  private @Nullable Object onContext(Object self, Method method, Object[] arguments) {
    if (!method.getName().equals("runOnContext")) {
      throw unknown(method);
    }
    tasks.add(handler(arguments[0]));
    in(0, () -> tasks.remove().handle(null));
    return null;
  }

  @SuppressWarnings("unchecked")
  private static <T> Handler<T> handler(Object argument) {
    return (Handler<T>) argument;
  }

  private void in(long millis, Runnable action) {
    schedule.in(millis, () -> {
      if (alive.getAsBoolean()) {
        action.run();
      }
    });
  }

  private long timer(long millis, Handler<Long> handler) {
    long id = ++made;
    timers.add(id);
    in(millis, () -> {
      if (timers.remove(id)) {
        handler.handle(id);
      }
    });
    return id;
  }

  private long periodic(long millis, Handler<Long> handler) {
    long id = ++made;
    timers.add(id);
    tick(id, millis, handler);
    return id;
  }

  private void tick(long id, long millis, Handler<Long> handler) {
    in(millis, () -> {
      if (timers.contains(id)) {
        handler.handle(id);
        tick(id, millis, handler);
      }
    });
  }

  private Timer later(long millis) {
    Promise<Void> due = Promise.promise();
    in(millis, due::complete);
    Future<Void> future = due.future();
    return proxy(Timer.class, (self, method, arguments) -> {
      try {
        return method.invoke(future, arguments);
      } catch (InvocationTargetException thrown) {
        throw thrown.getCause();
      }
    });
  }
}
