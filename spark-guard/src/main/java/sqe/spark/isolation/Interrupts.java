package sqe.spark.isolation;

import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.GenerateExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;
import org.apache.spark.sql.execution.joins.CartesianProductExec;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.Some;
import scala.runtime.AbstractPartialFunction;
import sqe.spark.Plans;

/**
 * Makes loops that turn one row into millions look for interrupts.
 *
 * <p>Spark's generated code does so where it reads a batch of rows, and not in the loops of {@code explode} and of joins without
 * keys, nor in the one that fills {@code collect_list}: a canceled statement would keep its cores and its memory.
 */
public final class Interrupts extends Rule<SparkPlan> {
  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectQueryPostPlannerStrategyRule(session -> new Interrupts());
  }

  /** Called for each row. Throws if the task was killed. */
  public static boolean alive() {
    if (Thread.currentThread().isInterrupted()) {
      TaskContext context = TaskContext.get();
      if (context != null) {
        context.killTaskIfInterrupted();
      }
    }
    return true;
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    return (SparkPlan)
        plan.transformUp(
            new AbstractPartialFunction<>() {
              @Override
              public boolean isDefinedAt(SparkPlan node) {
                return node instanceof GenerateExec
                    || node instanceof ObjectHashAggregateExec
                    || node instanceof BroadcastNestedLoopJoinExec
                    || node instanceof CartesianProductExec;
              }

              @Override
              public SparkPlan apply(SparkPlan node) {
                return watched(node);
              }
            });
  }

  private static SparkPlan watched(SparkPlan node) {
    if (node instanceof BroadcastNestedLoopJoinExec join && join.condition().isDefined()) {
      // Checked for each pair of rows. A pair is none of the result before the condition is true.
      return new FilterExec(
          call(),
          join.copy(join.left(), join.right(), join.buildSide(), join.joinType(), both(join.condition().get())));
    }
    if (node instanceof CartesianProductExec join && join.condition().isDefined()) {
      return new FilterExec(call(), join.copy(join.left(), join.right(), both(join.condition().get())));
    }
    if (node instanceof ObjectHashAggregateExec aggregate) {
      return (SparkPlan) aggregate.withNewChildren(Plans.seq(List.of(new FilterExec(call(), aggregate.child()))));
    }
    return new FilterExec(call(), node);
  }

  private static Option<Expression> both(Expression condition) {
    return new Some<>(new And(call(), condition));
  }

  private static Expression call() {
    return new StaticInvoke(
        Interrupts.class,
        DataTypes.BooleanType,
        "alive",
        Plans.seq(List.of()),
        Plans.seq(List.of()),
        false,
        false,
        true,
        Option.empty());
  }
}
