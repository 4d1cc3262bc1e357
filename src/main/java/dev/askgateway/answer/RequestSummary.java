package dev.askgateway.answer;

import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.Route;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one request came to when it ended: ids, names and numbers, never content. Names are as they
 * were asked for; who shows them decides which may be shown.
 *
 * @param turnId null, like threadId, for what is kept in no thread
 * @param profile what was asked for: a profile, or at the edge one model's id
 * @param route where evidence was looked for; null when it was not
 * @param windows how many pieces of evidence were found
 * @param sources how many of them the answer cites
 * @param calls of models, repeats and hedges among them
 * @param fallback whether another model than the first one gave the answer
 * @param estimatedMicroUsd what was held: the most that it could have cost
 * @param firstStatus from the request to the first status; null when there was none
 * @param firstOutput from the request to the first output of any kind; null when there was none
 * @param total from the request to the end
 */
public record RequestSummary(
    Kind kind,
    UUID requestId,
    @Nullable UUID turnId,
    @Nullable UUID threadId,
    String profile,
    @Nullable Route route,
    int windows,
    int sources,
    int calls,
    boolean fallback,
    long estimatedMicroUsd,
    @Nullable Duration firstStatus,
    @Nullable Duration firstOutput,
    Duration total,
    AnswerEvent.Ended end) {

  /** What was asked for. */
  public enum Kind {
    ANSWER,
    CHAT,
    EMBEDDING
  }

  /** How it was answered, or why not. */
  public enum Result {
    /** By the model that was asked first. */
    FIRST_MODEL,
    /** By another one. */
    FALLBACK,
    /** Without a model. */
    NO_CALL,
    /** Failed before anything was shown. */
    FAILED,
    /** Failed after something was shown. */
    BROKEN,
    CANCELLED
  }

  /** The one result of it. */
  public Result result() {
    return switch (end.state()) {
      case COMPLETED ->
        calls == 0 ? Result.NO_CALL : fallback ? Result.FALLBACK : Result.FIRST_MODEL;
      case CANCELLED -> Result.CANCELLED;
      case FAILED, PENDING, STREAMING -> firstOutput == null ? Result.FAILED : Result.BROKEN;
    };
  }
}
