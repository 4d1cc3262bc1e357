package dev.askgateway.provider.chaos.fuzz;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Lets an object stand in for a large interface of which it has the few methods that are called. */
final class StandIn {
  private static final Map<Class<?>, Map<Method, Optional<Method>>> KNOWN =
      new ConcurrentHashMap<>();

  private StandIn() {}

  /** Calls go to the actor's method of that name and these parameters; all others are refused. */
  static <T> T as(Class<T> type, Object actor) {
    Map<Method, Optional<Method>> methods =
        KNOWN.computeIfAbsent(actor.getClass(), first -> new ConcurrentHashMap<>());
    Object stand = Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
          Method method = methods
              .computeIfAbsent(called, first -> find(actor.getClass(), first))
              .orElseThrow(() -> new UnsupportedOperationException(called.toString()));
          try {
            return method.invoke(actor, arguments);
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          }
        });
    return type.cast(stand);
  }

  private static Optional<Method> find(Class<?> type, Method called) {
    try {
      Method found = type.getDeclaredMethod(called.getName(), called.getParameterTypes());
      found.setAccessible(true);
      return Optional.of(found);
    } catch (NoSuchMethodException absent) {
      return Optional.empty();
    }
  }
}
