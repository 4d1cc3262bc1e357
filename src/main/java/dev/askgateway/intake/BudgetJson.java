package dev.askgateway.intake;

import dev.askgateway.store.BudgetAccount;
import dev.askgateway.store.Payment;
import dev.askgateway.store.Transfer;
import dev.askgateway.store.UsageTotals;
import dev.askgateway.store.UsageTotals.Requests;
import dev.askgateway.store.UsageTotals.Sum;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accounts, usage and statements as clients read them; every amount is micro-USD. */
final class BudgetJson {
  private BudgetJson() {}

  static JsonObject of(BudgetAccount account, boolean overageOffered) {
    BudgetAccount.Overage overage = account.overage();
    BudgetAccount.DailyWarning warning = account.dailyWarning();
    return new JsonObject()
        .put("unlimited", account.allowance().monthly() == null)
        .put("allowance", allowance(account.allowance()))
        .put("credits", credits(account.credits()))
        .put(
            "overage",
            new JsonObject()
                .put("offered", overageOffered)
                .put("cap", overage.cap())
                .put("spent", overage.spent())
                .put("held", overage.held()))
        .put("requestCap", account.requestCap())
        .put(
            "dailyWarning",
            new JsonObject()
                .put("threshold", warning.threshold())
                .put("spentToday", warning.spentToday())
                .put("reached", warning.reached()));
  }

  private static JsonObject allowance(BudgetAccount.Allowance allowance) {
    return new JsonObject()
        .put("monthly", allowance.monthly())
        .put("spent", allowance.spent())
        .put("held", allowance.held())
        .put("left", allowance.left())
        .put("month", allowance.month().toString())
        .put(
            "resetsAt",
            allowance
                .month()
                .plusMonths(1)
                .atDay(1)
                .atStartOfDay()
                .toInstant(ZoneOffset.UTC)
                .toString());
  }

  private static JsonObject credits(BudgetAccount.Credits credits) {
    return new JsonObject()
        .put("left", credits.left())
        .put("held", credits.held())
        .put("nextExpiry", expiry(credits.nextExpiry()));
  }

  private static @Nullable JsonObject expiry(BudgetAccount.@Nullable Expiry next) {
    return next == null
        ? null
        : new JsonObject().put("at", next.at().toString()).put("amount", next.microUsd());
  }

  static JsonObject of(UsageTotals totals, LocalDate from, LocalDate to) {
    JsonArray features = new JsonArray();
    totals.byFeature().forEach(one -> features.add(of(one.sum()).put("feature", one.feature())));
    JsonArray models = new JsonArray();
    totals
        .byModel()
        .forEach(one ->
            models.add(of(one.sum()).put("provider", one.provider()).put("model", one.model())));
    return new JsonObject()
        .put("from", from.toString())
        .put("to", to.toString())
        .put("total", of(totals.all()))
        .put("byFeature", features)
        .put("byModel", models);
  }

  private static JsonObject of(Sum sum) {
    return of(sum.managed())
        .put("billableMicroUsd", sum.billableMicroUsd())
        .put("ownAccount", of(sum.own()));
  }

  private static JsonObject of(Requests requests) {
    return requests.usage().toJson().put("requests", requests.count());
  }

  static JsonArray of(List<Transfer> transfers) {
    JsonArray entries = new JsonArray();
    for (Transfer one : transfers) {
      JsonArray requests = new JsonArray();
      one.requests().forEach(request -> requests.add(request.toString()));
      JsonObject amounts = new JsonObject();
      one.amounts().forEach(amounts::put);
      entries.add(new JsonObject()
          .put("id", one.id())
          .put("at", one.at().toString())
          .put("kind", one.kind())
          .put("state", one.state())
          .put("amounts", amounts)
          .put("requests", requests)
          .put("priceBook", one.priceBook())
          .put("payment", payment(one.payment())));
    }
    return entries;
  }

  /** Its numbers as texts: they are exact decimals. */
  private static @Nullable JsonObject payment(@Nullable Payment paid) {
    return paid == null
        ? null
        : new JsonObject()
            .put("amount", plain(paid.amount()))
            .put("currency", paid.currency())
            .put("rate", plain(paid.rate()))
            .put("markup", plain(paid.markup()));
  }

  private static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }
}
