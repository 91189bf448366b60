package sqe.spark.guard;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import sqe.spark.Plans;

/**
 * Stops an INSERT at the first row that its author could not read back: one for which the table's row filter is not true.
 *
 * <p>The condition goes through a method of this class that Spark's generated code calls, on executors too. Spark takes it to be
 * non-deterministic, so that it is neither moved past what adds or drops rows nor left out.
 */
public final class RowCheck {
  private RowCheck() {}

  /** The same rows as {@code query}, each of which satisfies {@code condition}, which is about the query's output. */
  static LogicalPlan over(LogicalPlan query, Expression condition) {
    return new Filter(
        new StaticInvoke(
            RowCheck.class,
            DataTypes.BooleanType,
            "passes",
            Plans.seq(List.of(new EqualNullSafe(condition, Literal$.MODULE$.TrueLiteral()))), // null is not true
            Plans.seq(List.of()),
            false,
            false,
            false,
            Option.empty()),
        query);
  }

  /** Called for each row. */
  public static boolean passes(boolean satisfied) {
    if (!satisfied) {
      throw GuardRefusal.denied("Cannot insert row that does not match a row filter.");
    }
    return true;
  }
}
