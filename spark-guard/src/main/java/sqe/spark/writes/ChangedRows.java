package sqe.spark.writes;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.metrics.CommitMetricsResult;
import org.apache.iceberg.metrics.CommitReport;
import org.apache.iceberg.metrics.CounterResult;
import org.apache.iceberg.metrics.MetricsReport;
import org.apache.iceberg.metrics.MetricsReporter;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RowLevelWrite;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.plans.logical.WriteDelta;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.MergeRowsExec;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;
import sqe.spark.statements.StatementTags;

/**
 * Hears of each commit how many rows it has changed, and keeps the number under the statement's tag until the gateway asks
 * for it.
 *
 * <p>Iceberg reports in the thread that commits, before the statement ends, so that the number is there when it has ended.
 * A commit tells of files and records; only where the number of rows follows exactly is there one.
 */
public final class ChangedRows implements MetricsReporter {
  private static final int REMEMBERED = 1_000;
  private static final String EXECUTION = "spark.sql.execution.id";

  /** By session and tag. Empty: a commit whose number of rows is not known. */
  private static final Map<String, OptionalLong> KNOWN =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, OptionalLong> eldest) {
              return size() > REMEMBERED;
            }
          });

  @Override
  public void report(MetricsReport report) {
    if (report instanceof CommitReport commit && SparkSession.getActiveSession().isDefined()) {
      SparkSession session = SparkSession.active();
      for (String tag : StatementTags.of(session)) {
        KNOWN.merge(key(session, tag), changed(session, commit.commitMetrics()), ChangedRows::sum);
      }
    }
  }

  /** Notes that the statement that runs in this thread has changed nothing, and so commits nothing. */
  static void none() {
    if (SparkSession.getActiveSession().isDefined()) {
      SparkSession session = SparkSession.active();
      for (String tag : StatementTags.of(session)) {
        KNOWN.merge(key(session, tag), OptionalLong.of(0), ChangedRows::sum);
      }
    }
  }

  private static String key(SparkSession session, String tag) {
    return session.sessionUUID() + ' ' + tag;
  }

  private static OptionalLong sum(OptionalLong one, OptionalLong other) {
    return one.isPresent() && other.isPresent()
        ? OptionalLong.of(one.getAsLong() + other.getAsLong())
        : OptionalLong.empty();
  }

  private static OptionalLong changed(SparkSession session, CommitMetricsResult metrics) {
    String execution = session.sparkContext().getLocalProperty(EXECUTION);
    QueryExecution query = execution == null ? null : SQLExecution.getQueryExecution(Long.parseLong(execution));
    if (query == null) {
      return OptionalLong.empty();
    }
    LogicalPlan plan = query.analyzed();
    if (unchanged(metrics) && plan instanceof Command) {
      return OptionalLong.of(0);
    }
    if (plan instanceof RowLevelWrite write) {
      return switch (write.operation().command()) {
        case DELETE -> deleted(session, plan, metrics);
        case UPDATE -> updated(plan, metrics);
        case MERGE -> merged(query.executedPlan(), metrics);
      };
    }
    if (plan instanceof DeleteFromTable) {
      OptionalLong counted = deleted(metrics);
      return counted.isPresent() ? counted : CheckedDelete.expected(count(metrics.removedRecords()));
    }
    return plan instanceof V2WriteCommand ? OptionalLong.of(count(metrics.addedRecords())) : OptionalLong.empty();
  }

  private static boolean unchanged(CommitMetricsResult metrics) {
    return count(metrics.addedDataFiles())
            + count(metrics.removedDataFiles())
            + count(metrics.addedDeleteFiles())
            + count(metrics.removedDeleteFiles())
        == 0;
  }

  private static OptionalLong deleted(SparkSession session, LogicalPlan plan, CommitMetricsResult metrics) {
    OptionalLong told = deleted(metrics);
    RowCounts.Counted counted = told.isPresent() ? null : RowCounts.in(plan);
    if (counted == null) {
      return told;
    }
    if (plan instanceof WriteDelta) {
      return counted.changed() == marks(metrics) ? OptionalLong.of(counted.changed()) : told;
    }
    // Where no row was copied, nothing would tell that a task of a cluster was counted twice.
    return counted.copied() == count(metrics.addedRecords())
            && (counted.copied() > 0 || session.sparkContext().isLocal())
        ? OptionalLong.of(counted.changed())
        : told;
  }

  private static OptionalLong deleted(CommitMetricsResult metrics) {
    if (count(metrics.addedDeleteFiles()) > 0) {
      return count(metrics.addedRecords()) + count(metrics.removedRecords()) == 0
          ? markedAsDeleted(metrics)
          : OptionalLong.empty();
    }
    // A file that goes, or is written again, may have rows in it that were deleted before.
    long deletesBefore = count(metrics.totalDeleteFiles()) + count(metrics.removedDeleteFiles());
    return deletesBefore == 0
        ? OptionalLong.of(count(metrics.removedRecords()) - count(metrics.addedRecords()))
        : OptionalLong.empty();
  }

  private static OptionalLong updated(LogicalPlan plan, CommitMetricsResult metrics) {
    if (count(metrics.addedDeleteFiles()) > 0) {
      long old = marks(metrics);
      return old == count(metrics.addedRecords()) ? OptionalLong.of(old) : OptionalLong.empty();
    }
    RowCounts.Counted counted = RowCounts.in(plan);
    return counted != null && counted.changed() + counted.copied() == count(metrics.addedRecords())
        ? OptionalLong.of(counted.changed())
        : OptionalLong.empty();
  }

  /** Rows that delete files take away. A deletion vector replaces the one before and has its rows too. */
  private static OptionalLong markedAsDeleted(CommitMetricsResult metrics) {
    if (count(metrics.addedEqualityDeletes()) + count(metrics.removedDeleteFiles()) == 0) {
      return OptionalLong.of(marks(metrics));
    }
    boolean vectors =
        count(metrics.addedDVs()) == count(metrics.addedDeleteFiles())
            && count(metrics.removedDVs()) == count(metrics.removedDeleteFiles());
    return vectors ? OptionalLong.of(marks(metrics)) : OptionalLong.empty();
  }

  /** The marks of rows that are new. A delete file that replaces others has their marks too; a mark may be in several. */
  private static long marks(CommitMetricsResult metrics) {
    return count(metrics.addedPositionalDeletes()) - count(metrics.removedPositionalDeletes());
  }

  /** What Spark has counted itself, if it agrees with the records that were written. */
  private static OptionalLong merged(SparkPlan plan, CommitMetricsResult metrics) {
    MergeRowsExec merge = find(plan);
    if (merge == null) {
      return OptionalLong.empty();
    }
    long updated = counted(merge, "numTargetRowsUpdated");
    long written = updated + counted(merge, "numTargetRowsInserted");
    long copied = count(metrics.addedRecords()) - written;
    if (copied != 0 && copied != counted(merge, "numTargetRowsCopied")) {
      return OptionalLong.empty(); // a task was counted twice
    }
    long deleted = counted(merge, "numTargetRowsDeleted");
    if (deleted == 0) {
      return OptionalLong.of(written);
    }
    OptionalLong gone = gone(metrics, copied);
    if (gone.isPresent()) {
      return OptionalLong.of(written + gone.getAsLong() - updated);
    }
    // Spark counts a row as often as it has matched, unless it checks that it does so once.
    return merge.checkCardinality() ? OptionalLong.of(written + deleted) : OptionalLong.empty();
  }

  /** Rows of the table before that are no longer there as they were, where {@code copied} were written again unchanged. */
  private static OptionalLong gone(CommitMetricsResult metrics, long copied) {
    if (count(metrics.addedDeleteFiles()) > 0) {
      return count(metrics.removedRecords()) == 0 ? markedAsDeleted(metrics) : OptionalLong.empty();
    }
    long deletesBefore = count(metrics.totalDeleteFiles()) + count(metrics.removedDeleteFiles());
    return deletesBefore == 0 ? OptionalLong.of(count(metrics.removedRecords()) - copied) : OptionalLong.empty();
  }

  private static MergeRowsExec find(SparkPlan plan) {
    if (plan instanceof MergeRowsExec merge) {
      return merge;
    }
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return find(adaptive.executedPlan());
    }
    if (plan instanceof QueryStageExec stage) {
      return find(stage.plan());
    }
    for (SparkPlan child : CollectionConverters.asJava(plan.children())) {
      MergeRowsExec merge = find(child);
      if (merge != null) {
        return merge;
      }
    }
    return null;
  }

  private static long counted(MergeRowsExec merge, String metric) {
    return CollectionConverters.asJava(merge.metrics()).get(metric).value();
  }

  private static long count(CounterResult counter) {
    return counter == null ? 0 : counter.value();
  }

  /** One row with the number of rows that the statement under a tag changed, or with null if it is not known. */
  public static LogicalPlan asked(SparkSession session, String tag) {
    OptionalLong known = KNOWN.getOrDefault(key(session, tag), OptionalLong.empty());
    InternalRow row = new GenericInternalRow(new Object[] {known.isPresent() ? known.getAsLong() : null});
    return Plans.rows(new StructType().add("changed_rows", DataTypes.LongType), row);
  }
}
