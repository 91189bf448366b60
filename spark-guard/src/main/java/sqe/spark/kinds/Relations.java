package sqe.spark.kinds;

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;

/** Allows relations to read Iceberg's tables only, which are read with the user's own keys. */
final class Relations {
  private Relations() {}

  static void check(LogicalPlan node) {
    Table table = table(node);
    while (table instanceof RowLevelOperationTable wrapper) {
      table = (Table) wrapper.table();
    }
    if (table == null || !isIceberg(table.getClass())) {
      throw new NotAllowed("Reading a source other than a table of Iceberg's", KindList.reason("tables"));
    }
  }

  private static Table table(LogicalPlan node) {
    if (node instanceof DataSourceV2Relation relation) {
      return relation.table();
    } else if (node instanceof DataSourceV2ScanRelation scan) {
      return scan.relation().table();
    }
    return null;
  }

  /** Iceberg's class of all its tables is private to its package. */
  private static boolean isIceberg(Class<?> kind) {
    for (Class<?> at = kind; at != null; at = at.getSuperclass()) {
      if (at.getName().startsWith("org.apache.iceberg.spark.") || at.getName().startsWith("sqe.spark.")) {
        return true;
      }
    }
    return false;
  }
}
