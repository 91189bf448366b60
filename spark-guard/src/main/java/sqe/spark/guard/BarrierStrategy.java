package sqe.spark.guard;

import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;
import sqe.spark.Plans;

/** Plans a {@link Barrier} as its child and nothing else: it has done its work when the optimizer is done. */
final class BarrierStrategy extends SparkStrategy {
  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    return Plans.seq(plan instanceof Barrier barrier ? List.of(planLater(barrier.child())) : List.of());
  }
}
