package sqe.spark.statements;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Answers a query of constants alone, such as {@code SELECT 1}, without a job: Spark sends the row of a local relation as it is.
 *
 * <p>Only what Spark has folded counts as a constant, so nothing is evaluated here; and only the whole query, because Spark has
 * rules of its own for a subquery without a table.
 */
public final class ConstantRow extends Rule<LogicalPlan> {
  private ConstantRow() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectOptimizerRule(session -> new ConstantRow());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!(plan instanceof Project project && project.child() instanceof OneRowRelation)) {
      return plan;
    }
    List<Object> values = new ArrayList<>();
    for (NamedExpression each : CollectionConverters.asJava(project.projectList())) {
      if (!(each instanceof Alias alias && alias.child() instanceof Literal literal)) {
        return plan;
      }
      values.add(literal.value());
    }
    InternalRow row = new GenericInternalRow(values.toArray());
    return new LocalRelation(project.output(), Plans.seq(List.of(row)), false, Option.empty());
  }
}
