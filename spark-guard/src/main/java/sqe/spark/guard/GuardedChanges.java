package sqe.spark.guard;

import org.apache.iceberg.Table;
import org.apache.iceberg.spark.source.SparkChangelogTable;

/** The changes of a table. Their rows are of all times and both sides of each change, so there are none of a protected table. */
final class GuardedChanges extends SparkChangelogTable implements Guarded {
  private final Loaded loaded;

  GuardedChanges(Table table, Loaded loaded) {
    super(table);
    this.loaded = loaded;
  }

  @Override
  public Loaded loaded() {
    return loaded;
  }
}
