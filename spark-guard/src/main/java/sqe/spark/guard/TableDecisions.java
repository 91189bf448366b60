package sqe.spark.guard;

import org.apache.spark.sql.connector.catalog.Table;

/** Compares what was decided about a table at two times. */
public final class TableDecisions {
  private TableDecisions() {}

  /** What was decided about a table when it was loaded: equal for equal decisions. Throws where the guard is on and none were made. */
  public static Object of(Table table) {
    if (table instanceof Guarded guarded) {
      return guarded.loaded().decisions();
    }
    if (Guard.isOn()) {
      throw GuardRefusal.unguarded(table.name());
    }
    return "no policies";
  }
}
