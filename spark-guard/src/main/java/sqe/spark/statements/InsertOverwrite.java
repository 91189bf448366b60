package sqe.spark.statements;

import java.util.Set;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OverwriteByExpression;
import org.apache.spark.sql.catalyst.plans.logical.OverwritePartitionsDynamic;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import sqe.spark.Plans;

/**
 * Lets an INSERT OVERWRITE without values of partitions replace the partitions that its rows are in, and all rows of a table
 * without partitions.
 *
 * <p>Spark replaces the whole table unless its setting says otherwise. With that setting Iceberg replaces nothing where there are
 * no rows, also in a table without partitions. The setting still counts for tables with partitions, where somebody has made it.
 */
public final class InsertOverwrite {
  private static final String MODE = "spark.sql.sources.partitionOverwriteMode";
  private static final String OPTION = "overwrite-mode"; // of Iceberg's writes

  /** On a statement that names no values of partitions; Spark copies it to what it makes of the statement. */
  private static final TreeNodeTag<Boolean> WHOLE = new TreeNodeTag<>("sqe.overwrite");

  private InsertOverwrite() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectHintResolutionRule(session -> new Marked());
    extensions.injectPostHocResolutionRule(session -> new Replaced((SparkSession) session));
  }

  /** Marks the statements while they can be told from other ways to replace rows. */
  private static final class Marked extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      plan.foreach(
          node -> {
            if (node instanceof InsertIntoStatement insert && insert.overwrite() && !hasValues(insert)) {
              insert.setTagValue(WHOLE, true);
            }
            return BoxedUnit.UNIT;
          });
      return plan;
    }

    private static boolean hasValues(InsertIntoStatement insert) {
      return CollectionConverters.asJava(insert.partitionSpec()).values().stream().anyMatch(Option::isDefined);
    }
  }

  private static final class Replaced extends Rule<LogicalPlan> {
    private final SparkSession session;

    private Replaced(SparkSession session) {
      this.session = session;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      return AnalysisHelper.allowInvokingTransformsInAnalyzer(
          () ->
              plan.transformDown(
                  Plans.when(node -> node.getTagValue(WHOLE).isDefined() && replaced(node) != node, node -> replaced(node))));
    }

    private LogicalPlan replaced(LogicalPlan node) {
      if (node instanceof OverwritePartitionsDynamic dynamic && isPartitioned(dynamic.table()) == Answer.NO) {
        return new OverwriteByExpression(
            dynamic.table(),
            Literal.TrueLiteral(),
            dynamic.query(),
            dynamic.writeOptions(),
            dynamic.isByName(),
            Option.empty(),
            Option.empty());
      }
      if (node instanceof OverwriteByExpression all
          && Literal.TrueLiteral().equals(all.deleteExpr())
          && !CollectionConverters.asJava(all.writeOptions()).containsKey(OPTION)
          && !session.sessionState().conf().contains(MODE)
          && isPartitioned(all.table()) == Answer.YES) {
        checkFiles(((SparkTable) ((DataSourceV2Relation) all.table()).table()));
        return new OverwritePartitionsDynamic(
            all.table(), all.query(), all.writeOptions(), all.isByName(), Option.empty());
      }
      return node;
    }

    private enum Answer {
      YES,
      NO,
      UNKNOWN
    }

    private static Answer isPartitioned(Object target) {
      if (target instanceof DataSourceV2Relation relation && relation.table() instanceof SparkTable table) {
        return table.table().spec().isPartitioned() ? Answer.YES : Answer.NO;
      }
      return Answer.UNKNOWN;
    }

    /** Iceberg replaces files of the present partitioning only: rows in older files would stay beside the new ones. */
    private static void checkFiles(SparkTable stored) {
      Table table = stored.table();
      Snapshot snapshot = SnapshotUtil.latestSnapshot(table, stored.branch());
      if (snapshot == null || Set.of(table.spec().specId()).containsAll(table.specs().keySet())) {
        return;
      }
      for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
        if (manifest.partitionSpecId() != table.spec().specId()
            && (manifest.hasAddedFiles() || manifest.hasExistingFiles())) {
          throw new NotSupported(
              "INSERT OVERWRITE is not supported for a table with files of an earlier partitioning: their rows would stay."
                  + " Rewrite them with rewrite_data_files, name the partition with PARTITION (column = value), or SET "
                  + MODE
                  + ".");
        }
      }
    }
  }
}
