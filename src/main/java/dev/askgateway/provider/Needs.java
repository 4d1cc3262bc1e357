package dev.askgateway.provider;

/**
 * What a request, or every request of a profile, needs of a model.
 *
 * @param tools whether tools are offered
 * @param structuredOutput whether the answer must follow a schema
 * @param images whether there are images to read
 * @param inputTokens estimated tokens of the input
 * @param outputTokens most tokens of the answer, 0 for the model's own limit
 */
public record Needs(
    boolean tools, boolean structuredOutput, boolean images, long inputTokens, int outputTokens) {
  public static final Needs NOTHING = new Needs(false, false, false, 0, 0);

  /** What a request needs, its input estimated by the rule of four characters a token. */
  public static Needs of(ModelRequest request) {
    Integer output = request.maxOutputTokens();
    return new Needs(
        !request.tools().isEmpty(),
        request.format() != null,
        request.hasImages(),
        dev.askgateway.core.Usage.tokens(request.chars()),
        output == null ? 0 : output);
  }

  /** Whether a model with these capabilities will do. */
  public boolean metBy(Capabilities model) {
    return (!tools || model.tools())
        && (!structuredOutput || model.structuredOutput())
        && (!images || model.images())
        && fits(model);
  }

  /** Whether input and output fit into the model's context. */
  public boolean fits(Capabilities model) {
    return inputTokens + outputTokens <= model.contextTokens()
        && outputTokens <= model.outputTokens();
  }
}
