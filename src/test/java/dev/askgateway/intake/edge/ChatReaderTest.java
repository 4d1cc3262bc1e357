package dev.askgateway.intake.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.askgateway.core.GatewayError;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Role;
import dev.askgateway.provider.ModelRequest.ToolChoice.Mode;
import dev.askgateway.relay.edge.Unsupported;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChatReaderTest {
  private static final String HI = "\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]";

  private static ChatReader.Chat read(String members) {
    return ChatReader.read(new JsonObject("{\"model\":\"m\"," + members + "}"));
  }

  private static ChatReader.Chat readMessages(String messages) {
    return read("\"messages\":[" + messages + "]");
  }

  @Test
  @DisplayName("all roles and forms of content are read")
  void messages() {
    ChatReader.Chat chat = readMessages("""
        {"role":"developer","content":"Be kind."},
        {"role":"user","content":[{"type":"text","text":"Look: "},
                                  {"type":"image_url","image_url":{"url":"https://x/y.png"}}]},
        {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
           "function":{"name":"f","arguments":"{}"},
           "extra_content":{"google":{"thought_signature":"s"}}}]},
        {"role":"tool","tool_call_id":"c1","content":"42"},
        {"role":"assistant","content":[{"type":"refusal","refusal":"No."}]}""");

    assertThat(chat.openAiOnly()).isFalse();
    assertThat(chat.request().messages())
        .extracting(ModelRequest.Message::role)
        .containsExactly(Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT);
    assertThat(chat.request().messages().get(1).parts())
        .containsExactly(
            new ModelRequest.Text("Look: "), new ModelRequest.Image("https://x/y.png"));
    assertThat(chat.request().messages().get(2).calls())
        .containsExactly(new ModelRequest.Call("c1", "f", "{}", "s"));
    assertThat(chat.request().messages().get(3).callId()).isEqualTo("c1");
    assertThat(chat.request().messages().get(4).text()).isEqualTo("No.");
  }

  @Test
  @DisplayName("settings are read, and the request itself goes along with what nobody knows")
  void settings() {
    ChatReader.Chat chat = read(HI + """
        ,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],
        "tool_choice":{"type":"function","function":{"name":"f"}},
        "response_format":{"type":"json_schema","json_schema":{"name":"s","strict":true,"schema":{}}},
        "max_completion_tokens":7,"max_tokens":9,"temperature":0.5,"top_p":null,"stop":["a","b"],
        "stream":true,"stream_options":{"include_usage":true},"n":1,"parallel_tool_calls":false""");

    ModelRequest request = chat.request();
    assertThat(chat.stream()).isTrue();
    assertThat(chat.includeUsage()).isTrue();
    assertThat(request.tools()).hasSize(1);
    assertThat(request.toolChoice()).isEqualTo(new ModelRequest.ToolChoice(Mode.NAMED, "f"));
    assertThat(request.format()).isEqualTo(new ModelRequest.Format("s", new JsonObject(), true));
    assertThat(request.maxOutputTokens()).isEqualTo(7);
    assertThat(request.temperature()).isEqualTo(0.5);
    assertThat(request.topP()).isNull();
    assertThat(request.stop()).containsExactly("a", "b");
    assertThat(request.original()).isNotNull();
    assertThat(request.original().getBoolean("parallel_tool_calls")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'role':'user','content':[{'type':'input_audio','input_audio':{'data':'x'}}]}",
        "{'role':'user','content':[{'type':'file','file':{'file_id':'x'}}]}",
        "{'role':'function','name':'f','content':'x'}",
        "{'role':'assistant','content':'x','function_call':{'name':'f','arguments':'{}'}}",
        "{'role':'assistant','content':null,'tool_calls':[{'type':'custom','id':'x'}]}"
      })
  @DisplayName("what has no neutral form is for OpenAI's dialect alone")
  void lossy(String message) {
    assertThat(readMessages(message.replace('\'', '"')).openAiOnly()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "\"messages\":[] | messages",
        "\"messages\":\"Hi\" | messages",
        "\"messages\":[1] | messages.0",
        "\"messages\":[{\"content\":\"x\"}] | messages.0.role",
        "\"messages\":[{\"role\":\"boss\",\"content\":\"x\"}] | messages.0.role",
        "\"messages\":[{\"role\":\"user\"}] | messages.0.content",
        "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]}] |"
            + " messages.0.content.0.image_url",
        "\"messages\":[{\"role\":\"tool\",\"content\":\"x\"}] | messages.0.tool_call_id",
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"temperature\":2.5 | temperature",
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"max_tokens\":0 | max_tokens",
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"max_tokens\":1.5 | max_tokens",
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"stop\":[1] | stop.0",
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"stop\":{} | stop",
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"stream\":\"yes\" | stream",
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"tool_choice\":\"f\" | tool_choice",
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"tools\":[{\"type\":\"function\"}] |"
            + " tools.0.function",
        "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"response_format\":{\"type\":\"x\"} |"
            + " response_format.type"
      })
  @DisplayName("a member of the wrong form is named by its path")
  void wrong(String members, String path) {
    assertThatThrownBy(() -> read(members)).isInstanceOfSatisfying(GatewayError.class, refused -> {
      assertThat(refused.code()).isEqualTo(GatewayError.Code.INVALID_REQUEST);
      assertThat(refused.field()).isEqualTo(path);
    });
  }

  @Test
  @DisplayName("more than one choice is not supported")
  void choices() {
    assertThatThrownBy(() -> read(HI + ",\"n\":2"))
        .isInstanceOfSatisfying(
            Unsupported.class, refused -> assertThat(refused.param()).isEqualTo("n"));
  }

  @Test
  @DisplayName("lists of tokens are not supported, other wrong inputs are named")
  void embeddings() {
    assertThatThrownBy(
            () -> EmbeddingReader.read(new JsonObject("{\"model\":\"m\",\"input\":[1,2]}")))
        .isInstanceOf(Unsupported.class);
    for (String wrong : new String[] {"\"\"", "[]", "null", "[\"a\",\"\"]", "{}"}) {
      assertThatThrownBy(() ->
              EmbeddingReader.read(new JsonObject("{\"model\":\"m\",\"input\":" + wrong + "}")))
          .isInstanceOfSatisfying(
              GatewayError.class, refused -> assertThat(refused.field()).startsWith("input"));
    }
  }
}
