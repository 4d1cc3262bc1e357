package dev.askgateway.core;

/** What a model can say, whichever vendor said it. */
public sealed interface TokenEvent {

  <R> R match(Cases<R> cases);

  /** One method for each kind: exhaustive on Java 17, which has no pattern switch. */
  interface Cases<R> {
    R text(Text event);

    R reasoning(Reasoning event);

    R metered(Metered event);

    R finished(Finished event);
  }

  /** A piece of the answer, not empty. May end or begin with half a surrogate pair. */
  record Text(String delta) implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.text(this);
    }
  }

  /** A piece of the model's reasoning, kept apart from the answer. */
  record Reasoning(String delta) implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.reasoning(this);
    }
  }

  /** The usage so far: a later one replaces it, they are never added. */
  record Metered(Usage usage) implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.metered(this);
    }
  }

  /** The model said why it stopped. Usage may still follow; the stream's end is the end. */
  record Finished(FinishReason reason) implements TokenEvent {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.finished(this);
    }
  }
}
