package dev.askgateway.provider.check;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that came of one call.
 *
 * @param texts how many pieces of text
 * @param text the text, or as much of it as is kept; never shown
 * @param calls the calls by their index; a gap is a call without name and id
 * @param usage the last one told, or null
 * @param reasons how often a reason to stop was told
 * @param afterReason pieces of content that came after it
 * @param ends how often an end was told, good or bad
 * @param afterwards what was told after the end or the cancel
 * @param failure how it ended, or null for well or cancelled
 * @param firstTextMillis from the start to the first text
 * @param lastTextMillis from the start to the last text
 * @param millis from the start to the end or the cancel
 */
record Heard(
    int texts,
    String text,
    List<Call> calls,
    @Nullable Usage usage,
    int reasons,
    int afterReason,
    int ends,
    int afterwards,
    @Nullable GatewayError failure,
    long firstTextMillis,
    long lastTextMillis,
    long millis) {

  /** A tool call, its pieces joined. */
  record Call(String id, String name, String arguments) {
    static final Call NONE = new Call("", "", "");

    Call and(String moreId, String moreName, String moreArguments) {
      return new Call(id + moreId, name + moreName, arguments + moreArguments);
    }
  }
}
