package dev.askgateway.answer;

import dev.askgateway.core.AnswerSink;
import dev.askgateway.core.UserId;
import io.vertx.core.Future;
import java.util.UUID;

/** What the door needs of answers. One path behind every surface and both wire forms. */
public interface Answers {

  /**
   * Begins the answer, or joins the one that the same request id began, and feeds the sink.
   *
   * @return completes once the sink is attached; fails with a {@link
   *     dev.askgateway.core.GatewayError} before anything was written to it
   */
  Future<Void> ask(AskCommand command, AnswerSink sink);

  /**
   * Follows a request from its first event, running or finished, on any node.
   *
   * @return false when there is no such request
   */
  Future<Boolean> attach(UserId user, UUID requestId, AnswerSink sink);

  /**
   * Stops a running request at once, on whichever node it runs.
   *
   * @return whether it was running
   */
  Future<Boolean> cancel(UserId user, UUID requestId);
}
