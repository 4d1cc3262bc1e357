package dev.askgateway.provider.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import dev.askgateway.provider.sse.SseEvent;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Lends out one JSON parser for each thread, event after event: a parser of its own for each token
 * would be a quarter of the garbage of a stream. It is a parser that is fed, the only kind of the
 * library that can go on with another document. Each event is fed whole, so a parser that asks for
 * more has met a cut one.
 */
final class ChunkParser extends JsonParserDelegate {
  /** A parser remembers all member names it has met, so none lives for ever. */
  private static final int MOST_BYTES = 1 << 20;

  /** Where the thread's parser waits while nobody reads with it. */
  private static final class Place {
    private @Nullable ChunkParser idle;
  }

  private static final ThreadLocal<Place> PLACE = ThreadLocal.withInitial(Place::new);

  private final ByteArrayFeeder feeder;
  private long fed;

  private ChunkParser(JsonParser parser) {
    super(parser);
    this.feeder = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
  }

  /** Reads an object, from the token after its opening brace to its closing brace. */
  interface Members {
    void read(JsonParser at) throws IOException;
  }

  /** Whether the event is one JSON object and nothing else; if not, the members mean nothing. */
  static boolean read(SseEvent event, Members members) {
    Place place = PLACE.get();
    ChunkParser mine = place.idle;
    place.idle = null; // one that breaks off in the middle is not used again
    try {
      if (mine == null) {
        mine = new ChunkParser(Trees.factory().createNonBlockingByteArrayParser());
      }
      boolean whole = mine.document(event, members);
      if (whole && mine.fed < MOST_BYTES) {
        place.idle = mine;
      }
      return whole;
    } catch (IOException malformed) {
      return false; // the parser's own message quotes the answer
    }
  }

  private boolean document(SseEvent event, Members members) throws IOException {
    fed += event.length();
    feeder.feedInput(event.array(), event.from(), event.visibleTo());
    if (nextToken() != JsonToken.START_OBJECT) {
      return false;
    }
    members.read(this);
    return hasToken(JsonToken.END_OBJECT)
        && delegate.releaseBuffered(OutputStream.nullOutputStream()) == 0;
  }

  @Override
  public JsonToken nextToken() throws IOException {
    JsonToken token = super.nextToken();
    if (token == JsonToken.NOT_AVAILABLE) {
      throw new JsonEOFException(this, token, "cut");
    }
    return token;
  }
}
