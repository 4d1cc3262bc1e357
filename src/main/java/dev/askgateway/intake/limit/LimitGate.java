package dev.askgateway.intake.limit;

import dev.askgateway.budget.limit.Claim;
import dev.askgateway.budget.limit.Limit;
import dev.askgateway.budget.limit.Verdict;
import dev.askgateway.core.GatewayError;
import dev.askgateway.core.UserId;
import dev.askgateway.intake.auth.Threshold;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.UUID;

/**
 * Lets a person's request through while the person has room, and counts those without a valid token by
 * their address. It decides before a body is read. A request that nobody has to sign in for never comes
 * here.
 */
public final class LimitGate implements Threshold {
  private final Vertx vertx;
  private final LimitParts parts;

  public LimitGate(Vertx vertx, LimitParts parts) {
    this.vertx = vertx;
    this.parts = parts;
  }

  @Override
  public void known(RoutingContext ctx, UserId person) {
    String path = ctx.normalizedPath();
    Scope scope = Scope.of(ctx.request().method(), path);
    Limit limit = parts.config().of(scope);
    if (!Scope.runs(path)) {
      limit = limit.rateOnly();
    }
    if (limit.isOff()) {
      ctx.next();
      return;
    }
    Claim claim = claim(person.value(), scope, limit);
    parts
        .limiter()
        .take(claim)
        .onSuccess(verdict -> {
          RateHeaders.write(ctx.response().headers(), claim.limit(), verdict);
          if (!verdict.isAdmitted()) {
            refuse(ctx, scope, verdict);
            return;
          }
          if (claim.limit().concurrent() > 0) {
            new Slot(vertx, parts.limiter(), claim, ctx.response()).hold();
          }
          ctx.next();
        })
        .onFailure(ctx::fail);
  }

  @Override
  public void refused(RoutingContext ctx, Throwable reason) {
    Limit limit = parts.config().address();
    if (limit.isOff()
        || !(reason instanceof GatewayError known
            && known.code() == GatewayError.Code.UNAUTHENTICATED)) {
      ctx.fail(reason);
      return;
    }
    String address = ClientAddress.of(ctx.request(), parts.config().trustedProxies());
    parts
        .limiter()
        .take(claim(address, Scope.ADDRESS, limit))
        .onSuccess(verdict -> {
          RateHeaders.write(ctx.response().headers(), limit, verdict);
          if (verdict.isAdmitted()) {
            ctx.fail(reason);
          } else {
            refuse(ctx, Scope.ADDRESS, verdict);
          }
        })
        .onFailure(ctx::fail);
  }

  private static Claim claim(String owner, Scope scope, Limit limit) {
    String request = limit.concurrent() > 0 ? UUID.randomUUID().toString() : "";
    return new Claim(owner, scope.bucket(), limit, request);
  }

  private void refuse(RoutingContext ctx, Scope scope, Verdict verdict) {
    parts.listener().limited(scope, verdict.outcome());
    ctx.fail(new GatewayError(GatewayError.Code.RATE_LIMITED, sentence(verdict))
        .retryAfter(atLeastASecond(verdict.retryAfter())));
  }

  private static String sentence(Verdict verdict) {
    return verdict.outcome() == Verdict.Outcome.CONCURRENCY
        ? "Too many answers are running; ask again when one of them has ended."
        : "There were too many requests; try again later.";
  }

  private static Duration atLeastASecond(Duration delay) {
    return delay.toMillis() < 1000 ? Duration.ofSeconds(1) : delay;
  }
}
