package dev.askgateway.provider.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Results as text: one line each, in columns. */
public final class CheckTable {
  private static final int NAME = 0;
  private static final int MILLIS = 2;
  private static final int DETAIL = 3;

  private CheckTable() {}

  /** The table with its heading, each line ended. */
  public static String of(List<Result> results) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"check", "result", "ms", "detail"});
    for (Result result : results) {
      rows.add(new String[] {
        result.name(),
        result.status().name().toLowerCase(Locale.ROOT),
        String.valueOf(result.millis()),
        result.detail()
      });
    }
    int[] widths = new int[DETAIL];
    for (String[] row : rows) {
      for (int column = NAME; column < DETAIL; column++) {
        widths[column] = Math.max(widths[column], row[column].length());
      }
    }
    StringBuilder table = new StringBuilder();
    rows.forEach(row -> table.append(line(row, widths).stripTrailing()).append('\n'));
    return table.toString();
  }

  private static String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = NAME; column < DETAIL; column++) {
      String blanks = " ".repeat(widths[column] - row[column].length());
      line.append(column == MILLIS ? blanks + row[column] : row[column] + blanks)
          .append("  ");
    }
    return line + row[DETAIL];
  }
}
