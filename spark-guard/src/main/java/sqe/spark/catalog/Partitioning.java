package sqe.spark.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdatePartitionSpec;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.UnboundTerm;
import org.apache.spark.sql.connector.catalog.TableChange;

/**
 * A whole new partitioning for a table, in one commit. Spark's statements change one field each, so it comes as a property, which
 * the table does not keep.
 */
final class Partitioning {
  /** JSON: {@code [["identity", "column"], ["bucket", "column", 16], ..]}. */
  private static final String PROPERTY = "sqe.partitioning";

  private static final ObjectMapper JSON = new ObjectMapper();

  private Partitioning() {}

  static boolean isGiven(TableChange... changes) {
    return changes.length == 1 && changes[0] instanceof TableChange.SetProperty set && set.property().equals(PROPERTY);
  }

  /** Drops the fields that are not wanted and adds those that are missing. */
  static void apply(TableChange change, Table table) {
    List<Wanted> wanted = new ArrayList<>();
    for (JsonNode each : read(((TableChange.SetProperty) change).value())) {
      wanted.add(new Wanted(each.path(0).asText(), each.path(1).asText(), each.path(2).asInt()));
    }
    UpdatePartitionSpec update = table.updateSpec().caseSensitive(false);
    for (PartitionField field : table.spec().fields()) {
      String column = table.schema().findColumnName(field.sourceId());
      boolean kept = wanted.removeIf(each -> each.is(column, field.transform().toString()));
      if (!kept && !field.transform().isVoid()) {
        update.removeField(field.name());
      }
    }
    wanted.forEach(each -> update.addField(each.term()));
    update.commit();
  }

  private record Wanted(String transform, String column, int number) {
    private boolean is(String otherColumn, String otherTransform) {
      String own = number > 0 ? transform + "[" + number + "]" : transform;
      return column.equalsIgnoreCase(otherColumn) && own.equals(otherTransform.toLowerCase(Locale.ROOT));
    }

    private UnboundTerm<?> term() {
      return switch (transform) {
        case "identity" -> Expressions.ref(column);
        case "year" -> Expressions.year(column);
        case "month" -> Expressions.month(column);
        case "day" -> Expressions.day(column);
        case "hour" -> Expressions.hour(column);
        case "bucket" -> Expressions.bucket(column, number);
        case "truncate" -> Expressions.truncate(column, number);
        default -> throw new IllegalArgumentException("unknown partitioning: " + transform);
      };
    }
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException unreadable) {
      throw new IllegalArgumentException(PROPERTY + " is no JSON", unreadable);
    }
  }
}
