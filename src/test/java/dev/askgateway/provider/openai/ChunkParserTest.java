package dev.askgateway.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.askgateway.provider.sse.SseEvent;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkParserTest {
  private static final String GOOD =
      "{\"id\":\"c1\",\"n\":-1.5e3,\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\\n\\u00e9\","
          + "\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":{\"a\":[1,true,null]}}}]}}],"
          + "\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}";
  private static final ObjectMapper STRICT =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static boolean isObject(String json) {
    try {
      return STRICT.readTree(json).isObject();
    } catch (JsonProcessingException malformed) {
      return false;
    }
  }

  private static boolean reads(String json) {
    return StreamedChunk.of(new SseEvent("", json), false) != null;
  }

  private static void assertGoodIsReadWhole() {
    StreamedChunk chunk = StreamedChunk.of(new SseEvent("", GOOD), false);
    assertThat(chunk).isNotNull();
    assertThat(chunk.choices()).hasSize(1);
    assertThat(chunk.choices().get(0).textChars()).isEqualTo(3);
    assertThat(chunk.choices().get(0).calls().get(0).arguments())
        .isEqualTo("{\"a\":[1,true,null]}");
    assertThat(chunk.usage()).isNotNull();
  }

  @Test
  @DisplayName("an event that is cut anywhere is no chunk, and leaves nothing for the next one")
  void everyCut() {
    for (int cut = 1; cut < GOOD.length(); cut++) {
      assertThat(reads(GOOD.substring(0, cut))).as("cut at %d", cut).isFalse();
      assertGoodIsReadWhole();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "{}", "\"a}", " tru}", "}", ",", "\u0000", "[{"})
  @DisplayName("an event with anything behind its object is no chunk, and spoils no other")
  void trailing(String rest) {
    assertThat(reads(GOOD + rest)).isFalse();
    assertGoodIsReadWhole();
    assertThat(reads(GOOD + " \t\r\n")).isTrue();
    assertGoodIsReadWhole();
  }

  @Test
  @DisplayName("whatever an event is made of, it is a chunk exactly if it is one JSON object")
  void mutations() {
    Random random = new Random(20261130);
    List<String> parts =
        List.of("{", "}", "[", "]", ",", ":", "\"", "\\", "1", "null", "-", " ", "e");
    int objects = 0;
    for (int round = 0; round < 20_000; round++) {
      StringBuilder json = new StringBuilder(GOOD);
      for (int edits = random.nextInt(3); edits >= 0; edits--) {
        int at = 1 + random.nextInt(json.length() - 1);
        String part = parts.get(random.nextInt(parts.size()));
        switch (random.nextInt(3)) {
          case 0 -> json.insert(at, part);
          case 1 -> json.deleteCharAt(at);
          default -> json.setCharAt(at, part.charAt(0));
        }
      }
      String mutated = json.toString();
      objects += isObject(mutated) ? 1 : 0;
      assertThat(reads(mutated)).as(mutated).isEqualTo(isObject(mutated));
    }
    assertThat(objects).isBetween(2_000, 18_000);
    assertGoodIsReadWhole();
  }

  @Test
  @DisplayName("names that never come again do not pile up: a parser is given up in time")
  void manyNames() {
    for (int round = 0; round < 3_000; round++) {
      assertThat(reads("{\"" + "n".repeat(1_000) + round + "\":{\"m" + round + "\":0}}"))
          .isTrue();
    }
    assertGoodIsReadWhole();
  }
}
