package dev.askgateway.provider;

import java.util.Locale;

/** The wire formats that providers speak. */
public enum Dialect {
  /** Chat completions and embeddings of OpenAI and of the many servers that speak like it. */
  OPENAI,
  /** Anthropic's Messages. */
  ANTHROPIC,
  /** Google's generateContent. */
  GEMINI,
  /** In this process: quotes the evidence. */
  EXTRACTIVE,
  /** In this process: an ONNX embedding model. */
  ONNX;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
