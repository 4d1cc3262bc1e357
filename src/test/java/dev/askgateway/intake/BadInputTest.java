package dev.askgateway.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.askgateway.core.GatewayError;
import dev.askgateway.intake.Door.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BadInputTest {
  private static final String ASK = "/ai/assistant/messages";
  private static final String CHAT = UUID.randomUUID().toString();
  private static Door door;

  @BeforeAll
  static void open() {
    door = new Door().open();
  }

  @AfterAll
  static void close() {
    door.close();
  }

  @BeforeEach
  void forget() {
    door.answers.asked.clear();
    door.answers.refusal = null;
  }

  record Case(String body, String path) {
    @Override
    public String toString() {
      return path + " of " + (body.length() > 80 ? body.substring(0, 80) + "..." : body);
    }
  }

  private static Case ask(JsonObject extra, String path) {
    return new Case(new JsonObject().put("question", "hi").mergeIn(extra).encode(), path);
  }

  private static JsonObject one(String name, Object value) {
    return new JsonObject().put(name, value);
  }

  private static JsonArray chats(int count) {
    JsonArray chats = new JsonArray();
    for (int i = 0; i < count; i++) {
      chats.add(UUID.randomUUID().toString());
    }
    return chats;
  }

  private static JsonObject message(String role, Object... parts) {
    return one("id", "m1").put("role", role).put("parts", new JsonArray(List.of(parts)));
  }

  private static JsonObject text(String text) {
    return one("type", "text").put("text", text);
  }

  static List<Case> invalid() {
    List<Case> cases = new ArrayList<>(List.of(
        new Case("{\"question\":", ""),
        new Case("", ""),
        new Case("[]", ""),
        new Case("\"hi\"", ""),
        new Case("null", ""),
        new Case("{}", "/question"),
        new Case("{\"question\":null}", "/question"),
        new Case("{\"question\":5}", "/question"),
        new Case("{\"question\":[\"hi\"]}", "/question"),
        new Case("{\"question\":\"\"}", "/question"),
        new Case("{\"question\":\" \\n\\t \"}", "/question"),
        new Case("{\"question\":\"\\u0000\"}", "/question"),
        new Case(one("question", "x".repeat(2001)).encode(), "/question"),
        new Case(one("question", "\uD83D\uDE00".repeat(2001)).encode(), "/question"),
        ask(one("chatIds", chats(6)), "/chatIds"),
        ask(one("chatIds", new JsonArray().add("nope")), "/chatIds/0"),
        ask(one("chatIds", CHAT), "/chatIds"),
        ask(one("requestId", "nope"), "/requestId"),
        ask(one("requestId", 7), "/requestId"),
        ask(one("threadId", "nope"), "/threadId"),
        ask(one("stream", "yes"), "/stream"),
        ask(one("profile", ""), "/profile"),
        ask(one("timezone", "IST"), "/timezone"),
        ask(one("timezone", "GMT+25"), "/timezone"),
        ask(one("timezone", ""), "/timezone"),
        ask(one("timezone", 1), "/timezone"),
        ask(one("at", "yesterday"), "/at"),
        ask(one("at", "2026-11-28T19:04:11"), "/at"),
        ask(one("at", "+999999999-12-31T23:59:59Z"), "/at"),
        ask(one("scope", "global"), "/scope"),
        ask(one("scope", new JsonObject()), "/scope/type"),
        ask(one("scope", one("type", "everything")), "/scope/type"),
        ask(one("scope", one("type", "global").put("kind", "preferred")), "/scope/kind"),
        ask(one("scope", one("type", "global").put("chatIds", chats(1))), "/scope"),
        ask(one("scope", one("type", "preferred")), "/scope/chatIds"),
        ask(one("scope", one("type", "preferred").put("chatIds", chats(6))), "/scope/chatIds"),
        ask(one("scope", one("kind", "strict_chat")), "/scope/chatId"),
        ask(one("scope", one("kind", "strict_chat").put("chatId", "x")), "/scope/chatId"),
        ask(one("scope", one("type", "global")).put("chatIds", chats(1)), "/chatIds"),
        ask(
            one("scope", one("type", "strict_chat").put("chatId", CHAT))
                .put("chatIds", new JsonArray().add(CHAT)),
            "/chatIds"),
        ask(one("messages", new JsonArray().add(message("user", text("hi")))), "/question")));
    cases.addAll(List.of(
        new Case(one("messages", new JsonArray()).encode(), "/messages"),
        new Case(one("messages", "hi").encode(), "/messages"),
        new Case(one("messages", new JsonArray().add("hi")).encode(), "/messages/0"),
        new Case(
            one("messages", new JsonArray().add(message("robot"))).encode(), "/messages/0/role"),
        new Case(
            one("messages", new JsonArray().add(one("role", "user"))).encode(),
            "/messages/0/parts"),
        new Case(
            one("messages", new JsonArray().add(message("assistant", text("hi"))))
                .encode(),
            "/messages"),
        new Case(
            one("messages", new JsonArray().add(message("user", one("type", "file"))))
                .encode(),
            "/messages/0/parts"),
        new Case(
            one("messages", new JsonArray().add(message("user", text("hi"))))
                .put("id", 5)
                .encode(),
            "/id"),
        new Case(
            one("messages", new JsonArray().add(message("user", text("hi"))))
                .put("id", " ")
                .encode(),
            "/id"),
        new Case(
            one("messages", new JsonArray().add(message("user", text("hi"))))
                .put("id", "x".repeat(257))
                .encode(),
            "/id"),
        new Case(
            one("messages", new JsonArray().add(message("user", text("hi"))))
                .put("trigger", "resume")
                .encode(),
            "/trigger"),
        new Case(
            one("message", message("user", text("x".repeat(2001)))).encode(), "/message/parts"),
        new Case(one("message", message("assistant", text("x"))).encode(), "/message/role")));
    return cases;
  }

  @ParameterizedTest
  @MethodSource("invalid")
  @DisplayName("a body that breaks the contract is refused with the field's path, and asks nothing")
  void invalid(Case bad) {
    Answer answer = door.post(ASK, bad.body());
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("invalid_request");
    assertThat(answer.json().getBoolean("success")).isFalse();
    assertThat(answer.json().getBoolean("retryable")).isFalse();
    assertThat(answer.path()).isEqualTo(bad.path());
    assertThat(door.answers.asked).isEmpty();
  }

  @Test
  @DisplayName(
      "2,000 characters are a question, counted as people count them, whatever surrounds them")
  void longestQuestion() {
    String smile = "\uD83D\uDE00";
    Answer answer = door.post(ASK, one("question", "  \n" + smile.repeat(2000) + "\t "));
    assertThat(answer.status()).isEqualTo(201);
    assertThat(door.answers.last().question()).isEqualTo(smile.repeat(2000));
  }

  @Test
  @DisplayName("NUL and lone surrogates are repaired, right-to-left and emoji text is kept")
  void oddText() {
    door.post(ASK, "{\"question\":\"a\\u0000b \\ud800 \\udc00\"}");
    assertThat(door.answers.last().question()).isEqualTo("ab \uFFFD \uFFFD");
    String text = "متى نلتقي؟ \u202Eabc\u202C 👩‍👩‍👧";
    door.post(ASK, one("question", text));
    assertThat(door.answers.last().question()).isEqualTo(text);
  }

  @Test
  @DisplayName("a search says what is wrong with its query")
  void search() {
    assertThat(door.post("/ai/search", "{}").path()).isEqualTo("/query");
    assertThat(door.post("/ai/search", "{\"query\":\"  \"}").path()).isEqualTo("/query");
    assertThat(door.post("/ai/search", one("query", "x".repeat(2001))).path()).isEqualTo("/query");
    assertThat(door.answers.asked).isEmpty();
  }

  @Test
  @DisplayName("a title is one line of at most 120 characters that is not blank")
  void title() {
    assertThat(door.post("/ai/assistant/threads", one("title", " ")).path()).isEqualTo("/title");
    assertThat(door.post("/ai/assistant/threads", one("title", "x".repeat(121))).path())
        .isEqualTo("/title");
    assertThat(door.post("/ai/assistant/threads", one("title", 5)).path()).isEqualTo("/title");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ai/assistant/threads/nope",
        "/ai/assistant/threads/%F0%9F%98%80",
        "/ai/assistant/conversations/1",
        "/ai/assistant/requests/00000000-0000-0000-0000-00000000000g",
        "/ai/assistant/threads?limit=0",
        "/ai/assistant/threads?limit=201",
        "/ai/assistant/threads?limit=ten",
        "/ai/assistant/threads?cursor=%21%21",
        "/ai/assistant/threads?cursor=AAAA",
        "/ai/assistant/mention-candidates?q=" + "0123456789012345678901234567890123456789"
            + "0123456789012345678901234567890123456789012345678901234567890123456789"
            + "0123456789012345678901234567890123456789012345678901234567890123456789"
            + "012345678901234567890123456789",
      })
  @DisplayName("a parameter that has another form is refused by its name")
  void parameters(String path) {
    Answer answer = door.get(path);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("invalid_request");
    assertThat(answer.path()).isIn("threadId", "chatId", "requestId", "limit", "cursor", "q");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ai/assistant/threads/%00",
        "/ai/assistant/messages/a%00b/stream",
        "/ai/assistant/mention-candidates?q=a%00b",
        "/nothing/%00",
        "/ai/assistant/threads/%zz",
      })
  @DisplayName("an address with a NUL or a broken escape is refused")
  void addresses(String path) throws IOException {
    String answer = door.raw(
        "GET " + path + " HTTP/1.1\r\nhost: x\r\nauthorization: Bearer " + Tokens.hs256(Door.PERSON)
            + "\r\n\r\n",
        "}");
    assertThat(answer).startsWith("HTTP/1.1 400").contains("\"code\":\"invalid_request\"");
  }

  @Test
  @DisplayName("what is not HTTP, and a head that is too long, are answered in the same envelope")
  void notHttp() throws IOException {
    assertThat(door.raw("NONSENSE\r\n\r\n", "}"))
        .contains(" 400 Bad Request")
        .contains("\"code\":\"invalid_request\"");
    assertThat(door.raw("GET /" + "x".repeat(5000) + " HTTP/1.1\r\nhost: x\r\n\r\n", "}"))
        .contains(" 400 Bad Request")
        .contains("\"code\":\"invalid_request\"");
    assertThat(door.raw(
            "GET / HTTP/1.1\r\nhost: x\r\nx-long: " + "x".repeat(20_000) + "\r\n\r\n", "}"))
        .contains(" 400 Bad Request")
        .contains("\"code\":\"invalid_request\"");
  }

  @Test
  @DisplayName("an unknown path is 404, a wrong method 405 with those that work")
  void unknownPathAndMethod() {
    assertThat(door.get("/ai/nothing").status()).isEqualTo(404);
    assertThat(door.get("/nothing").code()).isEqualTo("not_found");
    Answer method = door.get(ASK);
    assertThat(method.status()).isEqualTo(405);
    assertThat(method.code()).isEqualTo("method_not_allowed");
    assertThat(method.header("allow")).isEqualTo("POST");
    assertThat(method.json().getBoolean("retryable")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/plain", "application/x-www-form-urlencoded", "application/jsonp", "*/*"})
  @DisplayName("a body of another type is refused before it is read")
  void contentType(String type) {
    Answer answer = door.send(door.signed(ASK)
        .header("Content-Type", type)
        .POST(HttpRequest.BodyPublishers.ofString("{\"question\":\"hi\"}")));
    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.code()).isEqualTo("unsupported_media_type");
  }

  @Test
  @DisplayName("no type at all and a compressed body are refused, a charset and capitals are not")
  void contentTypeEdges() {
    String body = "{\"question\":\"hi\"}";
    assertThat(door.send(door.signed(ASK).POST(HttpRequest.BodyPublishers.ofString(body)))
            .status())
        .isEqualTo(415);
    assertThat(door.send(door.signed(ASK)
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip")
                .POST(HttpRequest.BodyPublishers.ofString(body)))
            .status())
        .isEqualTo(415);
    assertThat(door.send(door.signed(ASK)
                .header("Content-Type", "Application/JSON; charset=UTF-8")
                .POST(HttpRequest.BodyPublishers.ofString(body)))
            .status())
        .isEqualTo(201);
  }

  @Test
  @DisplayName("a body that announces too much is refused while nothing of it has come")
  void announcedTooLong() throws IOException {
    String answer = door.raw(head("content-length: 100000000"), "}");
    assertThat(answer).startsWith("HTTP/1.1 413").contains("\"code\":\"payload_too_large\"");
  }

  @Test
  @DisplayName("who asks first is not told to go on with too much")
  void expectTooLong() throws IOException {
    String answer = door.raw(head("content-length: 100000000\r\nexpect: 100-continue"), "}");
    assertThat(answer).startsWith("HTTP/1.1 413").doesNotContain("100 Continue");
  }

  @Test
  @DisplayName("a body that never says its length is refused at the limit, not after its end")
  void chunkedTooLong() throws IOException {
    String chunk = Integer.toHexString(70_000) + "\r\n" + "x".repeat(70_000) + "\r\n";
    String answer = door.raw(head("transfer-encoding: chunked") + chunk, "}");
    assertThat(answer).startsWith("HTTP/1.1 413").contains("\"code\":\"payload_too_large\"");
  }

  @Test
  @DisplayName("a body at the limit is read, one byte more is not")
  void atTheLimit() {
    String frame = one("question", "hi").put("pad", "").encode();
    int room = 64 * 1024 - frame.length();
    assertThat(
            door.post(ASK, one("question", "hi").put("pad", "x".repeat(room))).status())
        .isEqualTo(201);
    assertThat(door.post(ASK, one("question", "hi").put("pad", "x".repeat(room + 1)))
            .status())
        .isEqualTo(413);
  }

  private static String head(String length) {
    return "POST " + ASK + " HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        + "authorization: Bearer " + Tokens.hs256(Door.PERSON) + "\r\n" + length + "\r\n\r\n";
  }

  @Test
  @DisplayName("a connection that was refused serves the next request")
  void connectionGoesOn() throws IOException {
    String body = "{\"question\":1}";
    String first = head("content-length: " + body.length()) + body;
    String second = "GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    String answer = door.raw(first + second, "\"status\":\"up\"");
    assertThat(answer).startsWith("HTTP/1.1 400").contains("HTTP/1.1 200");
  }

  @Test
  @DisplayName("invalid UTF-8 and JSON nested without end are refused, not run into")
  void hostileJson() throws IOException {
    String bytes = "{\"question\":\"\u00ff\u00fe\"}";
    assertThat(door.raw(head("content-length: " + bytes.length()) + bytes, "}"))
        .startsWith("HTTP/1.1 400");
    assertThat(
            door.post(ASK, "{\"question\":\"hi\",\"x\":" + "[".repeat(30_000)).status())
        .isEqualTo(400);
  }

  @Test
  @DisplayName("a refusal of the answer keeps its own status and code, in either form")
  void refusals() {
    for (GatewayError.Code code : List.of(
        GatewayError.Code.NOT_FOUND,
        GatewayError.Code.REQUEST_CONFLICT,
        GatewayError.Code.BUDGET_EXHAUSTED,
        GatewayError.Code.AI_DISABLED,
        GatewayError.Code.OVERLOADED)) {
      door.answers.refusal = new GatewayError(code, "No.");
      Answer json = door.post(ASK, one("question", "hi"));
      Answer events = door.post(ASK, one("question", "hi"), "Accept", "text/event-stream");
      int status = dev.askgateway.relay.ErrorTable.rowFor(code).status();
      assertThat(List.of(json.status(), events.status())).containsOnly(status);
      assertThat(List.of(json.code(), events.code())).containsOnly(code.wire());
      assertThat(events.json().getString("requestId"))
          .isEqualTo(events.header("x-request-id"))
          .isEqualTo(door.answers.last().requestId().toString());
    }
  }

  @Test
  @DisplayName("a store that is away is a failure that may pass, and says nothing of itself")
  void storeAway() {
    Answer answer = door.get("/ai/assistant/threads");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("dependency_unavailable");
    assertThat(answer.json().getBoolean("retryable")).isTrue();
    assertThat(answer.text()).doesNotContain("127.0.0.1").doesNotContain("Exception");
  }
}
