package sqe.spark.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.InterpretedOrdering;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.SparkPlan;
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

  @Test
  void groupingSetsLookAtEachRow() {
    SparkPlan rows = new LocalTableScanExec(Plans.seq(List.of()), Plans.seq(List.of()), Option.empty());
    ExpandExec sets = new ExpandExec(Plans.seq(List.of()), Plans.seq(List.of()), rows);
    FilterExec watched = assertInstanceOf(FilterExec.class, new InterruptibleLoops().apply(sets));
    assertInstanceOf(ExpandExec.class, watched.child());
  }

  private static AggregateExpression aggregate(AggregateFunction function) {
    return new AggregateExpression(function, Complete$.MODULE$, false, Option.empty(), NamedExpression.newExprId());
  }

  @Test
  void aFrameLooksAtEachRow() {
    AggregateExpression watched = (AggregateExpression) InterruptibleLoops.watchedInput(aggregate(new Max(COLUMN)));
    Expression input = ((Max) watched.aggregateFunction()).child();
    assertEquals(7L, input.eval(row(7)));
    Thread.currentThread().interrupt();
    assertThrows(BoundRefusal.Canceled.class, () -> input.eval(row(7)));
  }

  @Test
  void whatHasNoInputStaysAsItIs() {
    AggregateExpression count = aggregate(new Count(Plans.seq(List.of(new Literal(1, DataTypes.IntegerType)))));
    assertSame(count, InterruptibleLoops.watchedInput(count));
  }
}
