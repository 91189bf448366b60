package sqe.spark.guard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.BaseMetadataTable;
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
    Map<String, List<String>> tags = tags(table);
    Schema today = table.schema();
    boolean old = schema.schemaId() != today.schemaId();
    List<Question.Column> columns = new ArrayList<>();
    for (Types.NestedField field : schema.columns()) {
      String type = SparkSchemaUtil.convert(field.type()).catalogString();
      List<String> tagged = tags.getOrDefault(Integer.toString(field.fieldId()), List.of());
      String now = old ? today.findColumnName(field.fieldId()) : null;
      boolean moved = now != null && isMoved(field, schema, now, today);
      columns.add(new Question.Column(field.name(), type, field.fieldId(), tagged, now, moved));
    }
    return columns;
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
