package sqe.spark;

import static java.util.Map.entry;

import java.util.Map;
import org.apache.spark.sql.execution.command.ResetCommand;
import org.apache.spark.sql.execution.command.SetCommand;
import scala.Option;
import scala.Tuple2;

/**
 * The settings that a statement may set, read or put back; all others decide what a statement means, what it can reach or who
 * it acts as, and their values are nobody's business.
 */
final class LockedSettings {
  private static final int SHOWN = 100;
  private static final String WHY =
      "A session may choose its time zone, and how the work of its queries is split and joined.";

  /** Each with its reason. */
  private static final Map<String, String> ALLOWED =
      Map.ofEntries(
          entry("spark.sql.session.timeZone", "how the session reads and shows times"),
          entry("spark.sql.shuffle.partitions", "how finely a query's work is split"),
          entry("spark.sql.adaptive.enabled", "whether a plan changes while it runs"),
          entry("spark.sql.adaptive.coalescePartitions.enabled", "whether small pieces of work are put together"),
          entry("spark.sql.adaptive.advisoryPartitionSizeInBytes", "how large they become"),
          entry("spark.sql.adaptive.skewJoin.enabled", "whether large pieces are split"),
          entry("spark.sql.adaptive.autoBroadcastJoinThreshold", "which side of a join is sent to all"),
          entry("spark.sql.autoBroadcastJoinThreshold", "which side of a join is sent to all"),
          entry("spark.sql.broadcastTimeout", "how long that may take"),
          entry("spark.sql.join.preferSortMergeJoin", "how large joins are done"),
          entry("spark.sql.cbo.enabled", "whether statistics choose the plan"),
          entry("spark.sql.cbo.joinReorder.enabled", "whether they choose the order of joins"),
          entry("spark.sql.files.maxPartitionBytes", "how files are split"),
          entry("spark.sql.files.openCostInBytes", "how small files are put together"),
          entry("spark.sql.sources.v2.bucketing.enabled", "whether joins use how tables are laid out"),
          entry("spark.sql.iceberg.planning.preserve-data-grouping", "whether joins use how tables are laid out"),
          entry("spark.sql.iceberg.vectorization.enabled", "whether columns are read many values at a time"),
          entry("spark.sql.sources.partitionOverwriteMode", "what INSERT OVERWRITE replaces, as in Iceberg's own manual"));

  private LockedSettings() {}

  static void check(SetCommand command) {
    Option<Tuple2<String, Option<String>>> pair = command.kv();
    if (pair.isEmpty()) {
      throw new LockedRefusal("SET without a name", WHY);
    }
    check(pair.get()._2().isDefined() ? "SET of " : "Reading ", pair.get()._1());
  }

  static void check(ResetCommand command) {
    if (command.config().isEmpty()) {
      throw new LockedRefusal("RESET without a name", WHY);
    }
    check("RESET of ", command.config().get());
  }

  private static void check(String what, String key) {
    if (!ALLOWED.containsKey(key)) {
      throw new LockedRefusal(what + (key.length() > SHOWN ? key.substring(0, SHOWN) + "..." : key), WHY);
    }
  }
}
