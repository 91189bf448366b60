package sqe.spark.kinds;

import java.util.List;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.analysis.ResolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.ResolvedNamespace;
import org.apache.spark.sql.catalyst.analysis.ResolvedPersistentView;
import org.apache.spark.sql.catalyst.analysis.ResolvedTable;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunctionName;
import org.apache.spark.sql.catalyst.analysis.UnresolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedNamespace;
import org.apache.spark.sql.catalyst.analysis.UnresolvedProcedure;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTable;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTableOrView;
import org.apache.spark.sql.catalyst.analysis.UnresolvedView;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.execution.command.RunnableCommand;
import org.apache.spark.sql.execution.command.SetCatalogCommand;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Refuses names in Spark's own catalog: it is in the memory that all sessions share, and its tables are files. */
final class SparkCatalogNames {
  private static final String SPARK_CATALOG = "spark_catalog";

  private SparkCatalogNames() {}

  static void check(LogicalPlan node) {
    if (isIn(node)) {
      throw new NotAllowed("The catalog " + SPARK_CATALOG, KindList.reason("shared"));
    }
  }

  private static boolean isIn(LogicalPlan node) {
    if (node instanceof UnresolvedNamespace unresolved) {
      return begins(unresolved.multipartIdentifier(), 1);
    }
    Seq<String> name = unresolvedName(node);
    if (name != null) {
      return begins(name, 2);
    }
    CatalogPlugin catalog = catalog(node);
    if (catalog != null) {
      return SPARK_CATALOG.equalsIgnoreCase(catalog.name());
    }
    if (node instanceof SetCatalogCommand command) {
      return SPARK_CATALOG.equalsIgnoreCase(command.catalogName());
    }
    return node instanceof RunnableCommand && names(node.productIterator());
  }

  private static boolean begins(Seq<String> name, int parts) {
    List<String> list = CollectionConverters.asJava(name);
    return list.size() >= parts && SPARK_CATALOG.equalsIgnoreCase(list.get(0));
  }

  private static Seq<String> unresolvedName(LogicalPlan node) {
    if (node instanceof UnresolvedRelation unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedIdentifier unresolved) {
      return unresolved.nameParts();
    } else if (node instanceof UnresolvedTable unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedView unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedTableOrView unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedFunctionName unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedProcedure unresolved) {
      return unresolved.nameParts();
    }
    return null;
  }

  private static CatalogPlugin catalog(LogicalPlan node) {
    if (node instanceof ResolvedNamespace resolved) {
      return resolved.catalog();
    } else if (node instanceof ResolvedIdentifier resolved) {
      return resolved.catalog();
    } else if (node instanceof ResolvedTable resolved) {
      return resolved.catalog();
    } else if (node instanceof ResolvedPersistentView resolved) {
      return resolved.catalog();
    } else if (node instanceof DataSourceV2Relation relation) {
      return relation.catalog().isDefined() ? relation.catalog().get() : null;
    }
    return null;
  }

  /** Spark's old commands name things of that catalog by their database; what is temporary has none. */
  private static boolean names(Iterator<Object> values) {
    while (values.hasNext()) {
      Object value = values.next();
      Option<String> database =
          value instanceof TableIdentifier table
              ? table.database()
              : value instanceof FunctionIdentifier function
                  ? function.database()
                  : value instanceof CatalogTable table ? table.identifier().database() : Option.empty();
      if (database.isDefined()) {
        return true;
      }
    }
    return false;
  }
}
