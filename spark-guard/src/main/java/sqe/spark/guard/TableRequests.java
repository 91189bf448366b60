package sqe.spark.guard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NoSuchViewException;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.View;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.Plans;
import sqe.spark.catalog.SqeCatalog;

/** Answers the gateway's requests about a table, in the session of the user for whom it asks. */
public final class TableRequests {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TRIES = 10;

  private TableRequests() {}

  /** Something by its name. */
  private record Named(SqeCatalog catalog, PolicyCatalogGuard guard, Identifier ident, String text) {
    static Named of(SparkSession session, JsonNode parts) {
      List<String> names = new ArrayList<>();
      parts.forEach(part -> names.add(part.asText()));
      if (!parts.isArray() || names.size() < 3) {
        throw new IllegalArgumentException("A table has a catalog, a schema and a name.");
      }
      String text = String.join(".", names);
      Identifier ident =
          Identifier.of(names.subList(1, names.size() - 1).toArray(String[]::new), names.get(names.size() - 1));
      CatalogPlugin catalog = session.sessionState().catalogManager().catalog(names.get(0));
      if (catalog instanceof SqeCatalog own && own.guard() instanceof PolicyCatalogGuard guard) {
        return new Named(own, guard, ident, text);
      }
      throw GuardRefusal.unguarded(text);
    }

    SparkTable table() throws NoSuchTableException {
      return (SparkTable) catalog.stored(ident);
    }

    GuardRefusal notFound() {
      return GuardRefusal.notFound("TABLE_OR_VIEW_NOT_FOUND", "42P01", "There is no table or view " + text + ".");
    }
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException invalid) {
      throw new IllegalArgumentException("The argument is no JSON.");
    }
  }

  /** One row of JSON about the table or view that {@code ["cat","ns","t"]} names: its id, owner and columns with their tags. */
  public static LogicalPlan facts(SparkSession session, String name) {
    Named named = Named.of(session, read(name));
    Question.Resource resource;
    Decision decision;
    try {
      GuardedTable table = named.guard().decided("describe", named.ident(), named.table());
      resource = table.resource();
      decision = table.allowed("describe");
    } catch (NoSuchTableException noTable) {
      try {
        View view = named.catalog().storedView(named.ident());
        resource = named.guard().resource(named.ident(), view);
        decision = named.guard().decided("describe", named.ident(), view);
      } catch (NoSuchViewException neither) {
        throw named.notFound();
      }
    }
    return Plans.rows(new StructType().add("facts", DataTypes.StringType), row(resource, decision.restricted()));
  }

  private static InternalRow row(Question.Resource resource, List<String> restricted) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("uuid", resource.uuid());
    facts.put("owner", resource.owner());
    facts.put("kind", resource.kind());
    facts.put(
        "columns",
        resource.columns().stream()
            .filter(column -> !restricted.contains(column.name()))
            .map(Question.Column::fields)
            .toList());
    return new GenericInternalRow(new Object[] {UTF8String.fromString(TableFacts.text(facts))});
  }

  /** Changes tags as {@code {"table": [..], "set": {column: [tags]}, "unset": [column]}} says. */
  public static void setTags(SparkSession session, String change) {
    JsonNode asked = read(change);
    TableOperations operations = ((HasTableOperations) allowed(Named.of(session, asked.path("table")))).operations();
    for (int tried = 1; ; tried++) {
      TableMetadata base = tried == 1 ? operations.current() : operations.refresh();
      Map<String, String> properties = new LinkedHashMap<>(base.properties());
      Map<String, List<String>> tags = changed(base, asked);
      if (tags.isEmpty()) {
        properties.remove(TableFacts.TAGS);
      } else {
        properties.put(TableFacts.TAGS, TableFacts.text(tags));
      }
      try {
        operations.commit(base, base.replaceProperties(properties));
        return;
      } catch (CommitFailedException meanwhile) {
        // Others have changed the table, maybe its tags: theirs must not be lost.
        if (tried == TRIES) {
          throw meanwhile;
        }
      }
    }
  }

  private static Table allowed(Named named) {
    try {
      SparkTable table = named.table();
      named.guard().allowed("set_tags", named.ident(), table);
      return table.table();
    } catch (NoSuchTableException none) {
      throw named.notFound();
    }
  }

  private static Map<String, List<String>> changed(TableMetadata base, JsonNode asked) {
    Map<String, List<String>> tags = new TreeMap<>(TableFacts.tags(base.properties(), "the table"));
    asked.path("set").properties().forEach(
        column -> {
          List<String> given = new ArrayList<>();
          column.getValue().forEach(tag -> given.add(tag.asText()));
          tags.put(id(base.schema(), column.getKey()), given);
        });
    asked.path("unset").forEach(column -> tags.remove(id(base.schema(), column.asText())));
    // The tags of a column that was dropped stay: it is in older snapshots, and its values in files that may outlive them.
    return tags;
  }

  private static String id(Schema schema, String column) {
    Types.NestedField field = schema.caseInsensitiveFindField(column);
    if (field == null || !Set.copyOf(schema.columns()).contains(field)) {
      throw GuardRefusal.notFound("UNRESOLVED_COLUMN", "42703", "There is no column " + column + ".");
    }
    return Integer.toString(field.fieldId());
  }
}
