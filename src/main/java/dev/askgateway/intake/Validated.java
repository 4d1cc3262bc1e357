package dev.askgateway.intake;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.openapi.router.RouterBuilder;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.validation.RequestValidator;

/** Holds requests against single operations of the contract, where the rest of it is not served. */
final class Validated {
  private final RequestValidator validator;
  private final RequestReader reader;

  Validated(Vertx vertx, OpenAPIContract rules, RequestReader reader) {
    validator = RequestValidator.create(vertx, rules);
    this.reader = reader;
  }

  /** Leaves the checked request where {@link Replies} reads it. */
  Handler<RoutingContext> of(Operation operation) {
    return ctx -> reader
        .extractValidatableRequest(ctx, operation)
        .compose(request -> validator.validate(request, operation.getOperationId()))
        .onSuccess(checked -> {
          ctx.put(RouterBuilder.KEY_META_DATA_VALIDATED_REQUEST, checked);
          ctx.next();
        })
        .onFailure(ctx::fail);
  }
}
