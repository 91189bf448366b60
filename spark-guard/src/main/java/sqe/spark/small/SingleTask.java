package sqe.spark.small;

import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.GlobalLimitExec;
import org.apache.spark.sql.execution.LocalLimitExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;
import org.apache.spark.sql.execution.joins.CartesianProductExec;
import org.apache.spark.sql.execution.joins.ShuffledHashJoinExec;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import org.apache.spark.sql.execution.window.WindowExec;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Runs what reads small tables of one file each as one task: without the shuffles that Spark puts before an aggregate, a sort, a
 * window or a join, and without the job that broadcasts one side of a join.
 *
 * <p>All rows of one partition are together already, however they are to be distributed. For a small table, each stage
 * costs more than its rows: Spark makes a job, compiles classes, starts tasks and writes files for it.
 *
 * <p>A scan that may end up with no partition at all, because of a runtime filter, is left alone: an aggregate of no partition
 * has no row.
 */
public final class SingleTask extends Rule<SparkPlan> {
  /** Of one table, as estimated. With more, the second core is worth a shuffle. */
  private static final long MOST_BYTES = 32L << 20;

  /** Those that Spark's two hash joins compute in the same way. */
  private static final Set<JoinType> JOINS =
      Set.of(Inner$.MODULE$, LeftOuter$.MODULE$, RightOuter$.MODULE$, LeftSemi$.MODULE$, LeftAnti$.MODULE$);

  private SingleTask() {}

  /** It is called after Spark has put its shuffles in, for each plan that has some. */
  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectQueryStagePrepRule(session -> new SingleTask());
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    if (plan.exists(SingleTask::isAligned)) {
      return plan;
    }
    SparkPlan made = (SparkPlan) plan.transformUp(Plans.when(node -> true, SingleTask::together));
    return made.exists(SingleTask::isUneven) ? plan : made;
  }

  /**
   * Whether a union puts together the partitions of its children that have the same keys. Spark has no shuffle above it then, and
   * needs those below it.
   */
  private static boolean isAligned(SparkPlan node) {
    return node instanceof UnionExec && !(node.outputPartitioning() instanceof UnknownPartitioning);
  }

  /**
   * Whether a node reads its children side by side, partition by partition, and they are not all of one: below a join one side may
   * have lost its shuffle, and the other not. Such a plan stays as Spark made it.
   */
  private static boolean isUneven(SparkPlan node) {
    List<SparkPlan> children = CollectionConverters.asJava(node.children());
    boolean apart =
        node instanceof BroadcastHashJoinExec
            || node instanceof BroadcastNestedLoopJoinExec
            || node instanceof CartesianProductExec
            || node instanceof UnionExec;
    return children.size() > 1 && !apart && !children.stream().allMatch(SingleTask::isOne);
  }

  private static SparkPlan together(SparkPlan node) {
    if (node instanceof BroadcastHashJoinExec join) {
      return unbroadcast(join);
    }
    List<SparkPlan> children = CollectionConverters.asJava(node.children());
    if (children.stream().noneMatch(SingleTask::isShuffle)
        || !children.stream().allMatch(each -> isOne(unshuffled(each)))) {
      return node;
    }
    return (SparkPlan) node.withNewChildren(Plans.seq(children.stream().map(SingleTask::unshuffled).toList()));
  }

  /** Spark's own shuffles only: one that a statement asks for with a hint, or that a write needs, stays. */
  private static boolean isShuffle(SparkPlan node) {
    return node instanceof ShuffleExchangeExec shuffle && shuffle.shuffleOrigin() == ENSURE_REQUIREMENTS$.MODULE$;
  }

  private static SparkPlan unshuffled(SparkPlan node) {
    return isShuffle(node) ? ((ShuffleExchangeExec) node).child() : node;
  }

  private static SparkPlan unbroadcast(BroadcastHashJoinExec join) {
    boolean left = join.buildSide() == BuildLeft$.MODULE$;
    SparkPlan sent = left ? join.left() : join.right();
    SparkPlan streamed = left ? join.right() : join.left();
    if (join.isNullAwareAntiJoin()
        || !JOINS.contains(join.joinType())
        || !(sent instanceof BroadcastExchangeExec broadcast)
        || !isOne(broadcast.child())
        || !isOne(streamed)) {
      return join;
    }
    SparkPlan built = broadcast.child();
    ShuffledHashJoinExec together =
        new ShuffledHashJoinExec(
            join.leftKeys(),
            join.rightKeys(),
            join.joinType(),
            join.buildSide(),
            join.condition(),
            left ? built : streamed,
            left ? streamed : built,
            false);
    together.copyTagsFrom(join);
    return together;
  }

  /** Whether a plan is known to have exactly one partition, of a small table. */
  private static boolean isOne(SparkPlan plan) {
    if (plan instanceof BatchScanExec scan) {
      return CollectionConverters.asJava(scan.runtimeFilters()).isEmpty()
          && isSmall(scan)
          && CollectionConverters.asJava(scan.inputPartitions()).size() == 1;
    }
    if (plan instanceof BroadcastHashJoinExec join) {
      return isOne(join.buildSide() == BuildLeft$.MODULE$ ? join.right() : join.left());
    }
    boolean keeps =
        plan instanceof ProjectExec
            || plan instanceof FilterExec
            || plan instanceof BaseAggregateExec
            || plan instanceof SortExec
            || plan instanceof LocalLimitExec
            || plan instanceof GlobalLimitExec
            || plan instanceof ExpandExec
            || plan instanceof WindowExec
            || plan instanceof ShuffledHashJoinExec
            || plan instanceof SortMergeJoinExec;
    return keeps && CollectionConverters.asJava(plan.children()).stream().allMatch(SingleTask::isOne);
  }

  private static boolean isSmall(BatchScanExec scan) {
    return scan.scan() instanceof SupportsReportStatistics reported
        && reported.estimateStatistics().sizeInBytes().orElse(Long.MAX_VALUE) <= MOST_BYTES;
  }
}
