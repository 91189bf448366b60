package sqe.spark.statements;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.OuterReference;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.Option;
import sqe.spark.Plans;

/**
 * Lets LIMIT and OFFSET of a correlated subquery count the rows of one outer row.
 *
 * <p>Spark 4.1 makes a row number for each value of an inner column that equals an outer one. A condition such as {@code
 * CAST(inner.a AS BIGINT) = outer.b} or {@code inner.a = outer.b + 1} becomes a condition of the join instead, and so does a second
 * one about the same outer column: then the limit counts rows of other outer rows, and the rows that match are missing. Where the
 * inner side is a call, Spark joins the outer values below the limit. Its optimizer removes a coalesce of one value afterwards.
 */
public final class CorrelatedLimits extends Rule<LogicalPlan> {
  private CorrelatedLimits() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectPostHocResolutionRule(session -> new CorrelatedLimits());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return AnalysisHelper.allowInvokingTransformsInAnalyzer(
        () -> plan.transformDownWithSubqueries(Plans.when(CorrelatedLimits::limits, CorrelatedLimits::limited)));
  }

  private static boolean limits(LogicalPlan node) {
    return node instanceof GlobalLimit || node instanceof LocalLimit || node instanceof Offset;
  }

  private static LogicalPlan limited(LogicalPlan limit) {
    Set<ExprId> numbered = new HashSet<>(); // outer columns for whose values Spark numbers the rows
    return (LogicalPlan)
        limit.transformDown(
            Plans.<LogicalPlan>when(
                node -> node instanceof Filter || node instanceof Join,
                node -> {
                  if (node instanceof Filter filter) {
                    Expression condition = kept(filter.condition(), numbered);
                    return condition == filter.condition() ? node : new Filter(condition, filter.child());
                  }
                  Join join = (Join) node;
                  if (join.condition().isEmpty()) {
                    return node;
                  }
                  Expression condition = kept(join.condition().get(), numbered);
                  return condition == join.condition().get()
                      ? node
                      : new Join(join.left(), join.right(), join.joinType(), Option.apply(condition), join.hint());
                }));
  }

  private static Expression kept(Expression condition, Set<ExprId> numbered) {
    if (condition instanceof And and) {
      Expression left = kept(and.left(), numbered);
      Expression right = kept(and.right(), numbered);
      return left == and.left() && right == and.right() ? and : new And(left, right);
    }
    if (condition instanceof EqualTo || condition instanceof EqualNullSafe) {
      BinaryComparison equality = (BinaryComparison) condition;
      return kept(equality, equality.left(), equality.right(), numbered);
    }
    return condition;
  }

  private static Expression kept(Expression equality, Expression left, Expression right, Set<ExprId> numbered) {
    if (equality.find(OuterReference.class::isInstance).isEmpty()) {
      return equality;
    }
    Expression outer = left instanceof OuterReference ? left : right;
    Expression inner = outer == left ? right : left;
    if (outer instanceof OuterReference reference && inner instanceof Attribute && numbered.add(reference.exprId())) {
      return equality;
    }
    return (Expression) equality.withNewChildren(Plans.seq(List.of(called(left), called(right))));
  }

  private static Expression called(Expression side) {
    boolean pulled = side instanceof Attribute || (side instanceof Cast cast && cast.child() instanceof Attribute);
    return pulled ? new Coalesce(Plans.seq(List.of(side))) : side;
  }
}
