package dev.askgateway.provider.onnx;

import dev.askgateway.core.Rule;

/**
 * How much of this machine the embedding model may use.
 *
 * @param queryThreads threads for questions, 1 to 64: they never wait behind passages
 * @param passageThreads threads for passages, 1 to 64
 * @param queryQueue most questions waiting or running, 1 to 100000
 * @param passageQueue most passage texts waiting or running, 1 to 100000; one call with more is refused
 */
public record OnnxConfig(int queryThreads, int passageThreads, int queryQueue, int passageQueue) {

  public static final OnnxConfig DEFAULT = new OnnxConfig(1, 1, 256, 512);

  public OnnxConfig {
    Rule.range("embedding.queryThreads", queryThreads, 1, 64);
    Rule.range("embedding.passageThreads", passageThreads, 1, 64);
    Rule.range("embedding.queryQueue", queryQueue, 1, 100_000);
    Rule.range("embedding.passageQueue", passageQueue, 1, 100_000);
  }
}
