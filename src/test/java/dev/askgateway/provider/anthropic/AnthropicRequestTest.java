package dev.askgateway.provider.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Call;
import dev.askgateway.provider.ModelRequest.Format;
import dev.askgateway.provider.ModelRequest.Image;
import dev.askgateway.provider.ModelRequest.Message;
import dev.askgateway.provider.ModelRequest.Role;
import dev.askgateway.provider.ModelRequest.Text;
import dev.askgateway.provider.ModelRequest.Tool;
import dev.askgateway.provider.ModelRequest.ToolChoice;
import dev.askgateway.provider.ModelRequest.ToolChoice.Mode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnthropicRequestTest {
  private static final ModelConfig MODEL = ModelConfig.of("main", "claude-x");
  private static final Message QUESTION = Message.of(Role.USER, "Who came");
  private static final JsonObject SCHEMA =
      new JsonObject("{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}");
  private static final Tool WEATHER = new Tool("weather", "Tells the weather.", SCHEMA);

  private static JsonObject body(ModelRequest request) {
    return AnthropicRequest.body(MODEL, request);
  }

  private static ModelRequest talk(Message... messages) {
    return new ModelRequest(
        List.of(messages),
        List.of(),
        ToolChoice.AUTO,
        null,
        null,
        null,
        null,
        List.of(),
        null,
        null);
  }

  private static ModelRequest tools(List<Tool> tools, ToolChoice choice, Format format) {
    return new ModelRequest(
        List.of(QUESTION), tools, choice, format, null, null, null, List.of(), null, null);
  }

  private static ModelRequest sampled(Double temperature, Double topP) {
    return new ModelRequest(
        List.of(QUESTION),
        List.of(),
        ToolChoice.AUTO,
        null,
        77,
        temperature,
        topP,
        List.of("END", "\n"),
        null,
        null);
  }

  private static Message said(Role role, ModelRequest.Part... parts) {
    return new Message(role, List.of(parts), List.of(), "");
  }

  private static Message result(String callId, String text) {
    return new Message(Role.TOOL, List.of(new Text(text)), List.of(), callId);
  }

  private static JsonArray json(String text) {
    return new JsonArray(text.replace('\'', '"'));
  }

  @Test
  @DisplayName("a question alone has the model's own cap and nothing else")
  void smallest() {
    assertThat(body(talk(QUESTION)))
        .isEqualTo(new JsonObject("{\"model\":\"claude-x\",\"max_tokens\":4096,\"stream\":true,"
            + "\"messages\":[{\"role\":\"user\",\"content\":["
            + "{\"type\":\"text\",\"text\":\"Who came\"}]}]}"));
  }

  @Test
  @DisplayName(
      "system messages stand apart in their order, the stable ones first, wherever they came")
  void system() {
    JsonObject body = body(talk(
        Message.of(Role.SYSTEM, "Be kind."),
        QUESTION,
        Message.of(Role.SYSTEM, " "),
        Message.of(Role.SYSTEM, "It is Monday.")));
    assertThat(body.getString("system")).isEqualTo("Be kind.\n\nIt is Monday.");
    assertThat(body.getJsonArray("messages")).hasSize(1);
  }

  @Test
  @DisplayName("a system text alone is said by the user: there must be a message")
  void systemOnly() {
    JsonObject body = body(talk(Message.of(Role.SYSTEM, "Say hello.")));
    assertThat(body.containsKey("system")).isFalse();
    assertThat(body.getJsonArray("messages"))
        .isEqualTo(json("[{'role':'user','content':[{'type':'text','text':'Say hello.'}]}]"));
  }

  @Test
  @DisplayName("neighbours of one role become one turn, blank text none")
  void merged() {
    JsonObject body = body(talk(
        Message.of(Role.USER, "a"),
        Message.of(Role.USER, "\n "),
        Message.of(Role.ASSISTANT, ""),
        said(Role.USER, new Text("b"), new Text(""), new Text("c")),
        Message.of(Role.ASSISTANT, "d"),
        Message.of(Role.ASSISTANT, "e \n")));
    assertThat(body.getJsonArray("messages"))
        .isEqualTo(json("[{'role':'user','content':[{'type':'text','text':'a'},"
            + "{'type':'text','text':'b'},{'type':'text','text':'c'}]},"
            + "{'role':'assistant','content':[{'type':'text','text':'d'},"
            + "{'type':'text','text':'e'}]}]"));
  }

  @Test
  @DisplayName("a conversation that begins with the assistant gets a first word of the user")
  void assistantFirst() {
    JsonArray messages =
        body(talk(Message.of(Role.ASSISTANT, "a"), QUESTION)).getJsonArray("messages");
    assertThat(messages.stream().map(turn -> ((JsonObject) turn).getString("role")))
        .containsExactly("user", "assistant", "user");
  }

  @Test
  @DisplayName("calls and their results become blocks, the results first in the user's turn")
  void toolTurns() {
    Message asked = new Message(
        Role.ASSISTANT,
        List.of(new Text("Let me look.")),
        List.of(
            new Call("functions.weather:0", "weather", "{\"city\":\"Pune\"}", ""),
            new Call("call_2", "now", "{\"cut", "")),
        "");
    JsonObject body = body(talk(
        QUESTION,
        asked,
        result("functions.weather:0", "32 °C"),
        Message.of(Role.USER, "and?"),
        result("call_2", "")));
    JsonArray messages = body.getJsonArray("messages");
    assertThat(messages.getJsonObject(1).getJsonArray("content"))
        .isEqualTo(json("[{'type':'text','text':'Let me look.'},"
            + "{'type':'tool_use','id':'functions_weather_0','name':'weather',"
            + "'input':{'city':'Pune'}},"
            + "{'type':'tool_use','id':'call_2','name':'now','input':{}}]"));
    assertThat(messages.getJsonObject(2).getJsonArray("content"))
        .isEqualTo(json("[{'type':'tool_result','tool_use_id':'functions_weather_0',"
            + "'content':[{'type':'text','text':'32 °C'}]},"
            + "{'type':'tool_result','tool_use_id':'call_2'},"
            + "{'type':'text','text':'and?'}]"));
    assertThat(
            body.getJsonArray("tools").stream().map(tool -> ((JsonObject) tool).getString("name")))
        .as("tools of earlier turns are declared")
        .containsExactly("weather", "now");
    assertThat(body.getJsonObject("tool_choice")).isEqualTo(new JsonObject().put("type", "none"));
  }

  @Test
  @DisplayName("an image is sent as its bytes or as its address")
  void images() {
    JsonObject body = body(talk(said(
        Role.USER,
        new Image("data:image/jpg;name=a.jpg;base64,AAEC"),
        new Image("https://example.org/a.png"),
        new Text("What is it?"))));
    assertThat(body.getJsonArray("messages").getJsonObject(0).getJsonArray("content"))
        .isEqualTo(json("[{'type':'image','source':{'type':'base64','media_type':'image/jpeg',"
            + "'data':'AAEC'}},"
            + "{'type':'image','source':{'type':'url','url':'https://example.org/a.png'}},"
            + "{'type':'text','text':'What is it?'}]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "AUTO | {'type':'auto'}",
        "NONE | {'type':'none'}",
        "REQUIRED | {'type':'any'}",
        "NAMED | {'type':'tool','name':'weather'}"
      })
  @DisplayName("tools carry their schema, the choice its own name")
  void toolChoice(Mode mode, String expected) {
    JsonObject body = body(tools(
        List.of(WEATHER, new Tool("now", "", new JsonObject())),
        new ToolChoice(mode, mode == Mode.NAMED ? "weather" : ""),
        null));
    assertThat(body.getJsonArray("tools"))
        .isEqualTo(json("[{'name':'weather','description':'Tells the weather.','input_schema':"
            + "{'type':'object','properties':{'city':{'type':'string'}}}},"
            + "{'name':'now','input_schema':{'type':'object'}}]"));
    assertThat(body.getJsonObject("tool_choice"))
        .isEqualTo(new JsonObject(expected.replace('\'', '"')));
  }

  @Test
  @DisplayName("a schema for the answer is a tool that must be called")
  void structuredOutput() {
    ModelRequest request = tools(List.of(), ToolChoice.AUTO, new Format("my city", SCHEMA, true));
    JsonObject body = body(request);
    JsonObject tool = body.getJsonArray("tools").getJsonObject(0);
    assertThat(body.getJsonArray("tools")).hasSize(1);
    assertThat(tool.getString("name")).isEqualTo("my_city");
    assertThat(tool.getJsonObject("input_schema")).isEqualTo(SCHEMA);
    assertThat(body.getJsonObject("tool_choice"))
        .isEqualTo(new JsonObject(
            "{\"type\":\"tool\",\"name\":\"my_city\",\"disable_parallel_tool_use\":true}"));
    assertThat(AnthropicTools.answerTool(request)).isEqualTo("my_city");
  }

  @Test
  @DisplayName("any JSON object as the answer is a tool without a shape")
  void anyObject() {
    JsonObject tool = body(tools(List.of(), ToolChoice.AUTO, new Format("", null, false)))
        .getJsonArray("tools")
        .getJsonObject(0);
    assertThat(tool.getString("name")).isEqualTo("answer");
    assertThat(tool.getJsonObject("input_schema"))
        .isEqualTo(new JsonObject().put("type", "object"));
  }

  @ParameterizedTest
  @CsvSource({"AUTO,any,_weather", "NONE,tool,_weather", "REQUIRED,any,''", "NAMED,tool,''"})
  @DisplayName("beside other tools the answer is one more, unless a call of theirs is demanded")
  void formatAndTools(Mode mode, String type, String answerTool) {
    ModelRequest request = tools(
        List.of(WEATHER), new ToolChoice(mode, "weather"), new Format("weather", SCHEMA, true));
    JsonObject body = body(request);
    assertThat(AnthropicTools.answerTool(request)).isEqualTo(answerTool);
    assertThat(body.getJsonArray("tools")).hasSize(answerTool.isEmpty() ? 1 : 2);
    assertThat(body.getJsonObject("tool_choice").getString("type")).isEqualTo(type);
  }

  @Test
  @DisplayName("a long name of a format is cut, and still another than every tool's")
  void longNames() {
    String longest = "n".repeat(64);
    ModelRequest request = tools(
        List.of(new Tool(longest, "", SCHEMA)),
        ToolChoice.AUTO,
        new Format("n".repeat(90), SCHEMA, true));
    assertThat(AnthropicTools.answerTool(request)).isEqualTo("_" + "n".repeat(63));
  }

  @Test
  @DisplayName(
      "the temperature stays between 0 and 1 and excludes top_p; stop texts and cap go along")
  void sampling() {
    assertThat(body(sampled(1.6, 0.9)).getMap())
        .contains(Map.entry("temperature", 1.0), Map.entry("max_tokens", 77))
        .doesNotContainKey("top_p");
    assertThat(body(sampled(0.3, null)).getDouble("temperature")).isEqualTo(0.3);
    JsonObject topP = body(sampled(null, 0.9));
    assertThat(topP.getDouble("top_p")).isEqualTo(0.9);
    assertThat(topP.containsKey("temperature")).isFalse();
    assertThat(topP.getJsonArray("stop_sequences")).isEqualTo(new JsonArray(List.of("END", "\n")));
  }

  @Test
  @DisplayName("a model that accepts only its own sampling is told none")
  void ownSampling() {
    ModelConfig own =
        new ModelConfig("x", "main", "x", MODEL.capabilities(), MODEL.maxTokensMember(), false);
    assertThat(AnthropicRequest.body(own, sampled(0.3, 0.9)).fieldNames())
        .doesNotContain("temperature", "top_p");
  }
}
