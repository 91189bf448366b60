package sqe.spark.statements;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.OuterReference;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import sqe.spark.Plans;

/**
 * Lets LIMIT and OFFSET of a correlated subquery count the rows of one outer row.
 *
 * <p>Spark 4.1 makes a row number for each value of an inner column that equals an outer one. A condition such as {@code
 * CAST(inner.a AS BIGINT) = outer.b} or {@code inner.a = outer.b + 1} becomes a condition of the join instead, and so does a second
 * one about the same outer column: then the limit counts rows of other outer rows, and the rows that match are missing. Where the
 * inner side is a call, Spark joins the outer values below the limit. Its optimizer removes a coalesce of one value afterwards.
 *
 * <p>Where no condition has an inner column, Spark 4.1 drops an ORDER BY that is directly below the limit.
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
    LogicalPlan counted = counted(limit);
    LogicalPlan below = ((UnaryNode) counted).child();
    return below instanceof Sort sort && ordersAll(sort)
        ? (LogicalPlan) counted.withNewChildren(Plans.seq(List.of(new Project(projected(sort), sort))))
        : counted;
  }

  /** Whether all conditions about outer columns are about nothing else: Spark then takes the order of all rows away. */
  private static boolean ordersAll(Sort sort) {
    boolean[] found = {false, false}; // outer columns; conditions that have inner columns beside them
    sort.foreach(
        node -> {
          for (Expression expression : CollectionConverters.asJava(node.expressions())) {
            conjuncts(expression)
                .filter(CorrelatedLimits::isOuter)
                .forEach(
                    condition -> {
                      found[0] = true;
                      found[1] |= !(node instanceof Filter) || condition.find(Attribute.class::isInstance).isDefined();
                    });
          }
          return BoxedUnit.UNIT;
        });
    return found[0] && !found[1];
  }

  private static Stream<Expression> conjuncts(Expression condition) {
    return condition instanceof And and
        ? Stream.concat(conjuncts(and.left()), conjuncts(and.right()))
        : Stream.of(condition);
  }

  private static boolean isOuter(Expression expression) {
    return expression.find(OuterReference.class::isInstance).isDefined();
  }

  @SuppressWarnings("unchecked") // a column is a named expression
  private static Seq<NamedExpression> projected(LogicalPlan plan) {
    return (Seq<NamedExpression>) (Seq<?>) plan.output();
  }

  private static LogicalPlan counted(LogicalPlan limit) {
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
    if (!isOuter(equality)) {
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
