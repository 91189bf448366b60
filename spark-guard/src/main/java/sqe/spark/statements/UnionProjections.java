package sqe.spark.statements;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression$;
import org.apache.spark.sql.catalyst.optimizer.PushProjectionThroughUnion$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Lets a query over UNION ALL have correlated subqueries among its columns.
 *
 * <p>Spark 4.1 computes the columns in each query of the UNION instead, and fails on those subqueries ({@code key not found}), because it
 * looks for their inner columns in the UNION, too. {@code spark.sql.optimizer.excludedRules} switches that rule off; this one does the
 * same for all other columns.
 */
public final class UnionProjections extends Rule<LogicalPlan> {
  private static final PushProjectionThroughUnion$ SPARK = PushProjectionThroughUnion$.MODULE$;

  private UnionProjections() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectOptimizerRule(session -> new UnionProjections());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return (LogicalPlan) plan.transformDown(Plans.when(UnionProjections::moves, UnionProjections::moved));
  }

  private static boolean moves(LogicalPlan node) {
    return node instanceof Project project
        && project.child() instanceof Union
        && SPARK.canPushProjectionThroughUnion(project)
        && CollectionConverters.asJava(project.projectList()).stream().allMatch(UnionProjections::moves);
  }

  private static boolean moves(NamedExpression column) {
    Expression expression = (Expression) column;
    return expression.deterministic() && !SubqueryExpression$.MODULE$.hasCorrelatedSubquery(expression);
  }

  private static LogicalPlan moved(LogicalPlan node) {
    Project project = (Project) node;
    Union union = (Union) project.child();
    return union.copy(SPARK.pushProjectionThroughUnion(project.projectList(), union), union.byName(), union.allowMissingCol());
  }
}
