package dev.askgateway.provider;

import dev.askgateway.core.FinishReason;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TokenStream;
import dev.askgateway.core.Usage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/** Everything a token stream said, and how it ended: failure is null for a clean end. */
public record Transcript(List<TokenEvent> events, GatewayError failure) {

  /** Reads the stream to its end. */
  public static Future<Transcript> of(TokenStream stream) {
    List<TokenEvent> events = new ArrayList<>();
    Promise<Transcript> done = Promise.promise();
    stream
        .exceptionHandler(error -> done.complete(new Transcript(events, (GatewayError) error)))
        .endHandler(ended -> done.complete(new Transcript(events, null)))
        .handler(events::add)
        .resume();
    return done.future();
  }

  public String text() {
    StringBuilder text = new StringBuilder();
    events.forEach(event -> {
      if (event instanceof TokenEvent.Text piece) {
        text.append(piece.delta());
      }
    });
    return text.toString();
  }

  public String reasoning() {
    StringBuilder text = new StringBuilder();
    events.forEach(event -> {
      if (event instanceof TokenEvent.Reasoning piece) {
        text.append(piece.delta());
      }
    });
    return text.toString();
  }

  /** The last usage told, or null. */
  public Usage usage() {
    Usage last = null;
    for (TokenEvent event : events) {
      last = event instanceof TokenEvent.Metered metered ? metered.usage() : last;
    }
    return last;
  }

  /** The reasons told, at most one in a good stream. */
  public List<FinishReason> reasons() {
    return events.stream()
        .filter(TokenEvent.Finished.class::isInstance)
        .map(event -> ((TokenEvent.Finished) event).reason())
        .toList();
  }
}
