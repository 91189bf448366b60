package sqe.spark.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types.BinaryType;
import org.apache.iceberg.types.Types.LongType;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** The SQL that reads files. */
class FileReadsTest {
  private static final TableColumn ID =
      new TableColumn("\"c1\"", DataTypes.LongType, NestedField.optional(1, "id", LongType.get()));
  private static final TableColumn PART =
      new TableColumn("\"c2\"", DataTypes.LongType, NestedField.optional(2, "part", LongType.get()));

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  @Test
  void filesWithTheSameConstantsAreOneRead() {
    FileReads reads = new FileReads(List.of(ID, PART));
    assertEquals(List.of(ID), reads.add("/a", 10, Map.of(2, 7L), List.of()));
    reads.add("/b", 10, Map.of(2, 8L), List.of());
    reads.add("/c", 10, Map.of(2, 7L), List.of());
    String sql = reads.sql();
    assertEquals(2, count(sql, "read_parquet"));
    assertTrue(sql.contains("SELECT f.\"c1\", CAST('7' AS BIGINT) AS \"c2\" FROM read_parquet(['/a', '/c'], schema = "), sql);
    assertTrue(sql.contains("explicit_cardinality = 20)"), sql);
  }

  @Test
  void manyConstantsAreJoined() {
    FileReads reads = new FileReads(List.of(ID, PART));
    for (long each = 0; each < 1_000; each++) {
      reads.add("/" + each, 1, Map.of(2, each), List.of());
    }
    String sql = reads.sql();
    assertEquals(1, count(sql, "read_parquet"));
    assertTrue(sql.contains("SELECT f.\"c1\", p.\"c2\" FROM"), sql);
    assertTrue(sql.contains("(999, CAST('999' AS BIGINT))) AS p(file, \"c2\") ON f.file_index = CAST(p.file AS UBIGINT)"), sql);
  }

  @Test
  void deletedRowsAreLeftOutOfTheirFilesOnly() {
    FileReads reads = new FileReads(List.of(ID));
    reads.add("/a", 10, Map.of(), List.of());
    reads.add("/b", 10, Map.of(), List.of(new long[] {0, 2}, new long[] {5, 6}, new long[] {7, 70}));
    reads.add("/c", 10, Map.of(), List.<long[]>of(new long[] {9, 10}));
    String sql = reads.sql();
    assertEquals(2, count(sql, "read_parquet"));
    assertTrue(sql.contains("'0 0,1,5;1 9'"), sql);
    assertTrue(sql.contains("'0 7 70'"), sql);
    assertFalse(sql.substring(0, sql.indexOf("UNION ALL")).contains("ANTI JOIN"), sql);
  }

  @Test
  void rowsWithoutColumnsAreRead() {
    FileReads reads = new FileReads(List.of());
    reads.add("/a", 10, Map.of(), List.of());
    assertTrue(reads.sql().startsWith("SELECT 1 AS \"none\" FROM read_parquet(['/a'], schema = MAP {2147480000: "));
    assertEquals("SELECT CAST(NULL AS BIGINT) AS \"c1\" WHERE false", new FileReads(List.of(ID)).sql());
  }

  @Test
  void aFileIsNotReadTwice() {
    FileReads reads = new FileReads(List.of(ID));
    reads.add("/a", 10, Map.of(), List.of());
    assertThrows(NotRendered.class, () -> reads.add("/a", 10, Map.of(), List.of()));
  }

  @Test
  void neighboursAreOneRun() {
    List<long[]> runs = new ArrayList<>();
    for (long each : new long[] {0, 1, 2, 5, 7, 8}) {
      DeletedRows.add(runs, each);
    }
    assertEquals(List.of("0 3", "5 6", "7 9"), runs.stream().map(run -> run[0] + " " + run[1]).toList());
  }

  @Test
  void defaultsAreTexts() {
    NestedField field =
        NestedField.optional("id").withId(1).ofType(LongType.get()).withInitialDefault(Expressions.lit(5L)).build();
    assertEquals(
        "1: {name: 'c1', type: 'BIGINT', default_value: CAST(CAST('5' AS BIGINT) AS VARCHAR)}",
        new TableColumn("\"c1\"", DataTypes.LongType, field).definition());
  }

  @Test
  void bytesAreEscaped() {
    TableColumn column =
        new TableColumn("\"c1\"", DataTypes.BinaryType, NestedField.optional(1, "b", BinaryType.get()));
    assertEquals("CAST('\\x00\\xFF\\x41' AS BLOB)", column.constant(new byte[] {0, -1, 65}));
    assertEquals("CAST(NULL AS BLOB)", column.constant(null));
  }

  @Test
  void aFloatIsNoDouble() {
    TableColumn column = new TableColumn("\"c1\"", DataTypes.DoubleType, ID.field());
    assertThrows(NotRendered.class, () -> column.constant(0.1f));
    assertEquals("CAST('0.1' AS DOUBLE)", column.constant(0.1));
  }
}
