package dev.askgateway.provider.onnx;

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
    require(1, queryThreads, 64, "embedding.onnx.queryThreads");
    require(1, passageThreads, 64, "embedding.onnx.passageThreads");
    require(1, queryQueue, 100_000, "embedding.onnx.queryQueue");
    require(1, passageQueue, 100_000, "embedding.onnx.passageQueue");
  }

  private static void require(int least, int value, int most, String key) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          key + " is " + value + "; it must be " + least + " to " + most);
    }
  }
}
