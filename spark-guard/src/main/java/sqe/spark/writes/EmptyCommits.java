package sqe.spark.writes;

import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.plans.logical.AppendData;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTableWithFilters;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OverwriteByExpression;
import org.apache.spark.sql.catalyst.plans.logical.OverwritePartitionsDynamic;
import org.apache.spark.sql.catalyst.plans.logical.ReplaceData;
import org.apache.spark.sql.catalyst.plans.logical.WriteDelta;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Strategy;
import org.apache.spark.sql.execution.datasources.v2.DeleteFromTableExec;
import scala.Option;
import scala.Some;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Keeps an INSERT, DELETE, UPDATE or MERGE that changes no rows from committing a snapshot, as Iceberg would.
 *
 * <p>It plans what Spark plans, with writes that look before they commit. What replaces rows by a condition of its own (INSERT
 * OVERWRITE of a whole table, or of a partition that it names) commits as before.
 */
public final class EmptyCommits extends SparkStrategy {
  private static final String ICEBERG = "org.apache.iceberg.";

  private final SparkSession session;

  private EmptyCommits(SparkSession session) {
    this.session = session;
  }

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectPlannerStrategy(session -> new EmptyCommits((SparkSession) session));
  }

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (plan instanceof DeleteFromTableWithFilters || plan instanceof DeleteFromTable) {
      return Plans.seq(planned(plan).stream().map(this::checked).toList()); // by whole files
    } else if (plan instanceof AppendData append) {
      return Plans.seq(
          planned(
              append.copy(
                  append.table(),
                  append.query(),
                  append.writeOptions(),
                  append.isByName(),
                  checked(append.write()),
                  append.analyzedQuery())));
    } else if (plan instanceof OverwriteByExpression overwrite) {
      return Plans.seq(
          planned(
              overwrite.copy(
                  overwrite.table(),
                  overwrite.deleteExpr(),
                  overwrite.query(),
                  overwrite.writeOptions(),
                  overwrite.isByName(),
                  checked(overwrite.write()),
                  overwrite.analyzedQuery())));
    } else if (plan instanceof OverwritePartitionsDynamic overwrite) {
      return Plans.seq(
          planned(
              overwrite.copy(
                  overwrite.table(),
                  overwrite.query(),
                  overwrite.writeOptions(),
                  overwrite.isByName(),
                  checked(overwrite.write()))));
    } else if (plan instanceof ReplaceData replace) {
      return Plans.seq(
          planned(
              replace.copy(
                  replace.table(),
                  replace.condition(),
                  replace.query(),
                  replace.originalTable(),
                  replace.projections(),
                  replace.groupFilterCondition(),
                  checked(replace.write()))));
    } else if (plan instanceof WriteDelta delta) {
      return Plans.seq(
          planned(
              delta.copy(
                  delta.table(),
                  delta.condition(),
                  delta.query(),
                  delta.originalTable(),
                  delta.projections(),
                  marked(delta.write()))));
    }
    return Plans.seq(List.of());
  }

  private List<SparkPlan> planned(LogicalPlan plan) {
    return CollectionConverters.asJava(new DataSourceV2Strategy(session).apply(plan));
  }

  private static Option<Write> checked(Option<Write> write) {
    return isIceberg(write) ? new Some<>(new CheckedWrite.Batch(write.get())) : write;
  }

  private static Option<DeltaWrite> marked(Option<DeltaWrite> write) {
    return isIceberg(write) ? new Some<>(new CheckedWrite.Delta(write.get())) : write;
  }

  private static boolean isIceberg(Option<? extends Write> write) {
    return write.isDefined() && write.get().getClass().getName().startsWith(ICEBERG);
  }

  private SparkPlan checked(SparkPlan planned) {
    return planned instanceof DeleteFromTableExec delete
        ? delete.copy(new CheckedDelete(delete.table(), session), delete.condition(), delete.refreshCache())
        : planned;
  }
}
