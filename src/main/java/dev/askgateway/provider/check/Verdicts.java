package dev.askgateway.provider.check;

import dev.askgateway.core.GatewayError;
import dev.askgateway.core.Usage;
import dev.askgateway.provider.Capabilities;
import dev.askgateway.provider.ProviderFailure;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Judges what was heard. Pure. */
final class Verdicts {
  static final String STREAMING = "streaming";
  static final String USAGE = "usage fields";
  static final String SIMULATED = "simulated streaming";
  static final String ABORT_OPENING = "abort before the head";
  static final String ABORT = "abort while streaming";
  static final String STRUCTURED = "structured output";
  static final String TOOLS = "tools";
  static final String CONTEXT = "context limit";
  static final String DIMENSIONS = "embedding dimensions";

  /** A stream whose text takes less than this part of the call is as good as whole. */
  private static final int SIMULATED_PART = 20;

  private Verdicts() {}

  static Result streaming(Heard heard, Capabilities model) {
    String fault = ending(heard);
    if (fault.isEmpty() && heard.texts() == 0) {
      fault = "no text";
    } else if (fault.isEmpty() && heard.texts() == 1 && !model.simulatedStreaming()) {
      fault = "all text in one event";
    }
    return result(STREAMING, fault, heard.texts() + " text events, one end", heard);
  }

  /** What is wrong with how a stream ran that was read to its end, or "". */
  private static String ending(Heard heard) {
    if (heard.failure() != null) {
      return said(heard.failure());
    }
    if (heard.reasons() != 1) {
      return heard.reasons() + " reasons to stop instead of one";
    }
    if (heard.afterReason() > 0) {
      return heard.afterReason() + " pieces of content after the reason to stop";
    }
    return heard.ends() != 1 || heard.afterwards() > 0
        ? heard.afterwards() + " events after the end"
        : "";
  }

  static Result usage(Heard heard, Capabilities model) {
    if (!model.reportsUsage()) {
      return Result.skipped(USAGE, "claims to report none");
    }
    Usage usage = heard.usage();
    String fault = heard.failure() == null ? "" : said(heard.failure());
    if (usage == null) {
      return result(USAGE, fault.isEmpty() ? "none reported" : fault, "", heard);
    }
    long input = usage.inputTokens() + usage.cacheReadTokens() + usage.cacheWriteTokens();
    String numbers = input + " in, " + usage.outputTokens() + " out";
    if (fault.isEmpty() && usage.estimated()) {
      fault = "estimated, not reported";
    } else if (fault.isEmpty() && (input == 0 || usage.outputTokens() == 0)) {
      fault = numbers;
    }
    return result(USAGE, fault, numbers, heard);
  }

  /** Never a failure: how fast a short answer comes says little. */
  static Result simulated(Heard heard, Capabilities model) {
    if (heard.texts() < 2) {
      return Result.skipped(SIMULATED, "nothing to measure");
    }
    long gap = heard.lastTextMillis() - heard.firstTextMillis();
    boolean whole = gap * SIMULATED_PART < heard.lastTextMillis();
    String claim = model.simulatedStreaming() ? "claims a simulated one" : "claims a real one";
    String look = whole ? "looks simulated" : "looks real";
    return Result.passed(
        SIMULATED, claim + ", " + look + ": text over " + gap + " ms", heard.millis());
  }

  static Result abortOpening(Heard heard) {
    GatewayError failure = heard.failure();
    String fault = "";
    if (failure == null) {
      fault = "opened all the same";
    } else if (failure.code() != GatewayError.Code.CANCELLED) {
      fault = said(failure);
    }
    return result(ABORT_OPENING, fault, "given up", heard);
  }

  static Result abort(Heard heard) {
    String fault = "";
    if (heard.failure() != null) {
      fault = said(heard.failure());
    } else if (heard.texts() == 0) {
      fault = "no text to stop at";
    } else if (heard.afterwards() > 0) {
      fault = heard.afterwards() + " events after the cancel";
    }
    return result(ABORT, fault, "nothing after the cancel", heard);
  }

  static Result structured(Heard heard) {
    String fault = ending(heard);
    if (fault.isEmpty()) {
      JsonObject answer = object(heard.text());
      if (answer == null) {
        fault = "the text is no JSON object";
      } else if (!(answer.getValue("answer") instanceof String)) {
        fault = "the object is not of the schema";
      }
    }
    return result(STRUCTURED, fault, "JSON of the schema", heard);
  }

  static Result tools(Heard heard) {
    String fault = ending(heard);
    if (fault.isEmpty() && heard.calls().isEmpty()) {
      fault = "no call";
    }
    for (Heard.Call call : heard.calls()) {
      if (!fault.isEmpty()) {
        break;
      }
      if (call.id().isEmpty()) {
        fault = "a call without an id";
      } else if (!call.name().equals(Questions.TOOL)) {
        fault = "a call of something else";
      } else if (object(call.arguments()) == null) {
        fault = "arguments that are no JSON object";
      }
    }
    return result(TOOLS, fault, "calls: " + heard.calls().size(), heard);
  }

  static Result context(Heard heard) {
    GatewayError failure = heard.failure();
    String fault = "";
    if (failure == null) {
      fault = "took more than it claims to";
    } else if (failure.code() != GatewayError.Code.CONTEXT_TOO_LARGE) {
      fault = said(failure);
    }
    return result(CONTEXT, fault, "refused as too long", heard);
  }

  /** A failure by its codes; those of a provider hold nothing that anybody wrote. */
  static String said(Throwable failure) {
    GatewayError error = ProviderFailure.transport(failure);
    String code = error.code().wire();
    return error.getCause() instanceof ProviderFailure cause
        ? code + " (" + cause.getMessage() + ")"
        : code;
  }

  private static @Nullable JsonObject object(String text) {
    try {
      return new JsonObject(text);
    } catch (DecodeException | ClassCastException notAnObject) {
      return null;
    }
  }

  private static Result result(String name, String fault, String fine, Heard heard) {
    return fault.isEmpty()
        ? Result.passed(name, fine, heard.millis())
        : Result.failed(name, fault, heard.millis());
  }
}
