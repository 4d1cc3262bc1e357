package dev.askgateway.simulation;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;

/** A statement of the reactive client as JDBC wants it: which argument stands at each of its places. */
record Prepared(String sql, List<Integer> places) {
  private static final Pattern PARAMETER = Pattern.compile("\\$(\\d+)");

  static Prepared of(String sql) {
    Matcher parameters = PARAMETER.matcher(sql);
    List<Integer> places = new ArrayList<>();
    while (parameters.find()) {
      places.add(Integer.parseInt(parameters.group(1)) - 1);
    }
    return new Prepared(parameters.replaceAll("?"), places);
  }

  Rows rows(Connection on, Tuple arguments) throws SQLException {
    try (PreparedStatement statement = on.prepareStatement(sql)) {
      int at = 1;
      for (int place : places) {
        set(on, statement, at++, arguments.getValue(place));
      }
      try (ResultSet found = statement.executeQuery()) {
        return Rows.of(found);
      }
    }
  }

  private static void set(
      Connection on, PreparedStatement statement, int at, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(at, Types.NULL);
    } else if (value instanceof Buffer bytes) {
      statement.setBytes(at, bytes.getBytes());
    } else if (value instanceof JsonObject json) {
      PGobject object = new PGobject();
      object.setType("jsonb");
      object.setValue(json.encode());
      statement.setObject(at, object);
    } else if (value instanceof Object[] all) {
      statement.setArray(at, on.createArrayOf(type(all), elements(all)));
    } else {
      statement.setObject(at, value);
    }
  }

  private static String type(Object[] all) {
    Class<?> of = all.getClass().getComponentType();
    return of == String.class
        ? "text"
        : of == UUID.class
            ? "uuid"
            : of == Long.class ? "int8" : of == Buffer.class ? "bytea" : "jsonb";
  }

  private static Object[] elements(Object[] all) {
    return all instanceof Buffer[] bytes
        ? Arrays.stream(bytes).map(Buffer::getBytes).toArray(byte[][]::new)
        : all instanceof JsonObject[] json
            ? Arrays.stream(json).map(JsonObject::encode).toArray(String[]::new)
            : all;
  }
}
