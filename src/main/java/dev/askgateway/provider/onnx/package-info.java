/** The embedding model that runs in this process: what may enter is the model's files and its arithmetic. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.onnx;
