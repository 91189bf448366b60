package sqe.spark.statements;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.optimizer.ConstantFolding$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import sqe.spark.ConstantLeaf;
import sqe.spark.Plans;

/**
 * A constant that cannot be computed, in a branch that may never be taken: {@code if(b = 0, CAST('x' AS INT), 1)}.
 *
 * <p>Spark marks it and goes on. But where a predicate is offered to a source such as Iceberg, Spark 4.1 sees a constant, folds it,
 * gets it back as it was, and tries again for ever: a thread of the driver that nothing ends, for every user who writes such
 * a query. Nothing looks into this one, and it is no constant.
 */
public final class Unfoldable extends ConstantLeaf<Expression> {
  private Unfoldable(Expression constant) {
    super(constant);
  }

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectOptimizerRule(session -> new Replaced());
  }

  private static final class Replaced extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      return (LogicalPlan)
          plan.transformAllExpressions(
              Plans.when(
                  expression -> expression.getTagValue(ConstantFolding$.MODULE$.FAILED_TO_EVALUATE()).isDefined(),
                  expression -> new Unfoldable(expression)));
    }
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    ExprCode made = constant.genCode(context);
    return code.copy(made.code(), made.isNull(), made.value());
  }
}
