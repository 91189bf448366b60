package sqe.spark.statements;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.InterpretedOrdering;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Sorts few rows that are in the plan already, such as those of SHOW TABLES, instead of running two jobs and a shuffle for them.
 * Spark then sends them without a job.
 */
public final class LocalSort extends Rule<LogicalPlan> {
  /** More than a listing has as a rule, and few enough that to sort them is nothing beside the planning. */
  private static final int MOST_ROWS = 2_000;

  private LocalSort() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectOptimizerRule(session -> new LocalSort());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return (LogicalPlan) plan.transformDown(Plans.when(LocalSort::isSmall, node -> sorted((Sort) node)));
  }

  private static boolean isSmall(LogicalPlan node) {
    return node instanceof Sort sort
        && sort.child() instanceof LocalRelation relation
        && !relation.isStreaming()
        && CollectionConverters.asJava(relation.data()).size() <= MOST_ROWS
        && CollectionConverters.asJava(sort.order()).stream().allMatch(LocalSort::isColumn);
  }

  /** Other keys would be evaluated again with every comparison, in the thread that plans. */
  private static boolean isColumn(SortOrder order) {
    return order.child() instanceof Attribute;
  }

  private static LogicalPlan sorted(Sort sort) {
    LocalRelation relation = (LocalRelation) sort.child();
    List<InternalRow> rows = new ArrayList<>(CollectionConverters.asJava(relation.data()));
    rows.sort(new InterpretedOrdering(sort.order(), relation.output()));
    return relation.copy(relation.output(), Plans.seq(rows), false, relation.stream());
  }
}
