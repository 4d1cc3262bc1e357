package dev.askgateway.intake.ingest;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.store.IngestRepository.Message;
import dev.askgateway.store.IngestRepository.Written;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One body on its way in. While a batch is being written the body stands still, so that one batch,
 * one chunk and one line are all that is ever held of it.
 */
final class Ingestion {
  /** Bytes of lines after which a batch is written though it is not full: what one JSON parameter costs the loop. */
  private static final int BATCH_BYTES = 256 * 1024;

  private final Context context;
  private final ReadStream<Buffer> body;
  private final LineSplitter lines;
  private final UserId user;
  private final IngestHandler.BatchWriter writer;
  private final IngestConfig config;
  private final IngestTally tally;
  private final Promise<JsonObject> done = Promise.promise();

  private List<Message> batch = new ArrayList<>();
  private int batchBytes;
  private long bodyBytes;
  private boolean accepted;
  private boolean ended;

  Ingestion(
      Context context,
      ReadStream<Buffer> body,
      LineSplitter lines,
      UserId user,
      IngestHandler.BatchWriter writer,
      IngestConfig config) {
    this.context = context;
    this.body = body;
    this.lines = lines;
    this.user = user;
    this.writer = writer;
    this.config = config;
    this.tally = new IngestTally(config.maxRejectedListed());
  }

  /**
   * Reads the body to its end. Succeeds with the counts; fails with a {@link GatewayError}, or with
   * what broke the connection. The batches written until then stay.
   */
  Future<JsonObject> run() {
    body.exceptionHandler(this::fail);
    body.endHandler(end -> {
      ended = true;
      lines.end();
      advance();
    });
    body.handler(this::feed);
    body.resume();
    return done.future();
  }

  private void feed(Buffer chunk) {
    if (done.future().isComplete()) {
      return; // the rest of a body that was given up
    }
    bodyBytes += chunk.length();
    if (bodyBytes > config.maxBodyBytes()) {
      fail(tooLarge(config));
      return;
    }
    body.pause();
    lines.feed(chunk.getBytes());
    advance();
  }

  static GatewayError tooLarge(IngestConfig config) {
    return new GatewayError(
        GatewayError.Code.PAYLOAD_TOO_LARGE,
        "The body is longer than " + config.maxBodyBytes() + " bytes.");
  }

  /** Reads what there is, but no more than a batch at a time, so that the loop stays free for others. */
  private void advance() {
    for (int read = 0; read < config.batchSize(); read++) {
      RawLine line = lines.next();
      if (line == null) {
        awaitMore();
        return;
      }
      take(line);
      if (done.future().isComplete()) {
        return;
      }
      if (batch.size() >= config.batchSize() || batchBytes >= BATCH_BYTES) {
        flush().onSuccess(written -> advance());
        return;
      }
    }
    context.runOnContext(later -> advance());
  }

  private void awaitMore() {
    if (!ended) {
      body.resume();
    } else if (batch.isEmpty()) {
      done.tryComplete(tally.toJson());
    } else {
      flush().onSuccess(written -> done.tryComplete(tally.toJson()));
    }
  }

  private void take(RawLine line) {
    switch (line.kind()) {
      case TOO_LARGE -> reject(line, Rejection.Code.PAYLOAD_TOO_LARGE);
      case BROKEN -> {
        if (accepted) {
          reject(line, Rejection.Code.INVALID_JSON);
        } else {
          fail(notAnArray(line.number()));
        }
      }
      case LINE -> read(line);
    }
  }

  private void read(RawLine line) {
    try {
      batch.add(LineReader.read(line.bytes()));
      batchBytes += line.bytes().length();
      accepted = true;
    } catch (LineReader.Refused refused) {
      tally.add(refused.at(line.number()));
    }
  }

  private void reject(RawLine line, Rejection.Code code) {
    tally.add(new Rejection(line.number(), code, null));
  }

  private static GatewayError notAnArray(int element) {
    return GatewayError.invalid(
        "/" + (element - 1),
        "The body is not a JSON array: element " + element
            + " cannot be read. One object a line is application/x-ndjson.");
  }

  private Future<Written> flush() {
    List<Message> full = batch;
    batch = new ArrayList<>();
    batchBytes = 0;
    return writer.write(user, full).onSuccess(tally::add).onFailure(this::fail);
  }

  private void fail(@Nullable Throwable failure) {
    if (failure != null && done.tryFail(failure)) {
      body.resume(); // what is still coming is read and forgotten, so that the answer can go out
    }
  }
}
