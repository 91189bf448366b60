package sqe.spark.guard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.BaseMetadataTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/** Reads columns, tags and owner from a table's own metadata. */
final class TableFacts {
  static final String OWNER = "sqe.owner";

  /** JSON: tags by the id of the column, which stays when the column is renamed. */
  static final String TAGS = "sqe.tags";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_FORGOTTEN = 10_000;
  private static final Field SCHEMA = schemaOfTable();

  private TableFacts() {}

  /** The stored table: that of a metadata table is the one whose metadata it shows. */
  static Table stored(Table table) {
    return table instanceof BaseMetadataTable metadata ? metadata.table() : table;
  }

  /** The schema that is read, which is an old one for an old snapshot. A metadata table is asked about by the table's columns. */
  static Schema schema(SparkTable table) {
    if (table.table() instanceof BaseMetadataTable metadata) {
      return metadata.table().schema();
    }
    try {
      return (Schema) SCHEMA.get(table);
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static List<Question.Column> columns(Schema schema, Table table) {
    boolean old = schema.schemaId() != table.schema().schemaId();
    Map<String, List<String>> tags = tags(table);
    return schema.columns().stream().map(field -> column(field, schema, table, tags, old, false)).toList();
  }

  private static Question.Column column(
      Types.NestedField field, Schema schema, Table table, Map<String, List<String>> tags, boolean old, boolean inPaths) {
    String type = SparkSchemaUtil.convert(field.type()).catalogString();
    Schema today = table.schema();
    String now = old ? today.findColumnName(field.fieldId()) : null;
    boolean moved = now != null && isMoved(field, schema, now, today);
    List<String> former = old && now == null ? names(field.fieldId(), table) : List.of();
    return new Question.Column(
        field.name(), type, field.fieldId(), tagged(field.fieldId(), tags), now, moved, former, inPaths);
  }

  private static List<String> tagged(int fieldId, Map<String, List<String>> tags) {
    return tags.getOrDefault(Integer.toString(fieldId), List.of());
  }

  /** All names that a column had. The order of schemas does not tell the last one: Iceberg uses one again that it has had before. */
  private static List<String> names(int fieldId, Table table) {
    Set<String> names = new LinkedHashSet<>();
    for (Schema schema : table.schemas().values()) {
      String name = schema.findColumnName(fieldId);
      if (name != null) {
        names.add(name);
      }
    }
    return List.copyOf(names);
  }

  /**
   * The columns of other schemas of the table, which {@code schema} does not have. Data files that were written with them keep their
   * values, of which metadata tables show bounds; values of partitions are in the names of files.
   */
  static List<Question.Column> past(Schema schema, Table table) {
    Set<Integer> paths = new HashSet<>();
    for (PartitionSpec spec : table.specs().values()) {
      spec.fields().stream().map(PartitionField::sourceId).forEach(paths::add);
    }
    Map<String, List<String>> tags = tags(table);
    Map<Integer, Question.Column> past = new LinkedHashMap<>();
    Set<Integer> known = new HashSet<>();
    // A column has the type of its newest schema.
    for (Schema each : table.schemas().values().stream().sorted(Comparator.comparing(Schema::schemaId).reversed()).toList()) {
      known.addAll(TypeUtil.indexById(each.asStruct()).keySet());
      for (Types.NestedField field : each.columns()) {
        if (schema.findField(field.fieldId()) == null && !past.containsKey(field.fieldId())) {
          boolean inPaths = TypeUtil.indexById(Types.StructType.of(field)).keySet().stream().anyMatch(paths::contains);
          past.put(field.fieldId(), column(field, each, table, tags, true, inPaths));
        }
      }
    }
    forgotten(table, known).forEach(
        id -> {
          String name = "field " + id;
          past.put(id, new Question.Column(name, "binary", id, tagged(id, tags), null, false, List.of(), paths.contains(id)));
        });
    return List.copyOf(past.values());
  }

  /** The ids of fields that were in schemas which are removed: files may have been written with them. */
  private static List<Integer> forgotten(Table table, Set<Integer> known) {
    List<Integer> forgotten = new ArrayList<>();
    if (table instanceof HasTableOperations operated) {
      int last = operated.operations().current().lastColumnId();
      for (int id = 1; id <= last && forgotten.size() < MAX_FORGOTTEN; id++) {
        if (!known.contains(id)) {
          forgotten.add(id);
        }
      }
    }
    return forgotten;
  }

  /** Whether a field inside of the column has another name today, or is gone and its name is that of another. */
  private static boolean isMoved(Types.NestedField column, Schema schema, String now, Schema today) {
    for (Types.NestedField field : TypeUtil.indexById(Types.StructType.of(column)).values()) {
      if (field.fieldId() == column.fieldId()) {
        continue;
      }
      Types.NestedField present = today.findField(field.fieldId());
      String path = now + schema.findColumnName(field.fieldId()).substring(column.name().length());
      if (present == null ? today.caseInsensitiveFindField(path) != null : !present.name().equals(field.name())) {
        return true;
      }
    }
    return false;
  }

  static Map<String, List<String>> tags(Table table) {
    return tags(table.properties(), table.name());
  }

  static Map<String, List<String>> tags(Map<String, String> properties, String table) {
    String text = properties.get(TAGS);
    try {
      return text == null ? Map.of() : JSON.readValue(text, new TypeReference<Map<String, List<String>>>() {});
    } catch (JsonProcessingException odd) {
      throw GuardRefusal.unavailable("The tags of the columns of " + table + " cannot be read.");
    }
  }

  static String text(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Field schemaOfTable() {
    try {
      Field field = SparkTable.class.getDeclaredField("schema");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException changed) {
      throw new IllegalStateException("Iceberg's table for Spark has changed", changed);
    }
  }
}
