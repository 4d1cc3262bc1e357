package dev.askgateway.core.trace;

/** Whose API a model is called by, in the words of OpenTelemetry's conventions. */
public enum Vendor {
  OPENAI("openai"),
  ANTHROPIC("anthropic"),
  GEMINI("gcp.gemini"),
  /** In this process: quotes. */
  EXTRACTIVE("ask.extractive"),
  /** In this process: vectors. */
  ONNX("ask.onnx");

  private final String wire;

  Vendor(String wire) {
    this.wire = wire;
  }

  public String wire() {
    return wire;
  }
}
