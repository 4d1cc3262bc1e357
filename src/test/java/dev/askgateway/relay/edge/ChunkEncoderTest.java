package dev.askgateway.relay.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenEvent.Chunk;
import dev.askgateway.core.TokenEvent.Finished;
import dev.askgateway.core.TokenEvent.Metered;
import dev.askgateway.core.TokenEvent.Reasoning;
import dev.askgateway.core.TokenEvent.Text;
import dev.askgateway.core.TokenEvent.ToolCall;
import dev.askgateway.core.Usage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkEncoderTest {
  private static final Answering ANSWERING = new Answering("chatcmpl-1", 1_800_000_000L, "m\"odel");
  private static final Usage USED = new Usage(7, 2, 1, 5, 3, false);

  /** The data of all events, the end among them. */
  private static List<String> data(boolean includeUsage, TokenEvent... events) {
    ChunkEncoder encoder = new ChunkEncoder(ANSWERING, includeUsage);
    Buffer out = Buffer.buffer();
    for (TokenEvent event : events) {
      encoder.encode(event, out);
    }
    encoder.end(USED, out);
    List<String> data = new ArrayList<>();
    for (String frame : out.toString().split("\n\n", -1)) {
      if (!frame.isEmpty()) {
        assertThat(frame).startsWith("data: ").doesNotContain("\n");
        data.add(frame.substring(6));
      }
    }
    assertThat(data).last().isEqualTo("[DONE]");
    return data.subList(0, data.size() - 1);
  }

  private static List<JsonObject> chunks(boolean includeUsage, TokenEvent... events) {
    return data(includeUsage, events).stream().map(JsonObject::new).toList();
  }

  private static JsonObject choice(JsonObject chunk) {
    return chunk.getJsonArray("choices").getJsonObject(0);
  }

  private static String joined(List<JsonObject> chunks, String member) {
    return chunks.stream()
        .map(chunk -> choice(chunk).getJsonObject("delta").getString(member, ""))
        .collect(Collectors.joining());
  }

  @Test
  @DisplayName("every chunk names the completion, the first says who speaks, the last why it ends")
  void plain() {
    List<JsonObject> chunks =
        chunks(false, new Text("Hello"), new Text(" you"), new Finished(FinishReason.LENGTH));

    assertThat(chunks).hasSize(3).allSatisfy(chunk -> {
      assertThat(chunk.getString("id")).isEqualTo("chatcmpl-1");
      assertThat(chunk.getString("object")).isEqualTo("chat.completion.chunk");
      assertThat(chunk.getLong("created")).isEqualTo(1_800_000_000L);
      assertThat(chunk.getString("model")).isEqualTo("m\"odel");
      assertThat(chunk.containsKey("usage")).isFalse();
    });
    assertThat(choice(chunks.get(0)).getJsonObject("delta"))
        .isEqualTo(new JsonObject().put("role", "assistant").put("content", "Hello"));
    assertThat(choice(chunks.get(1)).getJsonObject("delta"))
        .isEqualTo(new JsonObject().put("content", " you"));
    assertThat(choice(chunks.get(1)).getString("finish_reason")).isNull();
    assertThat(choice(chunks.get(2)).getString("finish_reason")).isEqualTo("length");
  }

  @Test
  @DisplayName("usage comes in a chunk of its own, for whoever asked")
  void usage() {
    List<JsonObject> chunks = chunks(true, new Text("x"), new Metered(USED));

    assertThat(chunks).hasSize(3);
    assertThat(chunks.get(0).containsKey("usage")).isTrue();
    assertThat(chunks.get(0).getValue("usage")).isNull();
    JsonObject last = chunks.get(2);
    assertThat(last.getJsonArray("choices")).isEmpty();
    JsonObject usage = last.getJsonObject("usage");
    assertThat(usage.getInteger("prompt_tokens")).isEqualTo(10);
    assertThat(usage.getInteger("completion_tokens")).isEqualTo(5);
    assertThat(usage.getInteger("total_tokens")).isEqualTo(15);
    assertThat(usage.getJsonObject("prompt_tokens_details").getInteger("cached_tokens"))
        .isEqualTo(2);
    assertThat(usage.getJsonObject("completion_tokens_details").getInteger("reasoning_tokens"))
        .isEqualTo(3);
  }

  @Test
  @DisplayName("chunks of upstream go out as they are, and nothing is told twice")
  void verbatim() {
    String first =
        "{\"choices\":[{\"delta\":{\"content\":\"Hi\",\"unknown\":[1, 2.0]}}],\"x\":\"é\"}";
    String last = "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}";
    String usage = "{\"choices\":[],\"usage\":{\"prompt_tokens\":9}}";
    TokenEvent[] events = {
      new Chunk(Buffer.buffer(first), 2, 0, false),
      new Finished(FinishReason.STOP), // before or after its chunk
      new Chunk(Buffer.buffer(last), 0, 0, false),
      new Metered(USED),
      new Chunk(Buffer.buffer(usage), 0, 0, true)
    };

    assertThat(data(false, events)).containsExactly(first, last);
    assertThat(data(true, events)).containsExactly(first, last, usage);
  }

  @Test
  @DisplayName("whoever asked for usage gets ours when upstream's chunks have none of their own")
  void usageOfOurs() {
    List<JsonObject> chunks =
        chunks(true, new Chunk(Buffer.buffer("{\"choices\":[{\"delta\":{}}]}"), 0, 0, false));

    assertThat(chunks).hasSize(2);
    assertThat(chunks.get(1).getJsonObject("usage").getInteger("total_tokens")).isEqualTo(15);
  }

  @Test
  @DisplayName("a tool call comes in pieces under its index")
  void toolCalls() {
    List<JsonObject> chunks = chunks(
        false,
        new ToolCall(0, "call_1", "look\"up", "", "sig"),
        new ToolCall(0, "", "", "{\"a\":\"\uD83D", ""),
        new ToolCall(1, "call_2", "b", "{}", ""),
        new ToolCall(0, "", "", "\uDE00\"}", ""),
        new Finished(FinishReason.TOOL_CALLS));

    List<JsonObject> calls = chunks.subList(0, 4).stream()
        .map(chunk ->
            choice(chunk).getJsonObject("delta").getJsonArray("tool_calls").getJsonObject(0))
        .toList();
    assertThat(calls.get(0))
        .isEqualTo(new JsonObject()
            .put("index", 0)
            .put("id", "call_1")
            .put("type", "function")
            .put("function", new JsonObject().put("name", "look\"up").put("arguments", ""))
            .put(
                "extra_content",
                new JsonObject().put("google", new JsonObject().put("thought_signature", "sig"))));
    assertThat(calls.get(3).getInteger("index")).isZero();
    assertThat(calls.get(1).getJsonObject("function").getString("arguments")
            + calls.get(3).getJsonObject("function").getString("arguments"))
        .isEqualTo("{\"a\":\"\uD83D\uDE00\"}");
    assertThat(choice(chunks.get(4)).getString("finish_reason")).isEqualTo("tool_calls");
  }

  @Test
  @DisplayName(
      "half a pair waits for its other half, also across reasoning, and stands in at the end")
  void halves() {
    List<JsonObject> chunks = chunks(
        false,
        new Text("a\uD83D"),
        new Reasoning("r"),
        new Text("\uDE00b\uDE00"),
        new Text("\uD83D"));

    assertThat(joined(chunks, "content")).isEqualTo("a\uD83D\uDE00b\uFFFD\uFFFD");
    assertThat(joined(chunks, "reasoning_content")).isEqualTo("r");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8})
  @DisplayName("any text, cut anywhere, is what a JSON parser reads")
  void anyText(long seed) {
    Random random = new Random(seed);
    StringBuilder made = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      int most = List.of(0x20, 0x80, 0x800, 0x10000, 0x110000).get(random.nextInt(5));
      int point = random.nextInt(most);
      made.appendCodePoint(
          point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? '"' : point);
    }
    String whole = made.toString();
    List<TokenEvent> events = new ArrayList<>();
    for (int at = 0; at < whole.length(); ) {
      int end = Math.min(whole.length(), at + 1 + random.nextInt(random.nextBoolean() ? 3 : 9000));
      events.add(new Text(whole.substring(at, end)));
      at = end;
    }

    assertThat(joined(chunks(false, events.toArray(TokenEvent[]::new)), "content"))
        .isEqualTo(whole);
  }

  @Test
  @DisplayName("a failure after the head is an event with its code, then the end marker")
  void failure() {
    Buffer out = Buffer.buffer();

    new ChunkEncoder(ANSWERING, false)
        .fail(new GatewayError(GatewayError.Code.PROVIDER_TIMEOUT, "Too slow."), out);

    String[] frames = out.toString().split("\n\n");
    assertThat(new JsonObject(frames[0].substring(6)).getJsonObject("error"))
        .isEqualTo(new JsonObject()
            .put("message", "Too slow.")
            .put("type", "server_error")
            .put("param", null)
            .put("code", "provider_timeout"));
    assertThat(frames[1]).isEqualTo("data: [DONE]");
  }
}
