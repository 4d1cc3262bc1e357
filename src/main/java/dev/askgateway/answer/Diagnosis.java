package dev.askgateway.answer;

import org.jspecify.annotations.Nullable;

/** What a log may say of a failure: the classes of its causes, never their messages. */
final class Diagnosis {
  private Diagnosis() {}

  static String of(@Nullable Throwable failure) {
    StringBuilder chain = new StringBuilder();
    int depth = 0;
    for (Throwable at = failure; at != null && depth < 5; at = at.getCause(), depth++) {
      chain.append(depth == 0 ? "" : " < ").append(at.getClass().getName());
      StackTraceElement[] stack = at.getStackTrace();
      if (stack.length > 0) {
        chain
            .append('@')
            .append(stack[0].getFileName())
            .append(':')
            .append(stack[0].getLineNumber());
      }
    }
    return chain.toString();
  }
}
