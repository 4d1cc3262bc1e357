package dev.askgateway.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.EvidenceWindow;
import dev.askgateway.core.FinishReason;
import dev.askgateway.core.Prompt;
import dev.askgateway.core.Prompt.Role;
import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.RecentTurn;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.prompt.PromptBuilder;
import dev.askgateway.prompt.PromptConfig;
import dev.askgateway.prompt.PromptInput;
import dev.askgateway.provider.ModelRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code grounding/injections.json} holds, as everything that other people may write (spec J3). */
@DisplayName("An attack in a message")
class InjectionTest {
  private static final ZoneId MADRID = ZoneId.of("Europe/Madrid");
  private static final Instant AT = Instant.parse("2026-11-30T09:00:00Z");
  private static final String QUESTION = "When is dinner?";
  private static final Set<String> LABELS = Set.of("S1", "S2");
  private static final Pattern ANY_MARK = Pattern.compile("\\[\\s*S\\s*\\d+[^\\]\\n]{0,12}]");
  private static final Pattern UNSEEN =
      Pattern.compile("[\\p{Cf}&&[^\\u200C\\u200D]]|[\\u034F\\u115F\\u1160\\u180E\\u3164\\uFFA0]"
          + "|[\\x{E0000}-\\x{E0FFF}]|[\\p{Cntrl}&&[^\\n]]");
  private static final Pattern TAG = Pattern.compile("<[\\p{L}/|!?_｜]");

  private record Attack(String name, String text) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Where the attacker writes. */
  private enum Place {
    TEXT,
    NEIGHBOUR,
    SENDER,
    CHAT,
    PLATFORM,
    OWN_TURN,
    ANSWER
  }

  static Stream<Attack> attacks() throws IOException {
    try (var file = InjectionTest.class.getResourceAsStream("/grounding/injections.json")) {
      return new JsonArray(new String(file.readAllBytes(), StandardCharsets.UTF_8))
          .stream()
              .map(JsonObject.class::cast)
              .map(one -> new Attack(one.getString("name"), one.getString("attack")))
              .toList()
              .stream();
    }
  }

  private static EvidenceMessage message(int number, String sender, String text, boolean hit) {
    return new EvidenceMessage(
        new UUID(1, number), "p" + number, sender, false, AT.minusSeconds(60), text, hit, null);
  }

  private static EvidenceWindow window(
      int number, String chat, String platform, EvidenceMessage... messages) {
    return new EvidenceWindow(
        "S" + number,
        messages[0].id(),
        new UUID(2, number),
        chat,
        platform,
        true,
        false,
        List.of(messages));
  }

  private static String at(Place place, Place here, String attack, String otherwise) {
    return place == here ? attack : otherwise;
  }

  private static PromptInput input(Place place, String attack) {
    EvidenceWindow attacked = window(
        1,
        at(place, Place.CHAT, attack, "Trip"),
        at(place, Place.PLATFORM, attack, "whatsapp"),
        message(
            1, at(place, Place.SENDER, attack, "Eve"), at(place, Place.TEXT, attack, "hi"), true),
        message(2, "Ana", at(place, Place.NEIGHBOUR, attack, "hi"), false));
    EvidenceWindow other = window(2, "Home", "slack", message(3, "Ben", "Dinner at 8", true));
    List<RecentTurn> turns = List.of(
        new RecentTurn(Role.USER, at(place, Place.OWN_TURN, attack, "hello")),
        new RecentTurn(Role.ASSISTANT, at(place, Place.ANSWER, attack, "hello")));
    return new PromptInput(
        QUESTION,
        QueryPlan.plain(),
        AT,
        MADRID,
        new EvidencePack(List.of(attacked, other), List.of()),
        turns);
  }

  private static Prompt prompt(PromptInput input) {
    return new PromptBuilder(PromptConfig.DEFAULT).build(input, 3_000, String::length);
  }

  private static String last(Prompt prompt) {
    return prompt.messages().get(prompt.messages().size() - 1).content();
  }

