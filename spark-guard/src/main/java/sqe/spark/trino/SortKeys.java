package sqe.spark.trino;

import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.DataTypes;
import sqe.spark.Plans;

/**
 * Sorts what is text to Spark alone as Trino does: an address by its bytes. JSON has no order.
 *
 * <p>It comes when a sort is resolved, since only then the types of its keys are known.
 */
final class SortKeys extends Rule<LogicalPlan> {
  private SortKeys() {}

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectResolutionRule(session -> new SortKeys());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperatorsUp(
        Plans.when(
            node -> node.resolved(),
            node -> (LogicalPlan) node.transformExpressions(
                Plans.when(
                    expression -> expression instanceof SortOrder order && isOther(order.child()),
                    expression -> sorted((SortOrder) expression)))));
  }

  private static boolean isOther(Expression key) {
    return Typed.is(key, "ipaddress") || Typed.is(key, "json");
  }

  private static Expression sorted(SortOrder order) {
    Expression key = order.child();
    if (Typed.is(key, "json")) {
      throw TrinoFailure.types("Type json is not orderable, and therefore cannot be used in ORDER BY");
    }
    Expression bytes = Expressions.invoke(Addresses.class, "addressBytes", DataTypes.BinaryType, Typed.plain(key));
    return new SortOrder(bytes, order.direction(), order.nullOrdering(), Plans.seq(List.of()));
  }
}
