package dev.askgateway.provider.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Call;
import dev.askgateway.provider.ModelRequest.Format;
import dev.askgateway.provider.ModelRequest.Image;
import dev.askgateway.provider.ModelRequest.Message;
import dev.askgateway.provider.ModelRequest.Part;
import dev.askgateway.provider.ModelRequest.Role;
import dev.askgateway.provider.ModelRequest.Text;
import dev.askgateway.provider.ModelRequest.Tool;
import dev.askgateway.provider.ModelRequest.ToolChoice;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeminiRequestTest {
  private static final ModelConfig MODEL = ModelConfig.of("google", "gemini-x");

  private static ModelRequest request(
      List<Message> messages, List<Tool> tools, ToolChoice choice, Format format) {
    return new ModelRequest(
        messages, tools, choice, format, null, null, null, List.of(), null, null);
  }

  private static JsonArray contents(Message... messages) {
    JsonObject body =
        GeminiRequest.body(MODEL, request(List.of(messages), List.of(), ToolChoice.AUTO, null));
    return body.getJsonArray("contents");
  }

  private static Message calls(Call... calls) {
    return new Message(Role.ASSISTANT, List.of(), List.of(calls), "");
  }

  private static Message result(String callId, String text) {
    return new Message(Role.TOOL, List.of(new Text(text)), List.of(), callId);
  }

  private static Message says(Role role, Part... parts) {
    return new Message(role, List.of(parts), List.of(), "");
  }

  @Test
  @DisplayName("system texts are the instruction, neighbours of one role are one content")
  void roles() {
    JsonObject body = GeminiRequest.body(
        MODEL,
        request(
            List.of(
                Message.of(Role.SYSTEM, "One."),
                Message.of(Role.USER, "a"),
                Message.of(Role.SYSTEM, "Two."),
                Message.of(Role.USER, "b"),
                Message.of(Role.ASSISTANT, "c"),
                Message.of(Role.ASSISTANT, ""),
                Message.of(Role.USER, "d")),
            List.of(),
            ToolChoice.AUTO,
            null));
    assertThat(body)
        .isEqualTo(new JsonObject(
            "{\"systemInstruction\":{\"parts\":[{\"text\":\"One.\\n\\nTwo.\"}]},\"contents\":["
                + "{\"role\":\"user\",\"parts\":[{\"text\":\"a\"},{\"text\":\"b\"}]},"
                + "{\"role\":\"model\",\"parts\":[{\"text\":\"c\"}]},"
                + "{\"role\":\"user\",\"parts\":[{\"text\":\"d\"}]}]}"));
  }

  @Test
  @DisplayName("system text alone is what the user says, as a request needs a content")
  void systemAlone() {
    JsonObject body = GeminiRequest.body(
        MODEL, request(List.of(Message.of(Role.SYSTEM, "Hi.")), List.of(), ToolChoice.AUTO, null));
    assertThat(body)
        .isEqualTo(
            new JsonObject("{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Hi.\"}]}]}"));
  }

  @Test
  @DisplayName("calls go back with their signature, results together and with their tool's name")
  void tools() {
    assertThat(contents(
            Message.of(Role.USER, "a"),
            new Message(
                Role.ASSISTANT,
                List.of(new Text("Let me see.")),
                List.of(
                    new Call("gcall_r_0", "look", "{\"q\":1}", "c2ln"),
                    new Call("x9", "count", "not json", "")),
                ""),
            result("gcall_r_0", "{\"found\":true}"),
            result("x9", "seven"),
            Message.of(Role.USER, "and?")))
        .isEqualTo(new JsonArray("[{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]},"
            + "{\"role\":\"model\",\"parts\":[{\"text\":\"Let me see.\"},"
            + "{\"functionCall\":{\"name\":\"look\",\"args\":{\"q\":1}},"
            + "\"thoughtSignature\":\"c2ln\"},"
            + "{\"functionCall\":{\"id\":\"x9\",\"name\":\"count\",\"args\":{}}}]},"
            + "{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"name\":\"look\","
            + "\"response\":{\"found\":true}}},{\"functionResponse\":{\"id\":\"x9\","
            + "\"name\":\"count\",\"response\":{\"output\":\"seven\"}}},{\"text\":\"and?\"}]}]"));
  }

  @Test
  @DisplayName("a result belongs to the last call of its id")
  void reusedId() {
    JsonArray contents = contents(
        calls(new Call("call_0", "first", "{}", "")),
        result("call_0", "[1,2]"),
        calls(new Call("call_0", "second", "{}", "")),
        result("call_0", "b"),
        result("lost", "c"));
    assertThat(contents.getJsonObject(1).getJsonArray("parts"))
        .isEqualTo(new JsonArray("[{\"functionResponse\":{\"id\":\"call_0\",\"name\":\"first\","
            + "\"response\":{\"output\":[1,2]}}}]"));
    assertThat(contents.getJsonObject(3).getJsonArray("parts"))
        .isEqualTo(new JsonArray("[{\"functionResponse\":{\"id\":\"call_0\",\"name\":\"second\","
            + "\"response\":{\"output\":\"b\"}}},{\"functionResponse\":{\"id\":\"lost\","
            + "\"name\":\"lost\",\"response\":{\"output\":\"c\"}}}]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "data:image/png;base64,QUJD | {\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"QUJD\"}}",
        "DATA:image/webp;x=y;BASE64,QQ== | {\"inlineData\":{\"mimeType\":\"image/webp\",\"data\":\"QQ==\"}}",
        "data:image/svg+xml,%3Ca+b%3E | {\"inlineData\":{\"mimeType\":\"image/svg+xml\",\"data\":\"PGErYj4=\"}}",
        "data:,100% | {\"inlineData\":{\"mimeType\":\"image/jpeg\",\"data\":\"MTAwJQ==\"}}",
        "data:image/png;base64 | {\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"\"}}",
        "https://x.org/a.PNG?b=c.gif | {\"fileData\":{\"mimeType\":\"image/png\",\"fileUri\":"
            + "\"https://x.org/a.PNG?b=c.gif\"}}",
        "https://x.org/a | {\"fileData\":{\"mimeType\":\"image/jpeg\",\"fileUri\":\"https://x.org/a\"}}"
      })
  @DisplayName("an image is sent along or named by its address")
  void images(String url, String part) {
    assertThat(contents(says(Role.USER, new Text("See"), new Image(url))))
        .isEqualTo(
            new JsonArray("[{\"role\":\"user\",\"parts\":[{\"text\":\"See\"}," + part + "]}]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "AUTO | {\"mode\":\"AUTO\"}",
        "NONE | {\"mode\":\"NONE\"}",
        "REQUIRED | {\"mode\":\"ANY\"}",
        "NAMED | {\"mode\":\"ANY\",\"allowedFunctionNames\":[\"look\"]}"
      })
  @DisplayName("tools are declared with cleaned schemas, and which may be called is said")
  void declarations(ToolChoice.Mode mode, String config) {
    JsonObject body = GeminiRequest.body(
        MODEL,
        request(
            List.of(Message.of(Role.USER, "a")),
            List.of(
                new Tool(
                    "look",
                    "Looks.",
                    new JsonObject("{\"type\":\"object\",\"additionalProperties\":false,"
                        + "\"properties\":{\"q\":{\"type\":\"string\"}}}")),
                new Tool("now", "", new JsonObject("{\"type\":\"object\",\"properties\":{}}"))),
            new ToolChoice(mode, mode == ToolChoice.Mode.NAMED ? "look" : ""),
            null));
    assertThat(body.getJsonArray("tools"))
        .isEqualTo(new JsonArray("[{\"functionDeclarations\":[{\"name\":\"look\","
            + "\"description\":\"Looks.\",\"parameters\":{\"type\":\"object\","
            + "\"properties\":{\"q\":{\"type\":\"string\"}}}},{\"name\":\"now\"}]}]"));
    assertThat(body.getJsonObject("toolConfig"))
        .isEqualTo(new JsonObject("{\"functionCallingConfig\":" + config + "}"));
  }

  @Test
  @DisplayName("the answer's shape and every number of the request are passed on, absent ones not")
  void generation() {
    JsonObject schema = new JsonObject("{\"$schema\":\"x\",\"type\":\"object\",\"properties\":"
        + "{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}");
    ModelRequest full = new ModelRequest(
        List.of(Message.of(Role.USER, "a")),
        List.of(),
        ToolChoice.AUTO,
        new Format("f", schema, true),
        10,
        0.5,
        0.9,
        List.of("END"),
        null,
        null);
    assertThat(GeminiRequest.body(MODEL, full).getJsonObject("generationConfig"))
        .isEqualTo(new JsonObject("{\"maxOutputTokens\":10,\"temperature\":0.5,\"topP\":0.9,"
            + "\"stopSequences\":[\"END\"],\"responseMimeType\":\"application/json\","
            + "\"responseSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
            + "\"integer\"}},\"required\":[\"a\"]}}"));
    ModelRequest any =
        request(full.messages(), List.of(), ToolChoice.AUTO, new Format("f", null, false));
    assertThat(GeminiRequest.body(MODEL, any).getJsonObject("generationConfig"))
        .isEqualTo(new JsonObject("{\"responseMimeType\":\"application/json\"}"));
    ModelConfig fixed =
        new ModelConfig("m", "google", "g", MODEL.capabilities(), MODEL.maxTokensMember(), false);
    assertThat(GeminiRequest.body(fixed, full)
            .getJsonObject("generationConfig")
            .containsKey("temperature"))
        .isFalse();
  }
}
