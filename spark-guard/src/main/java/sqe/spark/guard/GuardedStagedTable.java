package sqe.spark.guard;

import java.util.Map;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.connector.catalog.StagedTable;

/** A table that is being made or replaced. */
final class GuardedStagedTable extends GuardedTable implements StagedTable {
  private final StagedTable staged;

  GuardedStagedTable(
      CatalogGuard guard, StagedTable staged, Question.Resource resource, Map<String, Decision> decisions) {
    super(guard, (SparkTable) staged, resource, decisions);
    this.staged = staged;
  }

  @Override
  public void commitStagedChanges() {
    staged.commitStagedChanges();
  }

  @Override
  public void abortStagedChanges() {
    staged.abortStagedChanges();
  }
}
