package sqe.spark.bounds;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Makes a set of the values of a long IN as soon as they have their type. Spark does so in its optimizer, and goes through all values
 * with each of its rules before: 50,000 take ten seconds.
 */
final class LongLists extends Rule<LogicalPlan> {
  static final int LONG = 1_000;

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return (LogicalPlan)
        plan.resolveExpressions(
            Plans.when(
                expression -> expression instanceof In in && CollectionConverters.asJava(in.list()).size() > LONG,
                expression -> asSet((In) expression)));
  }

  static Expression asSet(In in) {
    List<Expression> values = CollectionConverters.asJava(in.list());
    if (!values.stream().allMatch(LongLists::isConstant) || !in.resolved()) {
      return in;
    }
    Set<Object> set = new HashSet<>();
    for (Expression each : values) {
      try {
        set.add(each.eval(null));
      } catch (RuntimeException notOfTheType) {
        return in; // an error of the row that meets it, if one does
      }
    }
    return new InSet(in.value(), scala.collection.immutable.Set$.MODULE$.from(CollectionConverters.asScala(set)));
  }

  private static boolean isConstant(Expression value) {
    return value instanceof Literal || (value instanceof Cast cast && cast.child() instanceof Literal);
  }
}
