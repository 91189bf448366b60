package sqe.spark.isolation;

import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.RebalancePartitions;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionOperation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;
import sqe.spark.kinds.BadValue;

/**
 * Bounds the numbers by which a statement chooses how many tasks, files or threads it makes: the engine makes an object for each
 * of them before the first one runs.
 */
public final class WorkLimits {
  private static final int PARTITIONS = 10_000;
  private static final long KB = 1 << 10;
  private static final long MB = 1 << 20;

  /** From and to. Names of Iceberg's table properties, of its options for reading and writing, and of arguments of its procedures. */
  private static final Map<String, long[]> BOUNDS =
      Map.ofEntries(
          bound("read.split.target-size", 64 * KB, Long.MAX_VALUE),
          bound("read.split.metadata-target-size", 64 * KB, Long.MAX_VALUE),
          bound("read.split.planning-lookback", 1, 1_000),
          bound("split-size", 64 * KB, Long.MAX_VALUE),
          bound("lookback", 1, 1_000),
          bound("batch-size", 1, 100_000),
          bound("read.parquet.vectorization.batch-size", 1, 100_000),
          bound("read.orc.vectorization.batch-size", 1, 100_000),
          bound("write.target-file-size-bytes", MB, Long.MAX_VALUE),
          bound("write.delete.target-file-size-bytes", MB, Long.MAX_VALUE),
          bound("target-file-size-bytes", MB, Long.MAX_VALUE),
          bound("write.parquet.row-group-size-bytes", 64 * KB, 1_024 * MB),
          bound("write.parquet.page-size-bytes", KB, 64 * MB),
          bound("write.parquet.dict-size-bytes", 0, 64 * MB),
          bound("commit.manifest.target-size-bytes", 64 * KB, 1_024 * MB),
          bound("commit.retry.num-retries", 0, 100),
          bound("max-concurrent-file-group-rewrites", 1, 32),
          bound("partial-progress.max-commits", 1, 1_000),
          bound("max_concurrent_deletes", 1, 32),
          bound("parallelism", 1, 32));

  private WorkLimits() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectCheckRule(session -> new Check());
  }

  /** Throws {@link BadValue} if a property, option or argument is out of its range. Values that are no numbers are Iceberg's to refuse. */
  public static void check(Map<String, String> properties) {
    properties.forEach(WorkLimits::check);
  }

  public static void check(String name, String value) {
    long[] bounds = BOUNDS.get(name.toLowerCase(Locale.ROOT));
    if (bounds != null && value != null && value.strip().matches("[+-]?[0-9]+")) {
      long number = parse(value.strip());
      if (number < bounds[0] || number > bounds[1]) {
        throw new BadValue(name, value, range(bounds));
      }
    }
  }

  private static long parse(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException large) {
      return digits.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  private static String range(long[] bounds) {
    return bounds[1] == Long.MAX_VALUE ? bounds[0] + " or more" : "a number from " + bounds[0] + " to " + bounds[1];
  }

  private static Map.Entry<String, long[]> bound(String name, long from, long to) {
    return Map.entry(name, new long[] {from, to});
  }

  private static final class Check extends AbstractFunction1<LogicalPlan, BoxedUnit> {
    @Override
    public BoxedUnit apply(LogicalPlan plan) {
      plan.foreachWithSubqueries(
          node -> {
            checkNode(node);
            return BoxedUnit.UNIT;
          });
      return BoxedUnit.UNIT;
    }

    private static void checkNode(LogicalPlan node) {
      if (node instanceof RepartitionOperation repartition) {
        partitions(repartition.numPartitions());
      } else if (node instanceof RebalancePartitions rebalance) {
        partitions(rebalance.optNumPartitions());
      } else if (node instanceof Range range) {
        partitions(range.numSlices());
      } else if (node instanceof DataSourceV2Relation relation) {
        check(relation.options());
      }
    }

    private static void partitions(Option<Object> number) {
      if (number.isDefined()) {
        partitions((Integer) number.get());
      }
    }

    private static void partitions(int number) {
      if (number > PARTITIONS) {
        throw new BadValue("A number of partitions", Integer.toString(number), "a whole number from 1 to " + PARTITIONS);
      }
    }
  }
}
