package dev.askgateway.provider.onnx;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.SafeText;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * e5-small-v2, quantised: one text in, its 384 numbers of length 1 out. Blocking (about 10 ms of CPU for
 * a short text, ten times that for a full one): for worker threads only, several at once.
 *
 * <p>One text at a time, on purpose: the vectors of a quantised model change with what else is in the
 * batch, and the same text must always get the same vector.
 */
final class E5Model implements AutoCloseable {
  static final int DIMENSIONS = 384;
  static final int MAX_TOKENS = 512;

  /** More than 512 tokens can be made of; spares the tokenizer what it would throw away. */
  private static final int MAX_CHARS = 12_000;

  private static final String MODEL = "/e5-small-v2-q.onnx";
  private static final String TOKENIZER = "/e5-small-v2-q-tokenizer.json";

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final HuggingFaceTokenizer tokenizer;
  private final OrtSession session;

  /** Native memory: a call into it after the close would end the process, so a close waits for calls. */
  private final ReadWriteLock open = new ReentrantReadWriteLock();

  /** The tokenizer does not promise to bear two callers, and needs a hundredth of the model's time. */
  private final ReentrantLock tokenizing = new ReentrantLock();

  private boolean closed;

  private E5Model(HuggingFaceTokenizer tokenizer, OrtSession session) {
    this.tokenizer = tokenizer;
    this.session = session;
  }

  /** Reads the model's files from the class path: nothing is fetched from anywhere. */
  static E5Model load() throws IOException, OrtException {
    // The tokenizer's library would look for a GPU build of itself on the network.
    System.setProperty("ai.djl.offline", "true");
    HuggingFaceTokenizer tokenizer;
    try (InputStream file = resource(TOKENIZER)) {
      tokenizer = HuggingFaceTokenizer.newInstance(
          file,
          Map.of(
              "addSpecialTokens", "true",
              "truncation", "true",
              "padding", "false",
              "maxLength", String.valueOf(MAX_TOKENS)));
    }
    try (InputStream file = resource(MODEL);
        var options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      // Idle threads must not spin: the event loops need the cores.
      options.addConfigEntry("session.intra_op.allow_spinning", "0");
      return new E5Model(
          tokenizer, OrtEnvironment.getEnvironment().createSession(file.readAllBytes(), options));
    } catch (IOException | OrtException failed) {
      tokenizer.close();
      throw failed;
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream file = E5Model.class.getResourceAsStream(name);
    if (file == null) {
      throw new FileNotFoundException(
          "the embedding model's file " + name + " is not in the build");
    }
    return file;
  }

  /**
   * The vector of a text that already has its prefix.
   *
   * @throws GatewayError PROVIDER_FAILED when the model fails, INTERRUPTED after the close
   */
  float[] embed(String text) {
    open.readLock().lock();
    try {
      if (closed) {
        throw new GatewayError(GatewayError.Code.INTERRUPTED, "The embedding model is closed.");
      }
      return normalised(pooled(encode(text)));
    } catch (OrtException failed) {
      throw new GatewayError(
          GatewayError.Code.PROVIDER_FAILED, "The embedding model failed.", failed);
    } finally {
      open.readLock().unlock();
    }
  }

  private Encoding encode(String text) {
    // Cut first, then clean: a cut through a surrogate pair must not reach native code.
    String clean = SafeText.clean(text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) : text);
    tokenizing.lock();
    try {
      return tokenizer.encode(clean);
    } finally {
      tokenizing.unlock();
    }
  }

  /** The mean over the tokens that count. */
  private float[] pooled(Encoding encoding) throws OrtException {
    long[] mask = encoding.getAttentionMask();
    var inputs = new HashMap<String, OnnxTensor>();
    try {
      inputs.put("input_ids", row(encoding.getIds()));
      inputs.put("attention_mask", row(mask));
      inputs.put("token_type_ids", row(encoding.getTypeIds()));
      try (OrtSession.Result result = session.run(inputs)) {
        return mean(((OnnxTensor) result.get(0)).getFloatBuffer(), mask);
      }
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private OnnxTensor row(long[] values) throws OrtException {
    return OnnxTensor.createTensor(environment, new long[][] {values});
  }

  private static float[] mean(FloatBuffer hidden, long[] mask) {
    var sums = new double[DIMENSIONS];
    long counted = 0;
    for (int token = 0; token < mask.length; token++) {
      if (mask[token] != 0) {
        counted++;
        for (int i = 0; i < DIMENSIONS; i++) {
          sums[i] += hidden.get(token * DIMENSIONS + i);
        }
      }
    }
    var mean = new float[DIMENSIONS];
    for (int i = 0; i < DIMENSIONS; i++) {
      mean[i] = (float) (sums[i] / counted);
    }
    return mean;
  }

  private static float[] normalised(float[] vector) {
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    double length = Math.sqrt(squares);
    if (!(length > 0) || Double.isInfinite(length)) {
      throw new GatewayError(
          GatewayError.Code.INTERNAL, "The embedding model gave no direction for a text.");
    }
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) (vector[i] / length);
    }
    return vector;
  }

  /** Waits for running calls; may be called more than once. */
  @Override
  public void close() throws OrtException {
    open.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        tokenizer.close();
        session.close();
      }
    } finally {
      open.writeLock().unlock();
    }
  }
}
