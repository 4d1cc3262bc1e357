package dev.askgateway.relay.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenEvent.Chunk;
import dev.askgateway.core.TokenEvent.Finished;
import dev.askgateway.core.TokenEvent.Reasoning;
import dev.askgateway.core.TokenEvent.Text;
import dev.askgateway.core.TokenEvent.ToolCall;
import dev.askgateway.core.Usage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CompletionCollectorTest {
  private static JsonObject collect(TokenEvent... events) {
    CompletionCollector collector = new CompletionCollector(new Answering("chatcmpl-1", 5, "m"));
    for (TokenEvent event : events) {
      collector.see(event);
    }
    return new JsonObject(collector.answer(new Usage(7, 0, 0, 5, 0, false)).encode());
  }

  private static Chunk chunk(String json) {
    return new Chunk(Buffer.buffer(json), 0, 0, false);
  }

  private static JsonObject choice(JsonObject answer) {
    return answer.getJsonArray("choices").getJsonObject(0);
  }

  private static JsonObject message(JsonObject answer) {
    return choice(answer).getJsonObject("message");
  }

  @Test
  @DisplayName("text and reasoning are joined; usage and reason stand at the end")
  void text() {
    JsonObject answer = collect(
        new Reasoning("hm"),
        new Text("a\uD83D"),
        new Text("\uDE00"),
        new Finished(FinishReason.LENGTH));

    assertThat(answer.getString("object")).isEqualTo("chat.completion");
    assertThat(answer.getString("id")).isEqualTo("chatcmpl-1");
    assertThat(message(answer).getString("role")).isEqualTo("assistant");
    assertThat(message(answer).getString("content")).isEqualTo("a\uD83D\uDE00");
    assertThat(message(answer).getString("reasoning_content")).isEqualTo("hm");
    assertThat(choice(answer).getString("finish_reason")).isEqualTo("length");
    assertThat(answer.getJsonObject("usage").getInteger("total_tokens")).isEqualTo(12);
  }

  @Test
  @DisplayName("tool calls are joined by their index, beside a content of null")
  void calls() {
    JsonObject answer = collect(
        new ToolCall(0, "c1", "f", "{\"a", "s1"),
        new ToolCall(1, "c2", "g", "{}", ""),
        new ToolCall(0, "", "", "\":1}", ""));

    assertThat(message(answer).containsKey("content")).isTrue();
    assertThat(message(answer).getString("content")).isNull();
    JsonArray calls = message(answer).getJsonArray("tool_calls");
    assertThat(calls.getJsonObject(0).getString("id")).isEqualTo("c1");
    assertThat(calls.getJsonObject(0).getJsonObject("function"))
        .isEqualTo(new JsonObject().put("name", "f").put("arguments", "{\"a\":1}"));
    assertThat(calls.getJsonObject(1).getJsonObject("function").getString("arguments"))
        .isEqualTo("{}");
  }

  @Test
  @DisplayName("upstream's chunks are merged, members nobody knows among them")
  void chunks() {
    JsonObject answer = collect(
        chunk("""
            {"id":"up-1","object":"chat.completion.chunk","model":"real","system_fingerprint":"fp",
             "choices":[{"index":0,"delta":{"role":"assistant","content":"He","annotations":[1]},
                         "logprobs":{"content":[{"token":"He"}]},"finish_reason":null}]}"""),
        chunk("""
            {"id":"up-1","choices":[{"index":0,"delta":{"content":"llo","tool_calls":[
                {"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":"{"}}]},
              "logprobs":{"content":[{"token":"llo"}]},"finish_reason":null}]}"""),
        chunk("""
            {"choices":[{"index":0,"delta":{"tool_calls":[
                {"index":0,"id":"","function":{"name":"","arguments":"}"}}]},
              "finish_reason":"tool_calls","stop_reason":128}],"service_tier":"flex"}"""),
        chunk("{\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"other\":{\"x\":1}}}"),
        new Finished(FinishReason.TOOL_CALLS));

    assertThat(answer.getString("object")).isEqualTo("chat.completion");
    assertThat(answer.getString("id")).isEqualTo("up-1");
    assertThat(answer.getString("model")).isEqualTo("real");
    assertThat(answer.getString("system_fingerprint")).isEqualTo("fp");
    assertThat(answer.getString("service_tier")).isEqualTo("flex");
    assertThat(answer.getJsonObject("usage").getJsonObject("other").getInteger("x"))
        .isOne();
    assertThat(message(answer).getString("content")).isEqualTo("Hello");
    assertThat(message(answer).getJsonArray("annotations")).isEqualTo(new JsonArray().add(1));
    assertThat(choice(answer).getString("finish_reason")).isEqualTo("tool_calls");
    assertThat(choice(answer).getInteger("stop_reason")).isEqualTo(128);
    assertThat(choice(answer).getJsonObject("logprobs").getJsonArray("content")).hasSize(2);
    JsonObject call = message(answer).getJsonArray("tool_calls").getJsonObject(0);
    assertThat(call.getString("id")).isEqualTo("c1");
    assertThat(call.getJsonObject("function").getString("name")).isEqualTo("f");
    assertThat(call.getJsonObject("function").getString("arguments")).isEqualTo("{}");
  }

  @Test
  @DisplayName("an answer without anything is an empty text")
  void empty() {
    JsonObject answer = collect();

    assertThat(message(answer).getString("content")).isEmpty();
    assertThat(choice(answer).getString("finish_reason")).isEqualTo("stop");
  }
}
