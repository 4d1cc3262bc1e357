package dev.askgateway.provider.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeminiSchemaTest {
  private static JsonObject of(String schema) {
    return GeminiSchema.of(new JsonObject(schema));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'string','format':'uri','minLength':1,'default':'x'} | {'type':'string','minLength':1}",
        "{'type':'string','format':'date-time'} | {'type':'string','format':'date-time'}",
        "{'type':'integer','exclusiveMinimum':0,'maximum':9,'multipleOf':3} | {'type':'integer','maximum':9}",
        "{'type':['string','null']} | {'type':'string','nullable':true}",
        "{'type':['string','integer'],'description':'d'} | {'anyOf':[{'type':'string','description':'d'},"
            + "{'type':'integer','description':'d'}]}",
        "{'anyOf':[{'type':'integer'},{'type':'null'}],'title':'t'} | {'type':'integer','title':'t','nullable':true}",
        "{'oneOf':[{'type':'integer'},{'type':'string'},{'type':'null'}]} |"
            + " {'anyOf':[{'type':'integer','nullable':true},{'type':'string','nullable':true}]}",
        "{'const':'a'} | {'type':'string','enum':['a']}",
        "{'enum':['a','b',null]} | {'type':'string','nullable':true,'enum':['a','b']}",
        "{'type':'integer','enum':[1,2]} | {'type':'integer'}",
        "{'const':7} | {'type':'string'}",
        "{} | {'type':'string'}",
        "{'type':'array'} | {'type':'array','items':{'type':'string'}}",
        "{'items':{'type':'number'},'uniqueItems':true,'maxItems':3} |"
            + " {'type':'array','maxItems':3,'items':{'type':'number'}}",
        "{'properties':{'a':{'type':'boolean'},'b':true,'c':false},'required':['a','x'],"
            + "'anyOf':[{'required':['a']}],'patternProperties':{}} | {'type':'object','properties':"
            + "{'a':{'type':'boolean'},'b':{'type':'string'}},'required':['a']}",
        "{'type':'object','additionalProperties':{'type':'string'}} | {'type':'object'}",
        "{'allOf':[{'properties':{'a':{'type':'string'}},'required':['a']},{'properties':{'b':"
            + "{'type':'string'}},'required':['b']}]} | {'type':'object','properties':{'a':{'type':"
            + "'string'},'b':{'type':'string'}},'required':['a','b']}",
        "{'$defs':{'n/m':{'type':'integer','description':'old'}},'properties':{'a':{'$ref':"
            + "'#/$defs/n~1m','description':'new'}}} | {'type':'object','properties':{'a':{'type':"
            + "'integer','description':'new'}}}",
        "{'properties':{'a':{'$ref':'https://x.org/s'}}} |"
            + " {'type':'object','properties':{'a':{'type':'string'}}}"
      })
  @DisplayName("a schema is written with nothing that would be refused")
  void cleaned(String schema, String cleaned) {
    assertThat(of(schema.replace('\'', '"'))).isEqualTo(new JsonObject(cleaned.replace('\'', '"')));
  }

  @Test
  @DisplayName(
      "a schema that refers to itself, in a circle or in two ways at once, comes to an end")
  void circles() {
    assertThat(of("{\"$ref\":\"#\"}")).isNotNull();
    String tree = "{\"properties\":{\"l\":{\"$ref\":\"#\"},\"r\":{\"$ref\":\"#\"}}}";
    assertThat(of(tree).encode().length()).isLessThan(200_000);
    assertThat(of("{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}")).isNotNull();
  }
}
