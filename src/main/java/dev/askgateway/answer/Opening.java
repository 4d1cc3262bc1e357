package dev.askgateway.answer;

import dev.askgateway.core.Prompt;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.Scope;
import dev.askgateway.core.trace.Span;
import dev.askgateway.store.Begin;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a command becomes: the begun turn's arguments, and then the question of its run. */
record Opening(AnswerConfig config, Clock clock, String node) {

  /** What the begin function is called with. */
  Begin begin(AskCommand command, Engine.Route route) {
    AskCommand.Target target = command.target();
    return new Begin(
        command.user(),
        command.requestId(),
        command.fingerprint(),
        kind(target),
        target instanceof AskCommand.ExistingThread thread ? thread.threadId() : null,
        target instanceof AskCommand.ClientThread client ? client.key() : null,
        target instanceof AskCommand.ChatThread chat ? chat.chatId() : null,
        command.scope().chatIds(),
        command.question(),
        command.profile(),
        node,
        config.lease(),
        route.worstCaseMicroUsd(),
        route.priceBook(),
        config.recentTurns());
  }

  private static String kind(AskCommand.Target target) {
    if (target instanceof AskCommand.ExistingThread) {
      return "thread";
    } else if (target instanceof AskCommand.ClientThread) {
      return "client";
    } else if (target instanceof AskCommand.ChatThread) {
      return "chat";
    } else if (target instanceof AskCommand.Search) {
      return "search";
    }
    return "new";
  }

  /** What the run answers, with all that its begun turn settled. */
  Question question(
      AskCommand command,
      Engine.Route route,
      JsonObject row,
      StoredAnswer begun,
      long askedNanos,
      Span span) {
    Instant at = command.at();
    ZoneId zone = command.zone();
    return new Question(
        command.user(),
        command.requestId(),
        begun,
        command.question(),
        scope(command.scope(), row, begun),
        at == null ? clock.instant() : at,
        zone == null ? zone(row.getString("timezone")) : zone,
        command.profile(),
        route,
        recent(row),
        askedNanos,
        span);
  }

  /** A chat's thread answers about that chat only, whatever the question named. */
  private static Scope scope(Scope asked, JsonObject row, StoredAnswer begun) {
    return row.getBoolean("chatThread", false)
        ? Scope.strict(begun.scopeChatIds().get(0))
        : asked;
  }

  private static ZoneId zone(@Nullable String account) {
    try {
      return account == null ? ZoneOffset.UTC : ZoneId.of(account);
    } catch (DateTimeException notAZone) {
      return ZoneOffset.UTC;
    }
  }

  private static List<RecentTurn> recent(JsonObject row) {
    return row.getJsonArray("recent").stream()
        .map(item -> (JsonObject) item)
        .map(turn -> new RecentTurn(
            "user".equals(turn.getString("role")) ? Prompt.Role.USER : Prompt.Role.ASSISTANT,
            turn.getString("content")))
        .toList();
  }
}
