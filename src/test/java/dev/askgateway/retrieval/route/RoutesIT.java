package dev.askgateway.retrieval.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.EvidenceMessage;
import dev.askgateway.core.EvidencePack;
import dev.askgateway.core.Route;
import dev.askgateway.core.Scope;
import dev.askgateway.retrieval.RetrievalFixture;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A question finds its evidence")
class RoutesIT extends ThreeChats {
  private static Stream<EvidenceMessage> messages(Routed found) {
    return found.found().pack().windows().stream().flatMap(window -> window.messages().stream());
  }

  private static List<String> hits(Routed found) {
    return messages(found)
        .filter(EvidenceMessage::hit)
        .map(EvidenceMessage::text)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"What did I miss?", "Ponme al día"})
  @DisplayName("of what is new in one window of each chat, the newest chat first:")
  void catchUp(String question) throws Exception {
    for (int i = 10; i < 40; i++) {
      say(ana, "2026-09-08T09:" + i, "Ana Keller", "ana " + i);
    }
    say(ben, "2026-09-08T08:00", "Ben", "ben");
    say(family, "2026-09-07T08:00", "Mamá", "mum");

    Routed found = ask(question);
    assertThat(found.routing().route()).isEqualTo(Route.CATCH_UP);
    assertThat(chats(found)).containsExactly(ana, ben, family);
    assertThat(found.found().pack().windows().get(0).messages())
        .extracting(EvidenceMessage::text)
        .contains("ana 39")
        .hasSizeLessThanOrEqualTo(RetrievalFixture.CONFIG.windowMessages());
    assertThat(chats(ask(question, Scope.preferred(List.of(family))))).startsWith(family);
    assertThat(chats(ask(question, Scope.strict(ben)))).containsOnly(ben);
  }

  @Test
  @DisplayName("of what is new in the chat, with the person or since the day it names")
  void catchUpNamed() throws Exception {
    say(ana, "2026-09-08T09:00", "Ana Keller", "from ana");
    say(family, "2026-09-06T08:00", "Mamá", "on sunday");
    say(family, "2026-09-07T08:00", "Mamá", "on monday");

    assertThat(hits(ask("Catch me up on the familia chat")))
        .containsExactly("on sunday", "on monday");
    assertThat(hits(ask("Catch me up on Ana"))).containsExactly("from ana");
    assertThat(hits(ask("catch me up since yesterday"))).containsExactly("from ana", "on monday");
  }

  @Test
  @DisplayName("of promises in who promised, until it is done or too long ago")
  void promises() throws Exception {
    say(ana, "2026-09-01T09:00", "You", "I'll send you the form");
    say(ana, "2026-09-01T10:00", "Ana Keller", "I’ll bring the tent");
    say(ben, "2026-09-02T09:00", "You", "te mando las fotos luego");
    say(ben, "2026-09-03T09:00", "You", "I'll pay the deposit");
    say(ben, "2026-09-03T12:00", "You", "just sent the money, paid");
    say(family, "2026-05-01T09:00", "You", "I'll call the plumber");
    say(family, "2026-09-04T09:00", "Mamá", "the weather is nice");

    assertThat(hits(ask("What did I promise?"))).containsExactly("I'll send you the form");
    assertThat(hits(ask("¿Qué le prometí a Ben?"))).isEmpty();
    assertThat(hits(ask("What did I promise Ana?"))).containsExactly("I'll send you the form");
    assertThat(hits(ask("What am I waiting for?"))).containsExactly("I’ll bring the tent");
    assertThat(hits(ask("What did I promise?", Scope.strict(family)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Which questions are unanswered?", "¿Qué preguntas están sin responder?"})
  @DisplayName(
      "of open questions where nothing was written after them, in groups where they reply:")
  void questions(String question) throws Exception {
    say(ana, "2026-09-01T09:00", "Ana Keller", "are you coming?");
    say(ana, "2026-09-01T10:00", "You", "yes");
    say(ben, "2026-09-02T09:00", "Ben", "¿Tienes la llave? ");
    say(family, "2026-09-03T09:00", "Mamá", "who has the dog?");

    Routed found = ask(question);
    assertThat(found.routing().route()).isEqualTo(Route.OPEN_LOOPS);
    assertThat(hits(found)).containsExactly("¿Tienes la llave? ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"What do people want from me?", "¿Qué me han pedido?"})
  @DisplayName("of requests in those that are the person's to do:")
  void requests(String question) throws Exception {
    say(ana, "2026-09-01T09:00", "Ana Keller", "Can you send me the contract?");
    say(ana, "2026-09-01T10:00", "You", "sure");
    say(ben, "2026-09-02T09:00", "Ben", "Mándame la dirección");
    say(family, "2026-09-03T09:00", "Mamá", "can you all call grandma");

    assertThat(hits(ask(question)))
        .contains("Can you send me the contract?", "Mándame la dirección")
        .doesNotContain("can you all call grandma");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I made plans on Saturday, with whom?",
        "What plans do I have for Saturday?",
        "¿Qué planes tengo para el sábado?"
      })
  @DisplayName(
      "of a day's plans in messages that name the day, of whatever day, all who may be meant:")
  void plans(String question) throws Exception {
    say(ana, "2026-09-04T09:00", "Ana Keller", "dinner saturday the 12th?");
    say(ben, "2026-09-08T09:00", "Ben", "¿Vamos al cine el sábado?");
    say(family, "2026-09-06T09:00", "Mamá", "cena con la abuela el 12 de septiembre");
    say(family, "2026-08-20T09:00", "Mamá", "see you saturday");
    say(ben, "2026-09-07T09:00", "Ben", "coffee tomorrow?");

    Routed found = ask(question);
    assertThat(found.routing().route()).isEqualTo(Route.DATED_PLANS);
    assertThat(hits(found))
        .contains(
            "dinner saturday the 12th?",
            "¿Vamos al cine el sábado?",
            "cena con la abuela el 12 de septiembre")
        .doesNotContain("coffee tomorrow?");
    assertThat(chats(found).subList(0, 3)).containsExactlyInAnyOrder(ana, ben, family);
    assertThat(chats(ask(question, Scope.strict(ben)))).containsOnly(ben);
  }

  @Test
  @DisplayName("of plans with somebody in theirs, and of plans to come in those that are not over")
  void plansWithSomebody() throws Exception {
    say(ana, "2026-09-04T09:00", "Ana Keller", "dinner saturday the 12th?");
    say(ben, "2026-09-08T09:00", "Ben", "cinema on saturday");
    say(family, "2026-08-04T09:00", "Mamá", "lunch on sunday");

    assertThat(hits(ask("What plans do I have with Ben on Saturday?")))
        .first()
        .isEqualTo("cinema on saturday");
    assertThat(hits(ask("What are my plans?")))
        .containsExactlyInAnyOrder("dinner saturday the 12th?", "cinema on saturday");
  }

  @Test
  @DisplayName(
      "of closest people in chats both write in, with the numbers, not in groups or bursts")
  void people() throws Exception {
    for (int day = 1; day < 8; day++) {
      say(ana, "2026-09-0" + day + "T09:00", "Ana Keller", "hello " + day);
      say(ana, "2026-09-0" + day + "T10:00", "You", "hi " + day);
    }
    say(ben, "2026-09-01T09:00", "Ben", "hey there");
    say(ben, "2026-09-03T09:00", "You", "hey yourself");
    UUID shop = world.data.chat(user, "whatsapp", "Shop", false);
    for (int minute = 10; minute < 50; minute++) {
      say(shop, "2026-09-07T09:" + minute, "Shop", "offer " + minute);
      say(family, "2026-09-07T09:" + minute, "Mamá", "news " + minute);
    }
    UUID gone = say(ana, "2026-09-08T09:00", "Ana Keller", "deleted");
    world.data.run("UPDATE messages SET is_deleted = true WHERE id = ?", gone);

    for (String question :
        List.of("Who are my closest people?", "¿Quiénes son mis amigos más cercanos?")) {
      Routed found = ask(question);
      assertThat(found.routing().route()).isEqualTo(Route.PEOPLE);
      assertThat(chats(found)).containsExactly(ana, ben);
      assertThat(found.found().pack().windows().get(0).note())
          .isEqualTo("counted in this chat: 14 messages in the last 30 days, 14 in the last 90"
              + " (7 sent, 7 received), on 7 days; last on 7 Sep 2026");
    }
  }

  @Test
  @DisplayName("of people at a place in messages that name it, by any of its names")
  void place() throws Exception {
    say(ana, "2026-03-01T09:00", "Ana Keller", "me mudé a la Ciudad de México");
    say(ben, "2026-09-01T09:00", "Ben", "back in CDMX");
    say(ben, "2026-09-02T09:00", "You", "great");
    say(ben, "2026-09-03T09:00", "Ben", "come by");
    say(family, "2026-09-03T09:00", "Mamá", "Madrid is hot");

    assertThat(chats(ask("Who are my closest people in Mexico City?"))).containsExactly(ben, ana);
    assertThat(hits(ask("¿Quiénes viven en CDMX?")))
        .containsExactlyInAnyOrder("back in CDMX", "me mudé a la Ciudad de México");
    assertThat(ask("Who lives in Tokyo?").found().pack()).isEqualTo(EvidencePack.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Is Ana mad at me?", "¿Está Ana enojada conmigo?"})
  @DisplayName(
      "of a tone in the newest messages of the chat, both sides, and in older ones like it:")
  void tone(String question) throws Exception {
    say(ana, "2026-01-01T09:00", "Ana Keller", question);
    for (int i = 10; i < 50; i++) {
      say(ana, "2026-09-01T09:" + i, i % 2 == 0 ? "Ana Keller" : "You", "short answer " + i);
    }
    say(ben, "2026-09-02T09:00", "Ben", "Ana is mad");

    Routed found = ask(question);
    assertThat(found.routing().route()).isEqualTo(Route.TONE);
    assertThat(chats(found)).containsOnly(ana);
    assertThat(hits(found)).contains("short answer 49", "short answer 48", question);
  }

  @Test
  @DisplayName("of somebody told by attributes in each chat that may mean them, inside the time")
  void described() throws Exception {
    say(ana, "2026-09-07T09:00", "Ana Keller", "that russian girl from the gym");
    say(ana, "2026-09-07T19:00", "You", "the russian one again");
    say(ana, "2026-09-08T09:00", "Ana Keller", "a russian neighbour of mine");
    say(ben, "2026-09-08T09:30", "Ben", "la chica rusa se llama Katya");
    say(family, "2026-08-01T09:00", "Mamá", "a russian cousin");

    Routed found = ask("Who was the Russian girl I talked about in the past couple of days?");
    assertThat(found.routing().route()).isEqualTo(Route.DESCRIBED_PERSON);
    assertThat(chats(found)).contains(ana, ben).doesNotContain(family);
    assertThat(chats(found).subList(0, 2)).containsExactlyInAnyOrder(ana, ben);
  }

  @Test
  @DisplayName(
      "inside the platform, the chat and the sender that it names, though windows show all")
  void filtered() throws Exception {
    say(family, "2026-09-01T09:00", "Mamá", "the boat is blue");
    say(family, "2026-09-01T09:01", "Leo", "the boat is red");
    say(ben, "2026-09-01T09:00", "Ben", "the boat is green");
    say(ana, "2026-09-01T09:00", "Ana Keller", "the boat is gone");

    assertThat(chats(ask("What about the boat on Telegram?"))).containsExactly(ben);
    assertThat(chats(ask("¿Qué hablamos del barco, the boat, en Telegram?"))).containsExactly(ben);
    assertThat(ask("What about the boat on Slack?").found().pack()).isEqualTo(EvidencePack.NONE);
    assertThat(chats(ask("What about the boat in the familia group?"))).containsExactly(family);
    Routed mum = ask("What did Mama say about the boat?");
    assertThat(mum.routing().route()).isEqualTo(Route.FILTERED);
    assertThat(hits(mum)).containsExactly("the boat is blue");
    assertThat(messages(mum).map(EvidenceMessage::text)).contains("the boat is red");
    assertThat(hits(ask("¿Qué dijo Leo?"))).containsExactly("the boat is red");
    assertThat(ask("What did Mama say about the car?").found().pack()).isEqualTo(EvidencePack.NONE);
  }

  @Test
  @DisplayName("of a sender by the contact, whatever label the messages carry")
  void contacts() throws Exception {
    UUID contact = UUID.randomUUID();
    world.data.run(
        "INSERT INTO contacts (user_id, id, platform, platform_contact_id, name) VALUES (?, ?, 'whatsapp', 'z', 'Zoë')",
        user.value(),
        contact);
    UUID said = say(family, "2026-09-01T09:00", "+34 555", "the boat is blue");
    world.data.run("UPDATE messages SET contact_id = ? WHERE id = ?", contact, said);
    say(family, "2026-09-01T09:01", "Leo", "the boat is red");

    assertThat(hits(ask("What did Zoe say about the boat?"))).containsExactly("the boat is blue");
  }

  @Test
  @DisplayName("in all chats of a name, and says so; a name of no chat is a word")
  void names() throws Exception {
    UUID other = world.data.chat(user, "signal", "Familia Ruiz", true);
    say(family, "2026-09-01T09:00", "Mamá", "the boat is blue");
    say(other, "2026-09-01T09:00", "Leo", "the boat is red");
    say(ben, "2026-09-01T09:00", "Ben", "the rowing boat is green");

    Routed several = ask("What about the boat in the Familia group?");
    assertThat(chats(several)).containsExactlyInAnyOrder(family, other);
    JsonObject plan = several.routing().toJson();
    assertThat(plan.getString("route")).isEqualTo("filtered");
    assertThat(plan.getJsonArray("ambiguities").getJsonObject(0))
        .isEqualTo(
            new JsonObject().put("kind", "which_chat").put("name", "Familia").put("matches", 2));

    Routed none = ask("What about the boat in the rowing group?");
    assertThat(none.routing().route()).isEqualTo(Route.RECALL);
    assertThat(chats(none)).startsWith(ben);
    assertThat(chats(ask("What about the boat in the Familia group?", Scope.strict(ben))))
        .doesNotContain(family, other);
  }

  @Test
  @DisplayName("by words and meaning where no shape is sure")
  void recall() throws Exception {
    say(ana, "2026-03-01T09:00", "Ana Keller", "the wifi password is tulip");
    for (String question : List.of("What is the wifi password?", "wifi password tulip")) {
      Routed found = ask(question);
      assertThat(found.routing().route()).isEqualTo(Route.RECALL);
      assertThat(hits(found)).containsExactly("the wifi password is tulip");
    }
    assertThat(ask("Where is the helicopter?").found().pack()).isEqualTo(EvidencePack.NONE);
  }
}
