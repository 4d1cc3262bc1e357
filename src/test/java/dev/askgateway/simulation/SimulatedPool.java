package dev.askgateway.simulation;

import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Query;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * A pool whose statements go where the simulation sends them. A transaction of the store is a person and
 * the one statement that is run for them: its begin and its commit go with that.
 */
final class SimulatedPool {
  private static final String PERSON = "SELECT set_config('ask.user_id'";

  private final Wire wire;

  /** Where a statement goes. */
  interface Wire {
    /** @param person for whom, where the statement does not say it itself */
    Future<RowSet<Row>> execute(String sql, Tuple arguments, @Nullable String person);
  }

  private SimulatedPool(Wire wire) {
    this.wire = wire;
  }

  static Pool of(Wire wire) {
    SimulatedPool pool = new SimulatedPool(wire);
    return SimulatedVertx.proxy(Pool.class, (self, method, arguments) -> {
      if (method.getName().equals("getConnection")) {
        return Future.succeededFuture(pool.connection());
      }
      throw SimulatedVertx.unknown(method);
    });
  }

  private SqlConnection connection() {
    String[] person = new String[1];
    return SimulatedVertx.proxy(
        SqlConnection.class, (self, method, arguments) -> switch (method.getName()) {
          case "query" -> around();
          case "preparedQuery" -> prepared((String) arguments[0], person);
          case "close" -> Future.succeededFuture();
          default -> throw SimulatedVertx.unknown(method);
        });
  }

  /** BEGIN, COMMIT or ROLLBACK. */
  private static Query<?> around() {
    return SimulatedVertx.proxy(
        Query.class, (self, method, arguments) -> Future.succeededFuture(Rows.NONE));
  }

  private PreparedQuery<?> prepared(String sql, @Nullable String[] person) {
    return SimulatedVertx.proxy(PreparedQuery.class, (self, method, arguments) -> {
      if (!method.getName().equals("execute")) {
        throw SimulatedVertx.unknown(method);
      }
      Tuple values = (Tuple) arguments[0];
      if (sql.startsWith(PERSON)) {
        person[0] = values.getString(0);
        return Future.succeededFuture(Rows.NONE);
      }
      return wire.execute(sql, values, person[0]);
    });
  }
}
