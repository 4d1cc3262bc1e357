package dev.askgateway.simulation;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.PropertyKind;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowIterator;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.desc.ColumnDescriptor;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;

/** Rows that came over JDBC, as the reactive client hands them on. */
record Rows(List<String> names, List<Row> rows) implements RowSet<Row> {
  static final Rows NONE = new Rows(List.of(), List.of());

  static Rows of(ResultSet found) throws SQLException {
    ResultSetMetaData columns = found.getMetaData();
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.add(columns.getColumnLabel(i));
    }
    List<Row> rows = new ArrayList<>();
    while (found.next()) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 1; i <= names.size(); i++) {
        values.add(value(found.getObject(i)));
      }
      rows.add(new One(names, values));
    }
    return new Rows(names, rows);
  }

  private static @Nullable Object value(@Nullable Object stored) {
    if (!(stored instanceof PGobject json)) {
      return stored;
    }
    String text = json.getValue();
    return text == null
        ? null
        : text.startsWith("{")
            ? new JsonObject(text)
            : text.startsWith("[") ? new JsonArray(text) : null;
  }

  /** One of them. */
  private record One(List<String> names, List<@Nullable Object> values) implements Row {
    @Override
    public String getColumnName(int place) {
      return names.get(place);
    }

    @Override
    public int getColumnIndex(String name) {
      return names.indexOf(name);
    }

    @Override
    public @Nullable Object getValue(int place) {
      return values.get(place);
    }

    @Override
    public Tuple addValue(Object value) {
      throw new UnsupportedOperationException("rows are read");
    }

    @Override
    public int size() {
      return values.size();
    }

    @Override
    public void clear() {
      throw new UnsupportedOperationException("rows are read");
    }

    @Override
    public List<Class<?>> types() {
      throw new UnsupportedOperationException("nobody asks");
    }
  }

  @Override
  public RowIterator<Row> iterator() {
    Iterator<Row> all = rows.iterator();
    return new RowIterator<>() {
      @Override
      public boolean hasNext() {
        return all.hasNext();
      }

      @Override
      public Row next() {
        return all.next();
      }
    };
  }

  @Override
  public @Nullable RowSet<Row> next() {
    return null;
  }

  @Override
  public int rowCount() {
    return rows.size();
  }

  @Override
  public List<String> columnsNames() {
    return names;
  }

  @Override
  public List<ColumnDescriptor> columnDescriptors() {
    return List.of();
  }

  @Override
  public int size() {
    return rows.size();
  }

  @Override
  public <V> @Nullable V property(PropertyKind<V> kind) {
    return null;
  }

  @Override
  public RowSet<Row> value() {
    return this;
  }
}
