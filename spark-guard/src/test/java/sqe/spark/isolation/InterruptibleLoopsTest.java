package sqe.spark.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.InterpretedOrdering;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.window.WindowExec;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import scala.Option;
import sqe.spark.Plans;
import sqe.spark.bounds.BoundRefusal;

/** Loops of Spark's that look for a cancel. */
class InterruptibleLoopsTest {
  private static final Expression COLUMN = new BoundReference(0, DataTypes.LongType, true);

  private static InternalRow row(long value) {
    return new GenericInternalRow(new Object[] {value});
  }

  @AfterEach
  void leaveNoInterrupt() {
    Thread.interrupted();
  }

  @Test
  void aSortLooksAtEachComparison() {
    SortOrder key = new SortOrder(COLUMN, Ascending$.MODULE$, Ascending$.MODULE$.defaultNullOrdering(), Plans.seq(List.of()));
    InterpretedOrdering ordering = new InterpretedOrdering(InterruptibleLoops.watchedKeys(Plans.seq(List.of(key, key))));
    assertEquals(-1, ordering.compare(row(1), row(2)));
    Thread.currentThread().interrupt();
    assertThrows(BoundRefusal.Canceled.class, () -> ordering.compare(row(1), row(2)));
  }

  private static SparkPlan watched(UnaryOperator<SparkPlan> node) {
    SparkPlan rows = new LocalTableScanExec(Plans.seq(List.of()), Plans.seq(List.of()), Option.empty());
    return assertInstanceOf(FilterExec.class, new InterruptibleLoops().apply(node.apply(rows))).child();
  }

  @Test
  void groupingSetsLookAtEachRow() {
    assertInstanceOf(ExpandExec.class, watched(rows -> new ExpandExec(Plans.seq(List.of()), Plans.seq(List.of()), rows)));
  }

  @Test
  void windowsLookAtEachRow() {
    SparkPlan window =
        watched(rows -> new WindowExec(Plans.seq(List.of()), Plans.seq(List.of()), Plans.seq(List.of()), rows));
    assertInstanceOf(WindowExec.class, window);
  }
}
