package dev.askgateway.store;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A person's statement, read: what moved their accounts. What the operator spends for itself did not. */
final class Statement {
  /** Of a person, older than an id, so many lines. */
  static final String PAGE = """
      SELECT id, created_at, kind, state, requests, price_book_version,
             allowance, postpaid, credits, overage, held, revenue, granted, paid, fx,
             paid_amount, paid_currency, paid_rate, paid_markup
        FROM ledger_transfers WHERE user_id = $1 AND id < $2 AND kind <> 'operating' ORDER BY id DESC LIMIT $3
      """;

  private static final List<String> AMOUNTS = List.of(
      "allowance", "postpaid", "credits", "overage", "held", "revenue", "granted", "paid", "fx");

  private Statement() {}

  static List<Transfer> transfers(RowSet<Row> rows) {
    List<Transfer> page = new ArrayList<>();
    rows.forEach(row -> page.add(transfer(row)));
    return page;
  }

  private static @Nullable Payment payment(Row row) {
    String currency = row.getString("paid_currency");
    return currency == null
        ? null
        : new Payment(
            row.getBigDecimal("paid_amount"),
            currency,
            row.getBigDecimal("paid_rate"),
            row.getBigDecimal("paid_markup"));
  }

  private static Transfer transfer(Row row) {
    Map<String, Long> amounts = new LinkedHashMap<>();
    for (String account : AMOUNTS) {
      long amount = row.getLong(account);
      if (amount != 0) {
        amounts.put(account, amount);
      }
    }
    UUID[] requests = row.getArrayOfUUIDs("requests");
    return new Transfer(
        row.getLong("id"),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getString("kind"),
        row.getString("state"),
        amounts,
        List.of(requests),
        row.getString("price_book_version"),
        payment(row));
  }
}
