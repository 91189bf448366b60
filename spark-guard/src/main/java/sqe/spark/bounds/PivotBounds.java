package sqe.spark.bounds;

import java.util.Locale;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Pivot;
import scala.jdk.javaapi.CollectionConverters;

/** Refuses a PIVOT of very many columns, which the analyzer and the optimizer go through again and again. */
final class PivotBounds {
  static final int MAX_COLUMNS = 2_000;

  private PivotBounds() {}

  static void check(LogicalPlan node) {
    if (node instanceof Pivot pivot && columns(pivot) > MAX_COLUMNS) {
      throw BoundRefusal.tooComplex(String.format(Locale.ROOT, "PIVOT makes more than %,d columns.", MAX_COLUMNS));
    }
  }

  private static long columns(Pivot pivot) {
    int values = CollectionConverters.asJava(pivot.pivotValues()).size();
    return (long) values * CollectionConverters.asJava(pivot.aggregates()).size();
  }
}
