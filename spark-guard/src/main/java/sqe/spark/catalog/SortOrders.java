package sqe.spark.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.NullOrder;
import org.apache.iceberg.ReplaceSortOrder;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.TableInfo;

/**
 * The order in which the files of a new table are sorted. Spark's CREATE TABLE cannot name one, so it comes as a property, which
 * the table does not keep.
 */
final class SortOrders {
  /** JSON: {@code [["column", "asc" or "desc", "first" or "last"], ..]}. */
  private static final String PROPERTY = "sqe.sorted-by";

  private static final ObjectMapper JSON = new ObjectMapper();

  private SortOrders() {}

  static boolean isGiven(TableInfo info) {
    return info.properties().containsKey(PROPERTY);
  }

  static Map<String, String> otherProperties(TableInfo info) {
    Map<String, String> others = new HashMap<>(info.properties());
    others.remove(PROPERTY);
    return others;
  }

  /** Sets the order as a part of what is staged. */
  static StagedTable apply(TableInfo info, StagedTable staged) {
    if (isGiven(info)) {
      ReplaceSortOrder change = ((SparkTable) staged).table().replaceSortOrder().caseSensitive(false);
      for (JsonNode each : read(info.properties().get(PROPERTY))) {
        NullOrder nulls = each.path(2).asText().equals("last") ? NullOrder.NULLS_LAST : NullOrder.NULLS_FIRST;
        String column = each.path(0).asText();
        if (each.path(1).asText().equals("desc")) {
          change.desc(column, nulls);
        } else {
          change.asc(column, nulls);
        }
      }
      change.commit();
    }
    return staged;
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException unreadable) {
      throw new IllegalArgumentException(PROPERTY + " is no JSON", unreadable);
    }
  }
}
