package dev.askgateway.provider.gemini;

import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.Lenient;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tool calls of one answer. Most come whole. One that is streamed begins with its name, goes on in
 * pieces that say where in the arguments they belong, and ends with an empty call, with the next call
 * or with the answer; it is told when it is whole.
 */
final class GeminiCalls {
  private static final String MADE = "gcall_";

  /** What other vendors take as an id, in case the call goes to one of them in the next turn. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]{1,24}");

  private int count;
  private @Nullable Streamed open;

  /** A call whose arguments are still coming. */
  private static final class Streamed {
    private final String id;
    private final String name;
    private final PartialArguments arguments = new PartialArguments();
    private String signature = "";

    private Streamed(String id, String name) {
      this.id = id;
      this.name = name;
    }
  }

  /** Whether the id was made here, so that the model does not know it. */
  static boolean isMade(String id) {
    return id.startsWith(MADE);
  }

  /** Whether there was a call. */
  boolean any() {
    return count > 0;
  }

  void read(JsonObject call, String signature, String responseId, Consumer<TokenEvent> out) {
    String name = Lenient.text(call, "name");
    boolean goesOn = Boolean.TRUE.equals(call.getValue("willContinue"));
    boolean pieces = call.containsKey("partialArgs");
    if (!name.isEmpty()) {
      close(out);
      String id = id(Lenient.text(call, "id"), responseId);
      if (!goesOn && !pieces) {
        tell(id, name, Lenient.object(call, "args").encode(), signature, out);
        return;
      }
      open = new Streamed(id, name);
    }
    Streamed current = open;
    if (current == null) {
      return; // an end of nothing
    }
    current.arguments.addAll(Lenient.array(call, "partialArgs"));
    current.signature = signature.isEmpty() ? current.signature : signature;
    boolean says = goesOn || pieces;
    if (!says || Boolean.FALSE.equals(call.getValue("willContinue"))) {
      close(out);
    }
  }

  /** Tells the call that is still open, if there is one. */
  void close(Consumer<TokenEvent> out) {
    Streamed ending = open;
    if (ending != null) {
      open = null;
      tell(ending.id, ending.name, ending.arguments.json(), ending.signature, out);
    }
  }

  private void tell(
      String id, String name, String arguments, String signature, Consumer<TokenEvent> out) {
    out.accept(new TokenEvent.ToolCall(count++, id, name, arguments, signature));
  }

  /** The id, or one that is the same whenever this answer is read and that no other answer has. */
  private String id(String given, String responseId) {
    if (!given.isEmpty()) {
      return given;
    }
    String plain = responseId.substring(0, Math.min(24, responseId.length()));
    return MADE + (PLAIN.matcher(plain).matches() ? plain + "_" : "") + count;
  }
}
