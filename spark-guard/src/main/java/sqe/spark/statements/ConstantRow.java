package sqe.spark.statements;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Plans a query of constants alone, such as {@code SELECT 1}, as a row that is there already: Spark sends it without a job.
 *
 * <p>Only what Spark has folded counts as a constant, so nothing is evaluated here. It is no rule of the optimizer, because Spark
 * expects the optimized plan of a statement's parameters to be a projection.
 */
public final class ConstantRow extends SparkStrategy {
  private ConstantRow() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectPlannerStrategy(session -> new ConstantRow());
  }

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    InternalRow row = plan instanceof Project project && project.child() instanceof OneRowRelation ? row(project) : null;
    if (row == null) {
      return Plans.seq(List.of());
    }
    return Plans.seq(List.of(new LocalTableScanExec(plan.output(), Plans.seq(List.of(row)), Option.empty())));
  }

  /** The constants; null where a column is something else. */
  private static InternalRow row(Project project) {
    List<Object> values = new ArrayList<>();
    for (NamedExpression each : CollectionConverters.asJava(project.projectList())) {
      if (!(each instanceof Alias alias && alias.child() instanceof Literal literal)) {
        return null;
      }
      values.add(literal.value());
    }
    return new GenericInternalRow(values.toArray());
  }
}
