package sqe.spark.local;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.types.DataType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Writes the reading of one table: the data files that Iceberg's planning has left for this statement, by the ids of their columns.
 *
 * <p>Iceberg's scan is not public, so that its tasks are read by reflection. A scan that is not of this kind, with deleted rows, or of
 * files that are not Parquet, stays on Spark.
 */
final class Scans {
  private static final String SCAN = "org.apache.iceberg.spark.source.SparkBatchQueryScan";
  private static final int MOST_PARTITIONS = 100;

  private final Set<String> files = new LinkedHashSet<>();
  private final Stores stores = new Stores();
  private long bytes;
  private int tables;

  /** All files that the statement reads. */
  Set<String> files() {
    return files;
  }

  Stores stores() {
    return stores;
  }

  long bytes() {
    return bytes;
  }

  int tables() {
    return tables;
  }

  String render(DataSourceV2ScanRelation relation) {
    Scan scan = relation.scan();
    if (!scan.getClass().getName().equals(SCAN)) {
      throw new NotRendered("scan " + scan.getClass().getSimpleName());
    }
    return render(
        CollectionConverters.asJava(relation.output()),
        (Schema) call(scan, "projection"),
        (Table) call(scan, "table"),
        null,
        (List<?>) call(scan, "tasks"));
  }

  String render(List<AttributeReference> columns, Schema projection, Table table, FileIO io, List<?> tasks) {
    tables++;
    if (table.properties().containsKey(TableProperties.DEFAULT_NAME_MAPPING)) {
      throw new NotRendered("files whose columns have no ids");
    }
    Map<String, List<String>> partitions = new LinkedHashMap<>();
    for (Object task : tasks) {
      add(table, io == null ? table.io() : io, (FileScanTask) task, columns, projection, partitions);
    }
    if (partitions.isEmpty()) {
      return nothing(columns);
    }
    if (partitions.size() > MOST_PARTITIONS) {
      throw new NotRendered("more than " + MOST_PARTITIONS + " partitions");
    }
    List<String> reads = new ArrayList<>();
    partitions.forEach(
        (constants, paths) -> reads.add("SELECT " + constants + " FROM " + read(paths, columns, projection)));
    return String.join(" UNION ALL ", reads);
  }

  /** Adds a task's file to those with the same values of identity partitions, which are not read from files. */
  private void add(
      Table table,
      FileIO io,
      FileScanTask task,
      List<AttributeReference> columns,
      Schema projection,
      Map<String, List<String>> partitions) {
    if (task.file().format() != FileFormat.PARQUET) {
      throw new NotRendered("files in " + task.file().format());
    }
    if (!task.deletes().isEmpty()) {
      throw new NotRendered("deleted rows in files of their own");
    }
    if (task.file().keyMetadata() != null) {
      throw new NotRendered("encrypted files");
    }
    String path = stores.path(table, io, task.file().location());
    if (files.add(path)) {
      bytes += task.file().fileSizeInBytes();
    }
    partitions.computeIfAbsent(selected(task, columns, projection), none -> new ArrayList<>()).add(path);
  }

  private static String selected(FileScanTask task, List<AttributeReference> columns, Schema projection) {
    Map<Integer, Integer> positions = new LinkedHashMap<>();
    List<PartitionField> fields = task.spec().fields();
    for (int each = 0; each < fields.size(); each++) {
      if (fields.get(each).transform().isIdentity()) {
        positions.put(fields.get(each).sourceId(), each);
      }
    }
    List<String> selected = new ArrayList<>();
    for (AttributeReference column : columns) {
      NestedField field = field(column, projection);
      Integer position = positions.get(field.fieldId());
      String name = Expressions.column(column);
      if (position == null) {
        selected.add(name);
      } else {
        Object value = task.file().partition().get(position, Object.class);
        selected.add(constant(value, field.type(), column.dataType()) + " AS " + name);
      }
    }
    return selected.isEmpty() ? "1 AS \"none\"" : String.join(", ", selected);
  }

  /** A partition's value, which Iceberg holds in a form of its own. */
  private static String constant(Object value, Type of, DataType type) {
    if (value == null) {
      return Literals.of(null, type);
    }
    return switch (of.typeId()) {
      case INTEGER, LONG, DATE, BOOLEAN -> Literals.of(value, type);
      case STRING -> Literals.of(org.apache.spark.unsafe.types.UTF8String.fromString(value.toString()), type);
      default -> throw new NotRendered("partitions by " + of.typeId());
    };
  }

  private static NestedField field(AttributeReference column, Schema projection) {
    NestedField field = projection.findField(column.name());
    if (field == null || org.apache.iceberg.MetadataColumns.isMetadataColumn(field.fieldId())) {
      throw new NotRendered("metadata columns");
    }
    return field;
  }

  private static String read(List<String> paths, List<AttributeReference> columns, Schema projection) {
    List<String> quoted = paths.stream().map(Literals::quoted).toList();
    List<String> fields = new ArrayList<>();
    for (AttributeReference column : columns) {
      NestedField field = field(column, projection);
      if (!field.type().isPrimitiveType()
          || field.type().typeId() == Type.TypeID.UUID
          || field.initialDefault() != null) {
        throw new NotRendered("columns of type " + field.type() + (field.initialDefault() == null ? "" : " with a default"));
      }
      String name = Expressions.column(column);
      fields.add(
          field.fieldId()
              + ": {name: '" + name.substring(1, name.length() - 1)
              + "', type: '" + Types.name(column.dataType())
              + "', default_value: NULL}");
    }
    // Rows without columns, for count(*): the files' own schema is not asked for.
    String schema = fields.isEmpty() ? "" : ", schema = MAP {" + String.join(", ", fields) + "}";
    return "read_parquet([" + String.join(", ", quoted) + "]" + schema + ")";
  }

  private static String nothing(List<AttributeReference> columns) {
    List<String> selected = new ArrayList<>();
    for (AttributeReference column : columns) {
      selected.add(Literals.of(null, column.dataType()) + " AS " + Expressions.column(column));
    }
    return "SELECT " + (selected.isEmpty() ? "1 AS \"none\"" : String.join(", ", selected)) + " WHERE false";
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
}
