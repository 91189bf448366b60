package sqe.spark.trino;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import sqe.spark.Plans;

/**
 * Changes the sign of decimals with all their digits: Spark's own decimals are rounded to the 34 digits of Scala's when they are
 * negated.
 */
public final class DecimalSigns extends Rule<LogicalPlan> {
  private static final int SCALA_DIGITS = 34;

  private DecimalSigns() {}

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectResolutionRule(session -> new DecimalSigns());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperatorsUp(
        Plans.when(
            node -> node.resolved(),
            node -> (LogicalPlan) node.transformExpressions(
                Plans.when(
                    expression -> expression instanceof UnaryMinus minus && isLong(minus.child()),
                    expression -> changed("negated", ((UnaryMinus) expression).child())))));
  }

  /** Whether Spark would lose digits of a value. */
  static boolean isLong(Expression value) {
    return value.resolved() && value.dataType() instanceof DecimalType type && type.precision() > SCALA_DIGITS;
  }

  static Expression absolute(Expression value) {
    return changed("absolute", value);
  }

  private static Expression changed(String method, Expression value) {
    return Expressions.invoke(DecimalSigns.class, method, value.dataType(), value);
  }

  // Called for each row.

  public static Decimal negated(Decimal value) {
    return Decimal.apply(value.toJavaBigDecimal().negate(), value.precision(), value.scale());
  }

  public static Decimal absolute(Decimal value) {
    return value.toJavaBigDecimal().signum() < 0 ? negated(value) : value;
  }
}
