package sqe.spark.statements;

import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.analysis.RelationTimeTravel;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * Refuses a subquery that reads something in {@code TIMESTAMP AS OF}: Spark 4.1 evaluates it while it analyses the statement, and
 * fails with an internal error.
 */
public final class TimeTravelSubqueries extends Rule<LogicalPlan> {
  private TimeTravelSubqueries() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectHintResolutionRule(session -> new TimeTravelSubqueries());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    plan.foreachWithSubqueries(
        node -> {
          if (node instanceof RelationTimeTravel travel && travel.timestamp().isDefined()) {
            travel.timestamp().get().foreach(
                part -> {
                  if (part instanceof SubqueryExpression subquery) {
                    check((LogicalPlan) subquery.plan());
                  }
                  return BoxedUnit.UNIT;
                });
          }
          return BoxedUnit.UNIT;
        });
    return plan;
  }

  private static void check(LogicalPlan subquery) {
    List<LogicalPlan> leaves = CollectionConverters.asJava(subquery.collectLeaves());
    if (!leaves.stream().allMatch(OneRowRelation.class::isInstance)) {
      throw new NotSupported(
          "A subquery with FROM in TIMESTAMP AS OF is not supported. Run it first, and write its result as a literal.");
    }
  }
}
