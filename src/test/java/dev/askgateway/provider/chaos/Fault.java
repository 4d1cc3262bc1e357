package dev.askgateway.provider.chaos;

import dev.askgateway.provider.chaos.Reply.Again;
import dev.askgateway.provider.chaos.Reply.Chunk;
import dev.askgateway.provider.chaos.Reply.EndBody;
import dev.askgateway.provider.chaos.Reply.Fin;
import dev.askgateway.provider.chaos.Reply.Hold;
import dev.askgateway.provider.chaos.Reply.Raw;
import dev.askgateway.provider.chaos.Reply.Rst;
import dev.askgateway.provider.chaos.Reply.Wait;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Function;

/** A way to fail, laid over what a model would have said. */
public interface Fault {

  Reply over(Wording wording, Script script);

  /** The request arrives and nothing comes back. */
  static Fault noHeaders() {
    return (wording, script) -> Reply.of(new Hold());
  }

  static Fault status(int status, String headers, String body) {
    return (wording, script) -> Reply.status(status, headers, body);
  }

  /** A refusal in the vendor's words. */
  static Fault refusal(int status, String headers) {
    return (wording, script) -> Reply.status(
        status, headers + "Content-Type: application/json\r\n", wording.refusal(status));
  }

  /** A 200 and nothing after its head. */
  static Fault silence() {
    return (wording, script) -> Reply.head().then(new Hold());
  }

  /** Only keep-alives, without end. */
  static Fault pings(long everyMillis) {
    return (wording, script) ->
        Reply.head().then(new Again(Buffer.buffer(wording.ping()), everyMillis));
  }

  /** A keep-alive that somebody wrote as data. */
  static Fault keepAliveAsData(String data, long everyMillis) {
    return (wording, script) ->
        Reply.head().then(new Again(Buffer.buffer("data: " + data + "\n\n"), everyMillis));
  }

  /** So many pieces of text, then what the act says. */
  static Fault after(int texts, Reply.Act... acts) {
    return (wording, script) -> begun(wording, script, texts).then(acts);
  }

  /** So many pieces of text, then an event of the vendor's and a clean end. */
  static Fault after(int texts, Function<Wording, String> event) {
    return (wording, script) -> begun(wording, script, texts)
        .then(new Chunk(Buffer.buffer(event.apply(wording))), new EndBody());
  }

  static Fault errorInside(int texts, int status) {
    return after(texts, wording -> wording.error(status));
  }

  static Fault malformed(int texts) {
    return after(texts, Wording::malformed);
  }

  static Fault stall(int texts) {
    return after(texts, new Hold());
  }

  /** Only keep-alives after so many pieces of text. */
  static Fault pingsAfter(int texts, long everyMillis) {
    return (wording, script) ->
        begun(wording, script, texts).then(new Again(Buffer.buffer(wording.ping()), everyMillis));
  }

  static Fault reset(int texts) {
    return after(texts, new Wait(20), new Rst());
  }

  /** The request arrives and the connection is reset. */
  static Fault resetUnanswered() {
    return (wording, script) -> Reply.of(new Wait(20), new Rst());
  }

  /** A chunk that announces more bytes than come before the connection is closed. */
  static Fault unfinishedChunk(int texts) {
    return after(texts, new Raw(Buffer.buffer("ff\r\ndata: ")), new Fin());
  }

  /** Ends as if all were well, without a reason to stop and without an end marker. */
  static Fault cleanCut(int texts) {
    return after(texts, new EndBody());
  }

  /** The model's answer is another one. */
  static Fault says(Script other) {
    return (wording, script) -> Reply.answer(wording, other);
  }

  /** A whole answer, then bytes that nobody asked for on the kept connection. */
  static Fault strayBytes(String bytes) {
    return (wording, script) -> Reply.answer(wording, script).then(new Raw(Buffer.buffer(bytes)));
  }

  /** No fault: the answer, its bytes sent as the delivery says. */
  static Fault delivered(Delivery delivery) {
    return (wording, script) -> Reply.answer(wording, script, delivery);
  }

  private static Reply begun(Wording wording, Script script, int texts) {
    List<String> events = wording.events(script.cutAfter(texts));
    return Reply.stream(events);
  }
}
