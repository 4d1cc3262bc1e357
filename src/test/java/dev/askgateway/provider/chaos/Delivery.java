package dev.askgateway.provider.chaos;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the bytes of a body go over the wire.
 *
 * @param lineEnd what ends a line in place of LF
 * @param mark whether a byte order mark comes first
 * @param cuts where the bytes are cut into chunks that arrive apart; null: before every byte
 */
public record Delivery(String lineEnd, boolean mark, List<Integer> cuts) {
  public static final Delivery AT_ONCE = new Delivery("\n", false, List.of());
  public static final Delivery BYTE_BY_BYTE = new Delivery("\n", false, null);

  public static Delivery cutAt(Integer... positions) {
    return new Delivery("\n", false, List.of(positions));
  }

  public Delivery withLineEnd(String other) {
    return new Delivery(other, mark, cuts);
  }

  public Delivery withMark() {
    return new Delivery(lineEnd, true, cuts);
  }

  List<Reply.Act> acts(String text) {
    Buffer bytes = Buffer.buffer((mark ? "\uFEFF" : "") + text.replace("\n", lineEnd));
    List<Integer> positions =
        cuts == null ? IntStream.range(1, bytes.length()).boxed().toList() : cuts;
    List<Reply.Act> acts = new ArrayList<>();
    int from = 0;
    for (int position : positions) {
      acts.add(new Reply.Chunk(bytes.getBuffer(from, position)));
      if (cuts != null) {
        acts.add(new Reply.Wait(5));
      }
      from = position;
    }
    acts.add(new Reply.Chunk(bytes.getBuffer(from, bytes.length())));
    return acts;
  }
}
