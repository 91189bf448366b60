package sqe.spark.guard;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * Adds {@link Barrier} to Spark and to plans: {@link #inject} once, in SqeExtensions, and {@link #above} over each row filter, in the rule
 * that makes the filter. That is in analysis, so there is no moment at which a plan has a row filter and no barrier:
 *
 * <pre>Project(masks) over Barriers.above(Filter(row filter)) over relation</pre>
 *
 * <p>Masks belong above it: they see rows that the filter lets through, and a user's predicate on a masked column is made of the
 * mask, so it stays above unless it is safe.
 */
final class Barriers {
  private Barriers() {}

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectPlannerStrategy(session -> new BarrierStrategy());
    extensions.injectOptimizerRule(session -> new SafePush());
  }

  /** The filter, with a barrier over it. */
  static LogicalPlan above(LogicalPlan filter) {
    return new Barrier(filter);
  }
}
