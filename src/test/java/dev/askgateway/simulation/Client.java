package dev.askgateway.simulation;

import dev.askgateway.answer.AskCommand;
import dev.askgateway.answer.completion.Caller;
import dev.askgateway.answer.completion.CompletionCommand;
import dev.askgateway.answer.completion.EmbeddingCommand;
import dev.askgateway.answer.completion.EmbeddingRun;
import dev.askgateway.core.AnswerEvent;
import dev.askgateway.core.AnswerSink;
import dev.askgateway.core.CompletionSink;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Scope;
import dev.askgateway.core.TokenEvent;
import dev.askgateway.core.TurnState;
import dev.askgateway.core.Usage;
import dev.askgateway.core.trace.Span;
import dev.askgateway.provider.EmbeddingModel;
import dev.askgateway.provider.ModelRequest;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Who asks: sends the same request again to whichever node when it hears nothing or of a failure. */
final class Client {
  private static final int MOST_SENDS = 4;

  private final World world;
  private final Request request;
  private int sends;

  Client(World world, Request request) {
    this.world = world;
    this.request = request;
  }

  void send() {
    Node node = world.anyNode();
    sends++;
    world.schedule.message(() -> {
      Life life = node.life();
      if (life == null) {
        lost();
      } else {
        world.schedule.note(life.name() + " has " + request.name());
        new Reading(life).start();
      }
    });
  }

  /** The connection broke, or the node could not ask its database. */
  private void lost() {
    if (sends < MOST_SENDS) {
      world.schedule.in(world.schedule.between(10, 3_000), this::send);
    }
  }

  /** One sending of it and what comes back. */
  final class Reading implements CompletionSink, AnswerSink, EmbeddingRun.Asker {
    private final Life life;
    private final StringBuilder text = new StringBuilder();
    private Runnable leave = () -> {};
    private boolean over;

    private Reading(Life life) {
      this.life = life;
    }

    private void start() {
      life.add(this);
      Caller caller = new Caller(
          request.user(), request.id(), Buffer.buffer("body"), request.keyed(), 0, Span.NONE);
      switch (request.kind()) {
        case TURN -> life.answers.ask(question(), this).onFailure(this::fail);
        case COMPLETION ->
          life.completions.complete(
              new CompletionCommand(caller, Life.PROFILE, prompted(), false, request.chars()),
              this);
        case EMBEDDING ->
          life.completions
              .embed(
                  new EmbeddingCommand(
                      caller,
                      Life.VECTORS,
                      new EmbeddingModel.Request(
                          request.texts(), EmbeddingModel.Purpose.DOCUMENT, null)),
                  this)
              .onSuccess(made -> vectors(made.vectors()))
              .onFailure(this::fail);
      }
      if (world.schedule.strikes(Fault.LEFT)) {
        world.schedule.in(world.schedule.between(0, 12_000), this::leaves);
      }
    }

    private AskCommand question() {
      return new AskCommand(
          request.user(),
          request.id(),
          new AskCommand.NewThread(),
          request.text(),
          Scope.GLOBAL,
          null,
          null,
          Life.PROFILE,
          Buffer.buffer("body"),
          Span.NONE);
    }

    private ModelRequest prompted() {
      return new ModelRequest(
          List.of(ModelRequest.Message.of(ModelRequest.Role.USER, request.text())),
          List.of(),
          ModelRequest.ToolChoice.AUTO,
          null,
          Life.MOST_OUTPUT_TOKENS,
          null,
          null,
          List.of(),
          null,
          null);
    }

    /** Some come back for the rest. */
    private void leaves() {
      if (!isOver()) {
        over();
        leave.run();
        if (world.schedule.between(0, 1) == 0) {
          Client.this.lost();
        }
      }
    }

    private boolean isOver() {
      return over || life.isOver();
    }

    private void over() {
      over = true;
      life.remove(this);
    }

    /** Its node died. */
    void lost() {
      if (!over) {
        over();
        Client.this.lost();
      }
    }

    private void told(String outcome) {
      world.schedule.note(request.name() + " is told by " + life.name() + ": " + outcome);
      over();
    }

    private void vectors(List<float[]> made) {
      if (!isOver()) {
        told("its vectors");
        world.toldVectors(request, made);
      }
    }

    @Override
    public void write(TokenEvent event) {
      if (event instanceof TokenEvent.Text piece) {
        text.append(piece.delta());
      }
    }

    @Override
    public void write(AnswerEvent event) {
      if (event instanceof AnswerEvent.Text piece) {
        text.append(piece.delta());
      } else if (event instanceof AnswerEvent.Ended end && !isOver()) {
        told(end.state() + " " + text.length());
        world.told(request, text.toString(), end.state() == TurnState.COMPLETED);
      }
    }

    @Override
    public void end(Usage usage) {
      if (!isOver()) {
        told("the whole answer " + text.length());
        world.told(request, text.toString(), true);
      }
    }

    @Override
    public void fail(Throwable failure) {
      if (isOver()) {
        return;
      }
      GatewayError.Code code =
          failure instanceof GatewayError known ? known.code() : GatewayError.Code.INTERNAL;
      told(code + " after " + text.length());
      if (code == GatewayError.Code.INTERNAL) {
        throw world.violated(Violation.Rule.NO_FAULT, failure.toString());
      }
      world.told(request, text.toString(), false);
      if (code == GatewayError.Code.DEPENDENCY_UNAVAILABLE) {
        Client.this.lost();
      }
    }

    @Override
    public void replayed(long createdSeconds) {
      world.replays();
    }

    @Override
    public void replayed() {
      world.replays();
    }

    /** Warnings stop nobody. */
    @Override
    public void dayWarned() {}

    /** Nothing here is turned away, so nobody counts how far it is. */
    @Override
    public void asked() {}

    @Override
    public boolean full() {
      return false;
    }

    @Override
    public void drainHandler(Runnable handler) {
      // it is never behind
    }

    @Override
    public void closeHandler(Runnable handler) {
      leave = handler;
    }
  }
}
