package sqe.spark.local;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Writes the reading of one table's files in DuckDB's SQL.
 *
 * <p>Values of identity partitions are not read from files. Files with the same values are one SELECT with constants, as long as
 * there are few of these; otherwise the values are joined by the number of the file. Deleted rows are left out by the number of the
 * row.
 */
final class FileReads {
  private static final int MOST_SELECTS = 16;
  private static final int SHORTEST_RUN = 4;
  // An id that no column has: it is NULL in all files, and stands for rows without columns.
  private static final String NO_COLUMNS = "2147480000: {name: 'none', type: 'BOOLEAN', default_value: NULL}";

  private final List<TableColumn> columns;
  private final List<Read> reads = new ArrayList<>();
  private final Set<String> paths = new LinkedHashSet<>();

  /** A file, the constants of it that are known by the numbers of their columns, and its deleted rows. */
  private record Read(String path, long rows, Map<Integer, String> constants, List<long[]> deleted) {
    /** Files of the same form can be read together if their constants are joined. */
    String form() {
      return constants.keySet() + " " + deleted.isEmpty();
    }

    String group() {
      return constants + " " + deleted.isEmpty();
    }
  }

  FileReads(List<TableColumn> columns) {
    this.columns = columns;
  }

  /**
   * Adds a file.
   *
   * @param known values by the ids of fields, in Spark's form
   * @return the columns that are read from the file
   */
  List<TableColumn> add(String path, long rows, Map<Integer, ?> known, List<long[]> deleted) {
    if (!paths.add(path)) {
      throw new NotRendered("one file twice");
    }
    Map<Integer, String> constants = new LinkedHashMap<>();
    List<TableColumn> inFile = new ArrayList<>();
    for (int each = 0; each < columns.size(); each++) {
      TableColumn column = columns.get(each);
      if (known.containsKey(column.id())) {
        constants.put(each, column.constant(known.get(column.id())));
      } else {
        inFile.add(column);
      }
    }
    reads.add(new Read(path, rows, constants, deleted));
    return inFile;
  }

  String sql() {
    if (reads.isEmpty()) {
      return nothing();
    }
    Map<String, List<Read>> groups = new LinkedHashMap<>();
    reads.forEach(read -> groups.computeIfAbsent(read.group(), none -> new ArrayList<>()).add(read));
    if (groups.size() <= MOST_SELECTS) {
      return String.join(" UNION ALL ", groups.values().stream().map(group -> select(group, false)).toList());
    }
    Map<String, List<Read>> forms = new LinkedHashMap<>();
    reads.forEach(read -> forms.computeIfAbsent(read.form(), none -> new ArrayList<>()).add(read));
    return String.join(" UNION ALL ", forms.values().stream().map(form -> select(form, true)).toList());
  }

  /** Reads files of one form. @param joined whether their constants differ */
  private String select(List<Read> group, boolean joined) {
    Map<Integer, String> constants = group.get(0).constants();
    List<String> selected = new ArrayList<>();
    List<TableColumn> inFiles = new ArrayList<>();
    for (int each = 0; each < columns.size(); each++) {
      TableColumn column = columns.get(each);
      if (!constants.containsKey(each)) {
        inFiles.add(column);
        selected.add("f." + column.name());
      } else {
        selected.add(joined ? "p." + column.name() : constants.get(each) + " AS " + column.name());
      }
    }
    return "SELECT " + (selected.isEmpty() ? "1 AS \"none\"" : String.join(", ", selected)) + " FROM "
        + read(group, inFiles) + " AS f"
        + (group.get(0).deleted().isEmpty() ? "" : " ANTI JOIN " + deleted(group))
        + (joined && !constants.isEmpty() ? " JOIN " + constants(group) : "");
  }

  private static String read(List<Read> group, List<TableColumn> columns) {
    List<String> quoted = group.stream().map(read -> Literals.quoted(read.path())).toList();
    List<String> definitions = columns.stream().map(TableColumn::definition).toList();
    long rows = group.stream().mapToLong(Read::rows).sum();
    return "read_parquet([" + String.join(", ", quoted) + "], schema = MAP {"
        + (definitions.isEmpty() ? NO_COLUMNS : String.join(", ", definitions))
        + "}, hive_partitioning = false"
        // The statistics of files do not tell of NaN. DuckDB would skip rows that are greater than all numbers.
        + ", can_have_nan = true"
        + ", explicit_cardinality = " + Math.max(rows, 1) + ")";
  }

  /** The deleted rows of some files, from texts: DuckDB needs long for a list of many constants. */
  private static String deleted(List<Read> group) {
    List<String> positions = new ArrayList<>(); // of each file
    List<String> runs = new ArrayList<>();
    for (int file = 0; file < group.size(); file++) {
      List<String> alone = new ArrayList<>();
      for (long[] run : group.get(file).deleted()) {
        if (run[1] - run[0] >= SHORTEST_RUN) {
          runs.add(file + " " + run[0] + " " + run[1]);
        } else {
          LongStream.range(run[0], run[1]).forEach(position -> alone.add(Long.toString(position)));
        }
      }
      if (!alone.isEmpty()) {
        positions.add(file + " " + String.join(",", alone));
      }
    }
    List<String> selects = new ArrayList<>();
    if (!positions.isEmpty()) {
      selects.add(parts("CAST(unnest(string_split(part[2], ',')) AS BIGINT)", positions));
    }
    if (!runs.isEmpty()) {
      selects.add(parts("unnest(range(CAST(part[2] AS BIGINT), CAST(part[3] AS BIGINT)))", runs));
    }
    return "(" + String.join(" UNION ALL ", selects) + ") AS d ON f.file_index = d.file AND f.file_row_number = d.position";
  }

  private static String parts(String position, List<String> parts) {
    return "SELECT CAST(part[1] AS UBIGINT) AS file, " + position + " AS position"
        + " FROM (SELECT string_split(unnest(string_split('" + String.join(";", parts) + "', ';')), ' ') AS part)";
  }

  private String constants(List<Read> group) {
    List<String> names = new ArrayList<>(List.of("file"));
    group.get(0).constants().keySet().forEach(each -> names.add(columns.get(each).name()));
    List<String> rows = new ArrayList<>();
    for (int file = 0; file < group.size(); file++) {
      List<String> values = new ArrayList<>(List.of(Integer.toString(file)));
      values.addAll(group.get(file).constants().values());
      rows.add("(" + String.join(", ", values) + ")");
    }
    return "(VALUES " + String.join(", ", rows) + ") AS p(" + String.join(", ", names)
        + ") ON f.file_index = CAST(p.file AS UBIGINT)";
  }

  private String nothing() {
    List<String> selected = columns.stream().map(column -> column.constant(null) + " AS " + column.name()).toList();
    return "SELECT " + (selected.isEmpty() ? "1 AS \"none\"" : String.join(", ", selected)) + " WHERE false";
  }
}
