package dev.askgateway.intake.ask;

import dev.askgateway.answer.AskCommand;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.SafeText;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One request to ask, read and checked.
 *
 * @param fromSdk whether it has the form of the AI SDK's transport
 * @param stream the body's own wish for an event stream, or null
 */
public record Ask(
    AskCommand command, boolean fromSdk, @Nullable Boolean stream) {
  private static final String DEFAULT_PROFILE = "assistant_grounded";
  private static final Set<String> ZONES = ZoneId.getAvailableZoneIds();
  private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  /**
   * Reads a body that the contract has passed.
   *
   * @param place where the path says the turn goes; the body may name another thread only for {@link
   *     AskCommand.NewThread}
   * @param key the idempotency header, or null
   * @throws GatewayError invalid_request with the field's JSON pointer
   */
  public static Ask of(
      UserId user, AskCommand.Target place, JsonObject body, @Nullable String key) {
    Asked asked = place instanceof AskCommand.Search ? Asked.ofQuery(body) : Asked.of(body);
    AskCommand.Target target = target(place, body, asked);
    Scope scope = Scopes.of(body, target);
    ZoneId zone = zone(body.getString("timezone"));
    Instant at = at(body.getString("at"));
    String named = body.getString("profile");
    String profile = named == null ? DEFAULT_PROFILE : named;
    AskCommand command = new AskCommand(
        user,
        requestId(user, target, body, asked, key),
        target,
        asked.text(),
        scope,
        zone,
        at,
        profile,
        fingerprint(target, asked.text(), scope, zone, at, profile),
        Span.NONE);
    return new Ask(command, asked.fromSdk(), body.getBoolean("stream"));
  }

  private static AskCommand.Target target(AskCommand.Target place, JsonObject body, Asked asked) {
    String thread = body.getString("threadId");
    if (place instanceof AskCommand.NewThread) {
      if (thread != null) {
        return new AskCommand.ExistingThread(UUID.fromString(thread));
      }
      return asked.fromSdk() && body.getString("id") != null
          ? new AskCommand.ClientThread(clientKey(body.getString("id")))
          : place;
    }
    boolean same = place instanceof AskCommand.ExistingThread there
        && thread != null
        && there.threadId().equals(UUID.fromString(thread));
    if (thread != null && !same && !(place instanceof AskCommand.Search)) {
      throw GatewayError.invalid("/threadId", "The path names another thread.");
    }
    return place;
  }

  /**
   * The key of an app's thread as it is stored.
   *
   * @throws GatewayError when nothing of it can be
   */
  public static String clientKey(String raw) {
    String key = SafeText.clean(raw).strip();
    if (key.isEmpty() || key.length() > 256) {
      throw GatewayError.invalid("/id", "The chat id is 1 to 256 characters long.");
    }
    return key;
  }

  private static @Nullable ZoneId zone(@Nullable String name) {
    if (name == null) {
      return null;
    }
    if (!ZONES.contains(name)) {
      throw GatewayError.invalid("/timezone", "The time zone is not an IANA name.");
    }
    return ZoneId.of(name);
  }

  private static @Nullable Instant at(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      Instant at = OffsetDateTime.parse(text).toInstant();
      if (!at.isBefore(EARLIEST) && at.isBefore(LATEST)) {
        return at;
      }
    } catch (DateTimeException notAnInstant) {
      // refused below, like one that is out of range
    }
    throw GatewayError.invalid("/at", "The instant is not ISO 8601 with an offset.");
  }

  private static UUID requestId(
      UserId user, AskCommand.Target target, JsonObject body, Asked asked, @Nullable String key) {
    String named = body.getString("requestId");
    if (named != null) {
      return UUID.fromString(named);
    }
    if (key != null) {
      return isUuid(key) ? UUID.fromString(key) : RequestIds.derived(user, "key", key);
    }
    boolean again = "regenerate-message".equals(body.getString("trigger"));
    String id = body.getString("id");
    return asked.fromSdk() && asked.messageId() != null && id != null && !again
        ? RequestIds.derived(user, "sdk", id, name(target), asked.messageId(), asked.text())
        : UUID.randomUUID();
  }

  private static boolean isUuid(String text) {
    return text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  }

  private static Buffer fingerprint(
      AskCommand.Target target,
      String question,
      Scope scope,
      @Nullable ZoneId zone,
      @Nullable Instant at,
      String profile) {
    JsonArray chats = new JsonArray();
    scope.chatIds().stream().map(UUID::toString).sorted().forEach(chats::add);
    JsonObject canonical = new JsonObject()
        .put("target", name(target))
        .put("question", question)
        .put("scope", scope.kind().name())
        .put("chats", chats)
        .put("timezone", zone == null ? null : zone.getId())
        .put("at", at == null ? null : at.toString())
        .put("profile", profile);
    return Buffer.buffer(RequestIds.sha256(canonical.encode()));
  }

  private static String name(AskCommand.Target target) {
    if (target instanceof AskCommand.ClientThread client) {
      return "client:" + client.key();
    }
    if (target instanceof AskCommand.ExistingThread thread) {
      return "thread:" + thread.threadId();
    }
    if (target instanceof AskCommand.ChatThread chat) {
      return "chat:" + chat.chatId();
    }
    return target instanceof AskCommand.Search ? "search" : "new";
  }
}
