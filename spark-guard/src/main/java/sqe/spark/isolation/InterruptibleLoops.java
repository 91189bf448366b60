package sqe.spark.isolation;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.GenerateExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.joins.BaseJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;
import org.apache.spark.sql.execution.joins.CartesianProductExec;
import org.apache.spark.sql.execution.joins.ShuffledHashJoinExec;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import org.apache.spark.sql.execution.window.WindowExec;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.Some;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;
import sqe.spark.bounds.Bounds;

/**
 * Makes the loops that turn one row into millions look for interrupts: {@code explode}, grouping sets, joins, what fills
 * {@code collect_list}, windows, and the comparisons of sorts.
 *
 * <p>Spark's generated code does so where it reads a batch of rows only. One batch can take hours: a row that meets millions of rows
 * with the same key is one row of a batch.
 */
public final class InterruptibleLoops extends Rule<SparkPlan> {
  /** As a columnar rule: those reach every physical plan, while a rule after the planner reaches plans with a shuffle only. */
  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectColumnar(
        session ->
            new ColumnarRule() {
              @Override
              public Rule<SparkPlan> preColumnarTransitions() {
                return new InterruptibleLoops();
              }
            });
  }

  private static final int ROWS_BETWEEN_LOOKS = 1 << 14;
  private static final ThreadLocal<int[]> ROWS = ThreadLocal.withInitial(() -> new int[1]);

  /**
   * Called for each row. Throws if the task was killed, or if the heap is full: generated code keeps all rows that one row becomes
   * in a list before it hands on the first.
   */
  public static boolean alive() {
    if (Thread.currentThread().isInterrupted()) {
      TaskContext context = TaskContext.get();
      if (context != null) {
        context.killTaskIfInterrupted();
      }
    }
    int[] rows = ROWS.get();
    if (++rows[0] >= ROWS_BETWEEN_LOOKS) {
      rows[0] = 0;
      HeapWatch.admitRows();
    }
    return true;
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    return (SparkPlan)
        plan.transformUp(
            Plans.when(
                node -> node instanceof GenerateExec
                    || node instanceof ExpandExec
                    || node instanceof ObjectHashAggregateExec
                    || node instanceof SortExec
                    || node instanceof WindowExec
                    || node instanceof BaseJoinExec,
                node -> watched(node)));
  }

  private static SparkPlan watched(SparkPlan node) {
    if (node instanceof ObjectHashAggregateExec aggregate) {
      return (SparkPlan) aggregate.withNewChildren(Plans.seq(List.of(new FilterExec(call(), aggregate.child()))));
    }
    if (node instanceof SortExec sort) {
      return watchedComparisons(sort);
    }
    return new FilterExec(call(), node instanceof BaseJoinExec join ? watchedPairs(join) : node);
  }

  private static SortExec watchedComparisons(SortExec sort) {
    return sort.copy(watchedKeys(sort.sortOrder()), sort.global(), sort.child(), sort.testSpillFrequency());
  }

  /** Look at each comparison of rows: one sort in memory has millions of them, and keys can be long. */
  static Seq<SortOrder> watchedKeys(Seq<SortOrder> keys) {
    List<SortOrder> watched = new ArrayList<>(CollectionConverters.asJava(keys));
    SortOrder first = watched.get(0);
    Expression key = Bounds.watched(first.child());
    watched.set(0, new SortOrder(key, first.direction(), first.nullOrdering(), first.sameOrderExpressions()));
    return Plans.seq(watched);
  }

  /** Look at each pair of rows, too: one that does not meet the condition is no row of the result. */
  private static SparkPlan watchedPairs(BaseJoinExec join) {
    if (join.condition().isEmpty()) {
      return (SparkPlan) join;
    }
    Option<Expression> both = both(join.condition().get());
    if (join instanceof BroadcastNestedLoopJoinExec loop) {
      return loop.copy(loop.left(), loop.right(), loop.buildSide(), loop.joinType(), both);
    } else if (join instanceof CartesianProductExec product) {
      return product.copy(product.left(), product.right(), both);
    } else if (join instanceof BroadcastHashJoinExec hash) {
      return hash.copy(
          hash.leftKeys(),
          hash.rightKeys(),
          hash.joinType(),
          hash.buildSide(),
          both,
          hash.left(),
          hash.right(),
          hash.isNullAwareAntiJoin());
    } else if (join instanceof ShuffledHashJoinExec hash) {
      return hash.copy(
          hash.leftKeys(),
          hash.rightKeys(),
          hash.joinType(),
          hash.buildSide(),
          both,
          hash.left(),
          hash.right(),
          hash.isSkewJoin());
    } else if (join instanceof SortMergeJoinExec merge) {
      return merge.copy(
          merge.leftKeys(), merge.rightKeys(), merge.joinType(), both, merge.left(), merge.right(), merge.isSkewJoin());
    }
    return (SparkPlan) join;
  }

  private static Option<Expression> both(Expression condition) {
    return new Some<>(new And(call(), condition));
  }

  private static Expression call() {
    return new StaticInvoke(
        InterruptibleLoops.class,
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
