package dev.askgateway.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.DataPolicy;
import dev.askgateway.provider.Dialect;
import dev.askgateway.provider.ModelConfig;
import dev.askgateway.provider.ModelConfig.MaxTokensMember;
import dev.askgateway.provider.ModelRequest;
import dev.askgateway.provider.ModelRequest.Message;
import dev.askgateway.provider.ModelRequest.Role;
import dev.askgateway.provider.ModelRequest.ToolChoice;
import dev.askgateway.provider.ProviderConfig;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenAiBodyTest {
  private static final ProviderConfig PROVIDER = ProviderConfig.of("p", "http://x/v1", "");

  private static JsonObject json(String singleQuoted) {
    return new JsonObject(singleQuoted.replace('\'', '"'));
  }

  private static ModelConfig model(MaxTokensMember member, boolean temperature) {
    return new ModelConfig("m", "p", "m-1", Capabilities.TEXT, member, temperature);
  }

  private static JsonObject body(ProviderConfig provider, ModelConfig model, ModelRequest request) {
    return new OpenAiWire(provider, model, request, () -> {}).body().toJsonObject();
  }

  private static JsonObject verbatim(ModelConfig model, String original, Integer cap) {
    return body(PROVIDER, model, Originals.request(json(original), cap));
  }

  @Test
  @DisplayName("a client's own request keeps what nobody here knows, and is itself left as it was")
  void passesThrough() {
    String text = "{'model':'a','stream':false,'messages':[{'role':'user','content':'q','odd':1}],"
        + "'stream_options':{'include_obfuscation':false},'temperature':0.5,'x':{'y':[null]}}";
    JsonObject original = json(text);
    JsonObject sent =
        body(PROVIDER, model(MaxTokensMember.MAX_TOKENS, true), Originals.request(original));
    assertThat(sent)
        .isEqualTo(json("{'model':'m-1','stream':true,'messages':[{'role':'user','content':'q',"
            + "'odd':1}],'stream_options':{'include_obfuscation':false,'include_usage':true},"
            + "'temperature':0.5,'x':{'y':[null]}}"));
    assertThat(original).isEqualTo(json(text));
  }

  @Test
  @DisplayName("a server that refuses usage options gets none, a model its own temperature only")
  void leavesOut() {
    ProviderConfig local = new ProviderConfig(
        "p",
        Dialect.OPENAI,
        "http://x/v1",
        "",
        ProviderConfig.KeyHeader.BEARER,
        false,
        new DataPolicy(DataPolicy.Mode.LOCAL, DataPolicy.Retention.NONE, ""),
        0);
    JsonObject original = json("{'stream_options':{'include_usage':true},'temperature':1}");
    assertThat(body(local, model(MaxTokensMember.MAX_TOKENS, false), Originals.request(original)))
        .isEqualTo(json("{'model':'m-1','stream':true}"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "{'max_tokens':100} | | 100",
        "{'max_completion_tokens':100} | | 100",
        "{'max_completion_tokens':100,'max_tokens':90} | | 90",
        "{'max_tokens':100000} | | 4096",
        "{'max_tokens':'100'} | | 100",
        "{'max_tokens':100} | 50 | 50",
        "{} | 50 | 50"
      })
  @DisplayName("the cap goes out under the server's name, the least of all that apply")
  void cap(String original, Integer ours, int sent) {
    for (MaxTokensMember member : MaxTokensMember.values()) {
      JsonObject body = verbatim(model(member, true), original, ours);
      assertThat(body.getInteger(member.wire())).isEqualTo(sent);
      assertThat(body.fieldNames())
          .containsExactlyInAnyOrder("model", "stream", "stream_options", member.wire());
    }
  }

  @Test
  @DisplayName("without a cap of anybody's the model's own is left to it")
  void noCap() {
    assertThat(verbatim(model(MaxTokensMember.MAX_TOKENS, true), "{'max_tokens':null}", null)
            .getValue("max_tokens"))
        .isNull();
  }

  private static ModelRequest neutral(
      List<Message> messages, ToolChoice choice, ModelRequest.Format format) {
    ModelRequest.Tool tool = new ModelRequest.Tool("f", "does", json("{'type':'object'}"));
    return new ModelRequest(
        messages, List.of(tool), choice, format, 9_999, 0.5, 0.9, List.of("END"), null, null);
  }

  @Test
  @DisplayName("messages with images, calls and results are written, text alone as a plain string")
  void messages() {
    ModelRequest.Call call = new ModelRequest.Call("c1", "f", "{}", "sig");
    List<Message> messages = List.of(
        Message.of(Role.SYSTEM, "Be kind."),
        new Message(
            Role.USER,
            List.of(
                new ModelRequest.Text("See"), new ModelRequest.Image("data:image/png;base64,A")),
            List.of(),
            ""),
        new Message(Role.ASSISTANT, List.of(), List.of(call), ""),
        new Message(Role.TOOL, List.of(new ModelRequest.Text("42")), List.of(), "c1"));
    JsonObject body = body(
        PROVIDER,
        model(MaxTokensMember.MAX_COMPLETION_TOKENS, true),
        neutral(messages, ToolChoice.AUTO, null));
    assertThat(body)
        .isEqualTo(json("{'model':'m-1','stream':true,'stream_options':{'include_usage':true},"
            + "'max_completion_tokens':4096,'temperature':0.5,'top_p':0.9,'stop':['END'],'messages':["
            + "{'role':'system','content':'Be kind.'},"
            + "{'role':'user','content':[{'type':'text','text':'See'},"
            + "{'type':'image_url','image_url':{'url':'data:image/png;base64,A'}}]},"
            + "{'role':'assistant','content':null,'tool_calls':[{'id':'c1','type':'function',"
            + "'function':{'name':'f','arguments':'{}'}}]},"
            + "{'role':'tool','content':'42','tool_call_id':'c1'}],'tools':[{'type':'function',"
            + "'function':{'name':'f','description':'does','parameters':{'type':'object'}}}]}"));
  }

  @Test
  @DisplayName("only Google's endpoint gets its signatures back")
  void signatures() {
    ModelRequest.Call call = new ModelRequest.Call("c1", "f", "{}", "sig");
    List<Message> messages = List.of(new Message(Role.ASSISTANT, List.of(), List.of(call), ""));
    ProviderConfig google =
        ProviderConfig.of("g", "https://generativelanguage.googleapis.com/v1beta/openai", "");
    ModelRequest request = neutral(messages, ToolChoice.AUTO, null);
    ModelConfig model = model(MaxTokensMember.MAX_TOKENS, true);
    assertThat(body(google, model, request).encode())
        .contains("\"extra_content\":{\"google\":{\"thought_signature\":\"sig\"}}");
    assertThat(body(PROVIDER, model, request).encode()).doesNotContain("sig");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "AUTO | | {}",
        "NONE | | {'tool_choice':'none'}",
        "REQUIRED | | {'tool_choice':'required'}",
        "NAMED | f | {'tool_choice':{'type':'function','function':{'name':'f'}}}"
      })
  @DisplayName("each choice of tools has its wire form")
  void toolChoice(ToolChoice.Mode mode, String name, String expected) {
    ToolChoice choice = new ToolChoice(mode, name == null ? "" : name);
    JsonObject body =
        body(PROVIDER, model(MaxTokensMember.MAX_TOKENS, true), neutral(List.of(), choice, null));
    assertThat(body.getValue("tool_choice")).isEqualTo(json(expected).getValue("tool_choice"));
  }

  @Test
  @DisplayName("an answer of a shape is asked for with its schema, or as any object")
  void formats() {
    ModelConfig model = model(MaxTokensMember.MAX_TOKENS, true);
    ModelRequest.Format schema = new ModelRequest.Format("s", json("{'type':'object'}"), true);
    assertThat(body(PROVIDER, model, neutral(List.of(), ToolChoice.AUTO, schema))
            .getJsonObject("response_format"))
        .isEqualTo(json("{'type':'json_schema','json_schema':{'name':'s',"
            + "'schema':{'type':'object'},'strict':true}}"));
    ModelRequest.Format any = new ModelRequest.Format("s", null, false);
    assertThat(body(PROVIDER, model, neutral(List.of(), ToolChoice.AUTO, any))
            .getJsonObject("response_format"))
        .isEqualTo(json("{'type':'json_object'}"));
  }
}
