package sqe.spark.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.Plans;
import sqe.spark.bounds.Interrupts;
import sqe.spark.kinds.NotAllowed;

/**
 * Answers the gateway's requests for the names in a catalog, as the session's user sees them.
 *
 * <p>A SHOW statement for each of them would be parsed, analysed, planned and run, and a tree of namespaces takes as many statements as
 * it has nodes.
 */
public final class Listings {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final StructType NAMESPACES =
      new StructType().add("namespace", DataTypes.createArrayType(DataTypes.StringType, false), false);
  private static final StructType TABLES =
      new StructType().add("name", DataTypes.StringType, false).add("view", DataTypes.BooleanType, false);

  private Listings() {}

  /** All namespaces of the catalog that {@code ["cat"]} names, at any depth. */
  public static LogicalPlan namespaces(SparkSession session, String name) {
    List<InternalRow> rows = new ArrayList<>();
    below(Named.of(session, name).catalog(), new String[0], rows);
    return Plans.rows(NAMESPACES, rows.toArray(InternalRow[]::new));
  }

  private static void below(SqeCatalog catalog, String[] parent, List<InternalRow> rows) {
    for (String[] namespace : inside(catalog, parent)) {
      Interrupts.check(); // each level is a request to the catalog
      if (namespace.length > parent.length
          && Arrays.equals(Arrays.copyOf(namespace, parent.length), parent)) {
        rows.add(row(new GenericArrayData(Arrays.stream(namespace).map(UTF8String::fromString).toArray())));
        below(catalog, namespace, rows);
      }
    }
  }

  private static String[][] inside(SqeCatalog catalog, String[] parent) {
    if (parent.length == 0) {
      return catalog.listNamespaces();
    }
    try {
      return catalog.listNamespaces(parent);
    } catch (NoSuchNamespaceException | UnsupportedOperationException none) {
      return new String[0][]; // dropped since it was listed; or a catalog that knows no nested ones
    }
  }

  /** The tables and views of the namespace that {@code ["cat","ns"]} names. */
  public static LogicalPlan tables(SparkSession session, String name) {
    Named named = Named.of(session, name);
    Map<String, Boolean> found = new LinkedHashMap<>();
    for (Identifier table : named.catalog().listTables(named.namespace())) {
      found.put(table.name(), false);
    }
    for (Identifier view : views(named)) {
      found.put(view.name(), true);
    }
    List<InternalRow> rows = new ArrayList<>();
    found.forEach((each, view) -> rows.add(row(UTF8String.fromString(each), view)));
    return Plans.rows(TABLES, rows.toArray(InternalRow[]::new));
  }

  private static Identifier[] views(Named named) {
    try {
      return named.catalog().listViews(named.namespace());
    } catch (UnsupportedOperationException none) {
      return new Identifier[0]; // a catalog that knows no views has none
    }
  }

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  private record Named(SqeCatalog catalog, String[] namespace) {
    static Named of(SparkSession session, String text) {
      String[] parts;
      try {
        parts = JSON.readValue(text, String[].class);
      } catch (JsonProcessingException invalid) {
        throw NotAllowed.request();
      }
      CatalogPlugin catalog =
          parts.length == 0 ? null : session.sessionState().catalogManager().catalog(parts[0]);
      if (catalog instanceof SqeCatalog own) {
        return new Named(own, Arrays.copyOfRange(parts, 1, parts.length));
      }
      throw NotAllowed.request();
    }
  }
}
