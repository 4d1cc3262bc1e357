package dev.askgateway.provider.openai;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.provider.Transcript;
import dev.askgateway.provider.sse.SseEvent;
import dev.askgateway.provider.sse.SseReader;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the dialect makes of a whole body, without a network. */
final class DialectRun {
  private DialectRun() {}

  static Transcript read(OpenAiDialect dialect, String body) {
    return read(dialect, body.getBytes(StandardCharsets.UTF_8));
  }

  /** Of a body fed in pieces cut at these bytes. */
  static Transcript read(OpenAiDialect dialect, byte[] body, int... cuts) {
    List<TokenEvent> events = new ArrayList<>();
    SseReader reader = new SseReader(1 << 16, 1 << 16, new SseReader.Sink() {
      @Override
      public void event(SseEvent event) {
        if (!dialect.done()) {
          dialect.event(event, events::add);
        }
      }

      @Override
      public void stray(String line) {
        dialect.stray(line, events::add);
      }
    });
    try {
      int from = 0;
      for (int cut : cuts) {
        reader.feed(Buffer.buffer(body).getBuffer(from, cut));
        from = cut;
      }
      reader.feed(Buffer.buffer(body).getBuffer(from, body.length));
      dialect.end(reader.end(), events::add);
      return new Transcript(events, null);
    } catch (GatewayError error) {
      return new Transcript(events, error);
    }
  }
}
