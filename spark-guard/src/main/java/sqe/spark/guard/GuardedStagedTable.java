package sqe.spark.guard;

import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.connector.catalog.StagedTable;

/** A table that is being made or replaced. */
final class GuardedStagedTable extends GuardedTable implements StagedTable {
  private final StagedTable staged;

  GuardedStagedTable(StagedTable staged, Loaded loaded) {
    super((SparkTable) staged, loaded);
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
