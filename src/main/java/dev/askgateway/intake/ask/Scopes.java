package dev.askgateway.intake.ask;

import dev.askgateway.answer.AskCommand;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Scope;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the scope in both of its forms, nested and flat, and refuses one that contradicts itself. */
final class Scopes {
  private Scopes() {}

  static Scope of(JsonObject body, AskCommand.Target target) {
    Scope nested = nested(body.getJsonObject("scope"));
    List<UUID> flat = ids(body.getJsonArray("chatIds"));
    if (!flat.isEmpty() && nested != null && !isSame(nested, flat)) {
      throw GatewayError.invalid("/chatIds", "The chats contradict the scope.");
    }
    Scope said = nested != null ? nested : flat.isEmpty() ? null : Scope.preferred(flat);
    if (target instanceof AskCommand.ChatThread chat) {
      if (said != null && !said.chatIds().equals(List.of(chat.chatId()))) {
        throw GatewayError.invalid(
            nested != null ? "/scope" : "/chatIds",
            "A chat's own thread asks about that chat only.");
      }
      return Scope.strict(chat.chatId());
    }
    return said == null ? Scope.GLOBAL : said;
  }

  private static boolean isSame(Scope nested, List<UUID> flat) {
    return nested.kind() == Scope.Kind.PREFERRED
        && new HashSet<>(nested.chatIds()).equals(new HashSet<>(flat));
  }

  private static @Nullable Scope nested(@Nullable JsonObject scope) {
    if (scope == null) {
      return null;
    }
    List<UUID> chats = ids(scope.getJsonArray("chatIds"));
    String chat = scope.getString("chatId");
    return switch (kind(scope)) {
      case "global" -> {
        if (!chats.isEmpty() || chat != null) {
          throw GatewayError.invalid("/scope", "A global scope names no chats.");
        }
        yield Scope.GLOBAL;
      }
      case "preferred" -> {
        if (chats.isEmpty() || chat != null) {
          throw GatewayError.invalid("/scope/chatIds", "A preferred scope names 1 to 5 chats.");
        }
        yield Scope.preferred(chats);
      }
      default -> {
        if (chat == null || !chats.isEmpty()) {
          throw GatewayError.invalid("/scope/chatId", "A strict scope names one chat.");
        }
        yield Scope.strict(UUID.fromString(chat));
      }
    };
  }

  private static String kind(JsonObject scope) {
    String type = scope.getString("type");
    String kind = scope.getString("kind");
    if (type != null && kind != null && !type.equals(kind)) {
      throw GatewayError.invalid("/scope/kind", "The scope's type and kind differ.");
    }
    if (type != null) {
      return type;
    }
    if (kind != null) {
      return kind;
    }
    throw GatewayError.invalid("/scope/type", "The scope's type is missing.");
  }

  /** Each chat once; the contract has checked their form and number. */
  private static List<UUID> ids(@Nullable JsonArray ids) {
    return ids == null
        ? List.of()
        : ids.stream().map(id -> UUID.fromString(id.toString())).distinct().toList();
  }
}
