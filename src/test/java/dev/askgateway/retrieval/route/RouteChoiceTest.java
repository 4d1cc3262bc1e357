package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.QueryPlan;
import dev.askgateway.core.Route;
import dev.askgateway.core.Scope;
import dev.askgateway.core.UserId;
import dev.askgateway.core.trace.Span;
import dev.askgateway.query.QueryCompiler;
import dev.askgateway.store.SearchFilters.Senders;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The route of a question")
class RouteChoiceTest {
  private static final ZonedDateTime NOW =
      ZonedDateTime.of(2026, 9, 8, 12, 0, 0, 0, ZoneId.of("UTC"));
  private static final UUID TALK = UUID.randomUUID();

  private static Route route(String question, Scope scope, KnownNames names) {
    QueryPlan plan = new QueryCompiler().compile(question, NOW.toInstant(), NOW.getZone());
    return RouteChoice.of(
        new Ask(new UserId("me"), question, plan, NOW, scope, names, true, Span.NONE));
  }

  /** Ana is somebody the person writes with. */
  private static KnownNames ana() {
    return new KnownNames(
        List.of(),
        Set.of(),
        List.of(TALK),
        new Senders(List.of(), List.of("ana")),
        Set.of("ana"),
        null,
        Set.of(),
        List.of());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "What did I miss?|CATCH_UP",
        "catch me up|CATCH_UP",
        "Summarise everything new since Monday|CATCH_UP",
        "Ponme al día|CATCH_UP",
        "¿Qué me perdí?|CATCH_UP",
        "What are my open commitments?|OPEN_LOOPS",
        "Which questions are still unanswered?|OPEN_LOOPS",
        "What did I promise?|OPEN_LOOPS",
        "What do people want from me?|OPEN_LOOPS",
        "¿Qué tengo pendiente?|OPEN_LOOPS",
        "¿Qué preguntas están sin responder?|OPEN_LOOPS",
        "I made plans on Saturday, with whom?|DATED_PLANS",
        "What plans do I have this weekend?|DATED_PLANS",
        "What are my upcoming plans?|DATED_PLANS",
        "¿Qué planes tengo para el sábado?|DATED_PLANS",
        "¿Qué planes tengo?|DATED_PLANS",
        "Who are my closest people in Mexico City or Brooklyn?|PEOPLE",
        "Who do I talk to most?|PEOPLE",
        "Who lives in Brooklyn?|PEOPLE",
        "¿Quiénes son mis amigos más cercanos?|PEOPLE",
        "¿Quiénes viven en Madrid?|PEOPLE",
        "Who was the Russian girl I talked about in the past couple of days?|DESCRIBED_PERSON",
        "¿Quién era la chica rusa de la que hablamos ayer?|DESCRIBED_PERSON",
        "What happened yesterday?|FILTERED",
        "What did we say about the boat on Telegram?|FILTERED",
        "¿Qué hablamos del barco en WhatsApp?|FILTERED",
        "Where did I park the car?|RECALL",
        "¿Cuál es la contraseña del wifi?|RECALL",
        "How did Greta feel about the supplier?|RECALL",
        "What did I promise Greta to pay?|RECALL",
        "Summarise what we said about the budget|RECALL",
        "Which of my friends like sushi?|RECALL"
      })
  void known(String question, Route expected) {
    assertThat(route(question, Scope.GLOBAL, KnownNames.NONE)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Is Ana mad at me?|TONE",
        "How are things with Ana?|TONE",
        "¿Está Ana enojada conmigo?|TONE",
        "What did I promise Ana?|OPEN_LOOPS",
        "Catch me up on Ana|CATCH_UP",
        "Is Ana angry at me about the goalkeeper?|RECALL"
      })
  @DisplayName("with somebody the person writes with")
  void withSomebody(String question, Route expected) {
    assertThat(route(question, Scope.GLOBAL, ana())).isEqualTo(expected);
  }

  @Test
  @DisplayName("of a tone needs somebody who is known, or one chat")
  void toneNeedsSomebody() {
    assertThat(route("Is Zoe mad at me?", Scope.GLOBAL, KnownNames.NONE)).isEqualTo(Route.RECALL);
    assertThat(route("What is the tone of this chat?", Scope.strict(TALK), KnownNames.NONE))
        .isEqualTo(Route.TONE);
  }

  @Test
  @DisplayName("never ranks people inside one chat")
  void nobodyToRank() {
    assertThat(route("Who do I talk to most?", Scope.strict(TALK), KnownNames.NONE))
        .isNotEqualTo(Route.PEOPLE);
  }
}
