package dev.askgateway.intake;

import dev.askgateway.core.GatewayError;
import io.vertx.json.schema.OutputUnit;
import io.vertx.openapi.validation.SchemaValidationException;
import io.vertx.openapi.validation.ValidatorErrorType;
import io.vertx.openapi.validation.ValidatorException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says which field of a request breaks the contract, and how. The validator's own sentences are used
 * only where they repeat nothing of the request.
 */
final class ContractErrors {
  /** The validator names a parameter nowhere but in its sentence. */
  private static final Pattern PARAMETER =
      Pattern.compile("(?:path|query|header|cookie) parameter ([\\w-]+)");

  private static final Pattern REQUIRED =
      Pattern.compile("required property \"([^\"]+)\"", Pattern.CASE_INSENSITIVE);

  private ContractErrors() {}

  /** The refusal that stands for the validator's. */
  static GatewayError translate(ValidatorException failure) {
    String message = Optional.ofNullable(failure.getMessage()).orElse("");
    Matcher parameter = PARAMETER.matcher(message);
    if (parameter.find()) {
      String name = parameter.group(1);
      return GatewayError.invalid(
          name,
          failure.type() == ValidatorErrorType.MISSING_REQUIRED_PARAMETER
              ? "The parameter " + name + " is missing."
              : "The parameter " + name + " does not have the form it should.");
    }
    if (failure instanceof SchemaValidationException schema) {
      return body(schema.getOutputUnit());
    }
    if (failure.type() == ValidatorErrorType.MISSING_REQUIRED_PARAMETER) {
      return GatewayError.invalid("", "The request has no body.");
    }
    return GatewayError.invalid("", "The request's body is not JSON.");
  }

  private static GatewayError body(OutputUnit unit) {
    List<OutputUnit> errors = unit.getErrors() == null ? List.of() : unit.getErrors();
    OutputUnit deepest = errors.stream() // of several at one depth the last one tells most
        .reduce((one, next) -> depth(path(next)) >= depth(path(one)) ? next : one)
        .orElse(unit);
    String path = path(deepest);
    String reason = Optional.ofNullable(deepest.getError()).orElse("");
    Matcher required = REQUIRED.matcher(reason);
    if (required.find()) {
      String missing = path + "/" + required.group(1);
      return GatewayError.invalid(missing, "The field " + missing + " is missing.");
    }
    return GatewayError.invalid(
        path,
        path.isEmpty()
            ? "The request's body is not an object of the form it should be."
            : "The field " + path + " does not have the form it should.");
  }

  private static String path(OutputUnit error) {
    String location = Optional.ofNullable(error.getInstanceLocation()).orElse("");
    String path = location.startsWith("#") ? location.substring(1) : location;
    return path.equals("/") ? "" : path;
  }

  private static int depth(String path) {
    return (int) path.chars().filter(c -> c == '/').count();
  }
}
