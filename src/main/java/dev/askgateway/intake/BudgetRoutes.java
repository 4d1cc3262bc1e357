package dev.askgateway.intake;

import dev.askgateway.core.GatewayError;
import dev.askgateway.store.BudgetChange;
import dev.askgateway.store.BudgetChange.Setting;
import dev.askgateway.store.BudgetRepository;
import dev.askgateway.store.Transfer;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A person's money: what is left, what was used, every movement, and their own limits. */
final class BudgetRoutes {
  private static final int PAGE = 50;
  private static final int MAX_DAYS = 366;
  private static final String OVERAGE_CAP = "overageCapMicroUsd";

  private final BudgetRepository budgets;
  private final boolean overageOffered;
  private final InstantSource clock;

  BudgetRoutes(BudgetParts parts, InstantSource clock) {
    this.budgets = parts.budgets();
    this.overageOffered = parts.overageOffered();
    this.clock = clock;
  }

  /** The handlers by the operations of the contract. */
  Map<String, Handler<RoutingContext>> handlers() {
    return Map.of(
        "getAllowance", this::allowance,
        "getUsage", this::usage,
        "listStatements", this::statements,
        "putBudget", this::change);
  }

  private void allowance(RoutingContext ctx) {
    budgets
        .account(Replies.person(ctx))
        .onSuccess(account -> Replies.data(ctx, 200, BudgetJson.of(account, overageOffered)))
        .onFailure(ctx::fail);
  }

  private void usage(RoutingContext ctx) {
    LocalDate lastDay = day(ctx, "to");
    LocalDate to = lastDay == null ? LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC) : lastDay;
    LocalDate firstDay = day(ctx, "from");
    LocalDate from = firstDay == null ? to.withDayOfMonth(1) : firstDay;
    long days = ChronoUnit.DAYS.between(from, to) + 1;
    if (days < 1 || days > MAX_DAYS) {
      throw GatewayError.invalid(
          "from", "The days are 1 to 366, the first of them not after the last.");
    }
    budgets
        .usage(Replies.person(ctx), from, to)
        .onSuccess(totals -> Replies.data(ctx, 200, BudgetJson.of(totals, from, to)))
        .onFailure(ctx::fail);
  }

  private static @Nullable LocalDate day(RoutingContext ctx, String name) {
    String text = Replies.query(ctx, name);
    if (text == null) {
      return null;
    }
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException noDay) {
      throw GatewayError.invalid(name, "There is no such day.");
    }
  }

  private void statements(RoutingContext ctx) {
    int limit = Replies.limit(ctx, PAGE);
    long before = Cursors.transfers(Replies.query(ctx, "cursor"));
    budgets
        .statement(Replies.person(ctx), before, limit + 1) // one more tells whether there is more
        .onSuccess(found -> Replies.json(ctx, 200, page(found, limit)))
        .onFailure(ctx::fail);
  }

  private static JsonObject page(List<Transfer> found, int limit) {
    List<Transfer> shown = found.subList(0, Math.min(limit, found.size()));
    JsonObject body = new JsonObject().put("success", true).put("data", BudgetJson.of(shown));
    if (found.size() > limit) {
      body.put("nextCursor", Cursors.ofTransfers(shown.get(limit - 1).id()));
    }
    return body;
  }

  private void change(RoutingContext ctx) {
    JsonObject body = Replies.body(ctx);
    Setting overageCap = setting(body, OVERAGE_CAP);
    if (overageCap != null && overageCap.microUsd() != null && !overageOffered) {
      throw GatewayError.invalid("/" + OVERAGE_CAP, "Overage is not offered here.");
    }
    BudgetChange change = new BudgetChange(
        null,
        overageCap,
        setting(body, "requestCapMicroUsd"),
        setting(body, "dailyWarningMicroUsd"));
    budgets
        .change(Replies.person(ctx), change)
        .onSuccess(account -> Replies.data(ctx, 200, BudgetJson.of(account, overageOffered)))
        .onFailure(ctx::fail);
  }

  private static @Nullable Setting setting(JsonObject body, String name) {
    return body.containsKey(name) ? new Setting(body.getLong(name)) : null;
  }
}
