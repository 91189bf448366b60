package sqe.spark.local;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.encryption.PlaintextEncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.spark.SparkUtil;
import org.apache.iceberg.util.PartitionUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Writes the reading of tables: the data files that Iceberg's planning has left for this statement, by the ids of their columns.
 *
 * <p>Iceberg's scan is not public, so that its tasks are read by reflection. A scan that is not of this kind, or of files that
 * are not Parquet, stays on Spark. So does a statement of which a file has columns of other types than the table: a worker looks
 * at the files before it reads them, see {@link #expectations}.
 */
final class Scans {
  private static final String SCAN = "org.apache.iceberg.spark.source.SparkBatchQueryScan";
  private static final String ROWS = "org.apache.iceberg.spark.source.SparkLocalScan";
  private static final int MOST_FILES = 10_000;

  private final Map<String, Integer> files = new LinkedHashMap<>();
  private final List<Long> sizes = new ArrayList<>();
  private final List<Expectation> expectations = new ArrayList<>();
  private final Stores stores = new Stores();
  private final DeletedRows deleted = new DeletedRows();
  private long bytes;
  private int tables;

  /** What the files of a scan hold: by their numbers in the list of all files. */
  private record Expectation(Set<Integer> files, List<TableColumn> columns) {}

  /** All files that the statement reads. */
  Set<String> files() {
    return files.keySet();
  }

  /** The size of each file. */
  List<Long> sizes() {
    return sizes;
  }

  Stores stores() {
    return stores;
  }

  long bytes() {
    return bytes + deleted.bytes();
  }

  int tables() {
    return tables;
  }

  /** Adds which columns are read from which files. */
  void expectations(ArrayNode scans) {
    for (Expectation expected : expectations) {
      ObjectNode scan = scans.addObject();
      ArrayNode numbers = scan.putArray("files");
      expected.files().forEach(numbers::add);
      ArrayNode columns = scan.putArray("columns");
      for (TableColumn column : expected.columns()) {
        columns.addObject()
            .put("id", column.id())
            .put("type", Types.name(column.type()))
            .put("required", column.isInAllFiles());
      }
    }
  }

  String render(DataSourceV2ScanRelation relation) {
    Scan scan = relation.scan();
    if (scan.getClass().getName().equals(ROWS)) {
      return rows((LocalScan) scan, CollectionConverters.asJava(relation.output()));
    }
    if (!readsFiles(relation)) {
      throw new NotRendered("scan " + scan.getClass().getSimpleName());
    }
    return render(
        CollectionConverters.asJava(relation.output()),
        (Schema) call(scan, "projection"),
        (Table) call(scan, "table"),
        (FileIO) ((Supplier<?>) field(scan, "fileIO")).get(),
        (List<?>) call(scan, "tasks"));
  }

  /** Whether a relation reads files, and not what Iceberg has found in its metadata. */
  static boolean readsFiles(DataSourceV2ScanRelation relation) {
    return relation.scan().getClass().getName().equals(SCAN);
  }

  String render(List<AttributeReference> output, Schema projection, Table table, FileIO io, List<?> tasks) {
    tables++;
    if (!(table instanceof BaseTable)) {
      throw new NotRendered("metadata tables");
    }
    if (table.properties().containsKey(TableProperties.DEFAULT_NAME_MAPPING)) {
      throw new NotRendered("files whose columns have no ids");
    }
    if (!(table.encryption() instanceof PlaintextEncryptionManager)) {
      throw new NotRendered("encrypted files");
    }
    List<TableColumn> columns = new ArrayList<>();
    for (AttributeReference column : output) {
      columns.add(TableColumn.of(column, projection, table));
    }
    DeletedRows.Reader deletes = deleted.reader(io);
    FileReads reads = new FileReads(columns);
    Map<List<TableColumn>, Set<Integer>> expected = new LinkedHashMap<>();
    for (Object task : tasks) {
      FileScanTask file = checked(task);
      String path = stores.path(table, io, file.file().location());
      int number = number(path, file.file().fileSizeInBytes());
      Map<Integer, ?> known = PartitionUtil.constantsMap(file, SparkUtil::internalToSpark);
      List<TableColumn> inFile = reads.add(path, file.file().recordCount(), known, deletes.of(file));
      expected.computeIfAbsent(inFile, none -> new LinkedHashSet<>()).add(number);
    }
    expected.forEach((inFiles, numbers) -> expectations.add(new Expectation(numbers, inFiles)));
    return reads.sql();
  }

  /** Aggregates that Iceberg has found in its metadata. */
  private static String rows(LocalScan scan, List<AttributeReference> columns) {
    List<String> rows = new ArrayList<>();
    for (InternalRow row : scan.rows()) {
      List<String> selected = new ArrayList<>();
      for (int each = 0; each < columns.size(); each++) {
        AttributeReference column = columns.get(each);
        Object value = row.isNullAt(each) ? null : row.get(each, column.dataType());
        selected.add(Literals.of(value, column.dataType()) + " AS " + Expressions.column(column));
      }
      rows.add("SELECT " + String.join(", ", selected));
    }
    if (rows.size() != 1 || columns.isEmpty()) {
      throw new NotRendered("aggregates of many rows");
    }
    return rows.get(0);
  }

  /** A task that is the whole of a file of rows. */
  private static FileScanTask checked(Object task) {
    if (!(task instanceof FileScanTask file) || file.isDataTask()) {
      throw new NotRendered("tasks that are not files");
    }
    if (file.file().format() != FileFormat.PARQUET) {
      throw new NotRendered("files in " + file.file().format());
    }
    if (file.start() != 0 || file.length() != file.file().fileSizeInBytes()) {
      throw new NotRendered("parts of files");
    }
    if (file.file().keyMetadata() != null) {
      throw new NotRendered("encrypted files");
    }
    return file;
  }

  private int number(String path, long size) {
    Integer known = files.putIfAbsent(path, files.size());
    if (known != null) {
      return known;
    }
    if (files.size() > MOST_FILES) {
      throw new NotRendered("more than " + MOST_FILES + " files");
    }
    bytes += size;
    sizes.add(size);
    return files.size() - 1;
  }

  static Object call(Object target, String name) {
    for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals(name) && method.getParameterCount() == 0) {
          try {
            method.setAccessible(true);
            return method.invoke(target);
          } catch (ReflectiveOperationException | RuntimeException error) {
            throw new NotRendered("scan without " + name);
          }
        }
      }
    }
    throw new NotRendered("scan without " + name);
  }

  private static Object field(Object target, String name) {
    for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          try {
            field.setAccessible(true);
            return field.get(target);
          } catch (ReflectiveOperationException | RuntimeException error) {
            throw new NotRendered("scan without " + name);
          }
        }
      }
    }
    throw new NotRendered("scan without " + name);
  }
}