  private static String whole(Prompt prompt) {
    StringBuilder all = new StringBuilder();
    prompt.messages().stream().skip(1).forEach(one -> all.append(one.content()).append('\n'));
    return all.toString();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  @DisplayName("changes no rule, label, fence, question, role, tool or scope of the prompt:")
  void prompt(Attack attack) {
    for (Place place : Place.values()) {
      PromptInput input = input(place, attack.text());
      Prompt prompt = prompt(input);
      Prompt harmless = prompt(input(place, "hi"));
      String shown = last(prompt);

      assertThat(prompt.messages().get(0)).isEqualTo(harmless.messages().get(0));
      assertThat(prompt.messages())
          .extracting(Prompt.Message::role)
          .as("%s in %s", attack, place)
          .isSubsetOf(Role.SYSTEM, Role.USER, Role.ASSISTANT)
          .hasSizeBetween(3, 4)
          .endsWith(Role.USER);
      assertThat(shown.lines().count()).isEqualTo(last(harmless).lines().count());
      assertThat(shown.lines().filter(line -> !isOf(line, place)).toList())
          .isEqualTo(last(harmless).lines().filter(line -> !isOf(line, place)).toList());
      assertThat(shown).endsWith("\nQuestion: " + QUESTION);
      isHarmless(whole(prompt), attack + " in " + place);
      staysInScope(prompt, input);
    }
  }

  /** Whether it is the line that the attacker writes in. */
  private static boolean isOf(String line, Place place) {
    return switch (place) {
      case TEXT, SENDER -> line.startsWith("> ") && !line.contains("| Ben: ");
      case NEIGHBOUR -> line.startsWith("  ");
      case CHAT, PLATFORM -> line.startsWith("[S1] ");
      case OWN_TURN, ANSWER -> false;
    };
  }

  private static void isHarmless(String all, String what) {
    String plain = Normalizer.normalize(all, Normalizer.Form.NFKC).replaceAll("[\\p{Cf}]", "");
    assertThat(plain.split("evidence\\s*>\\s*>", -1)).as(what).hasSize(2);
    assertThat(plain.split("<\\s*<", -1)).as(what).hasSize(2);
    assertThat(ANY_MARK.matcher(plain).results().map(mark -> mark.group()))
        .as(what)
        .containsExactly("[S1]", "[S2]");
    assertThat(all.replace("<<<evidence\n", ""))
        .as(what)
        .doesNotContainPattern(UNSEEN)
        .doesNotContainPattern(TAG);
    assertThat(all)
        .as(what)
        .doesNotContainPattern("(?im)^[\\s#*]*(system|assistant|human|user)[\\s*]*:")
        .doesNotContainPattern("(?m)^> .*\\| (You|Yоu|System \\(admin\\)): ");
    assertThat(all.lines().filter(line -> line.startsWith("> ") || line.startsWith("  ")))
        .as(what)
        .allSatisfy(line -> assertThat(line.split("\\|", -1)).hasSizeLessThan(3));
  }

  private static void staysInScope(Prompt prompt, PromptInput input) {
    ModelRequest request = ModelRequest.of(prompt);
    assertThat(request.tools()).isEmpty();
    assertThat(request.format()).isNull();
    assertThat(request.original()).isNull();
    assertThat(prompt.question()).isEqualTo(QUESTION);
    assertThat(prompt.evidence())
        .extracting(EvidenceWindow::label, EvidenceWindow::anchorId, EvidenceWindow::chatId)
        .isEqualTo(input.evidence().windows().stream()
            .map(one ->
                org.assertj.core.groups.Tuple.tuple(one.label(), one.anchorId(), one.chatId()))
            .toList());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  @DisplayName(
      "that a model repeats cites nothing that was not found, hides no address and loads none:")
  void answer(Attack attack) {
    Random random = new Random(3);
    Answered whole = answered(List.of(attack.text()));
    for (int round = 0; round < 50; round++) {
      assertThat(answered(cut(attack.text(), random))).isEqualTo(whole);
    }

    assertThat(whole.cited()).isSubsetOf(LABELS);
    String plain = Normalizer.normalize(whole.text(), Normalizer.Form.NFKC)
        .replaceAll("\\p{Cf}", "")
        .replaceAll("[【〖〔⟦⁅❲⦋]", "[")
        .replaceAll("[】〗〕⟧⁆❳⦌]", "]")
        .replaceAll("[Ѕѕ]", "S");
    Set<String> marks = new TreeSet<>();
    ANY_MARK.matcher(plain).results().forEach(mark -> marks.add(mark.group()));
    assertThat(marks).isSubsetOf("[S1]", "[S2]");
    assertThat(whole.cited())
        .containsAll(
            marks.stream().map(mark -> mark.substring(1, mark.length() - 1)).toList());
    assertThat(whole.text())
        .doesNotContain("](")
        .doesNotContainPattern("(?m)^\\s*\\[[^\\]]*]:")
        .doesNotContainPattern("<[\\p{L}/!?]");
    assertThat(whole.finish()).isEqualTo(FinishReason.STOP);
  }

  private static List<String> cut(String text, Random random) {
    List<String> deltas = new ArrayList<>();
    for (int at = 0; at < text.length(); ) {
      int next = Math.min(text.length(), at + 1 + random.nextInt(4));
      deltas.add(text.substring(at, next));
      at = next;
    }
    return deltas;
  }

  private record Answered(String text, Set<String> cited, FinishReason finish) {}

  /** A model that says so, asks for a tool too, and is done. */
  private static Answered answered(List<String> deltas) {
    ToldStream stream = new ToldStream();
    StringBuilder text = new StringBuilder();
    Set<String> cited = new TreeSet<>();
    List<FinishReason> finished = new ArrayList<>();
    new Drain(new Engine.Won(stream, "scripted", "m"), LABELS, 10_000, new Drain.Output() {
          @Override
          public void text(String piece) {
            text.append(piece);
          }

          @Override
          public void cited(String label) {
            cited.add(label);
          }

          @Override
          public void done(FinishReason reason, Drain drain) {
            finished.add(reason);
          }

          @Override
          public void failed(Throwable cause) {
            throw new AssertionError(cause);
          }
        })
        .start(false);
    deltas.forEach(delta -> stream.events.handle(new TokenEvent.Text(delta)));
    stream.events.handle(new TokenEvent.ToolCall(0, "c1", "send_message", "{}", ""));
    stream.events.handle(new TokenEvent.Finished(FinishReason.STOP));
    stream.end.handle(null);
    assertThat(finished).hasSize(1);
    return new Answered(text.toString(), cited, finished.get(0));
  }
}
