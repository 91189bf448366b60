package sqe.spark.writes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.spark.SparkV2Filters;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsDeleteV2;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/** A table whose files are deleted by a condition, and which is left as it is if there are none. */
final class CheckedDelete implements SupportsDeleteV2 {
  private final SupportsDeleteV2 table;
  private final SparkSession session;

  CheckedDelete(SupportsDeleteV2 table, SparkSession session) {
    this.table = table;
    this.session = session;
  }

  @Override
  public void deleteWhere(Predicate[] predicates) {
    if (table instanceof SparkTable stored && isEmpty(stored, predicates)) {
      ChangedRows.none();
    } else {
      table.deleteWhere(predicates);
    }
  }

  private boolean isEmpty(SparkTable stored, Predicate[] predicates) {
    Expression condition = SparkV2Filters.convert(predicates);
    boolean staged =
        PropertyUtil.propertyAsBoolean(
            stored.table().properties(), TableProperties.WRITE_AUDIT_PUBLISH_ENABLED, false);
    if (condition == null || staged) { // what is written then may go to a branch that the table does not name
      return false;
    }
    TableScan scan =
        stored
            .table()
            .newScan()
            .caseSensitive(session.sessionState().conf().caseSensitiveAnalysis())
            .filter(condition)
            .ignoreResiduals();
    if (stored.branch() != null) {
      scan = scan.useRef(stored.branch());
    }
    try (CloseableIterable<FileScanTask> files = scan.planFiles()) {
      return !files.iterator().hasNext();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public boolean canDeleteWhere(Predicate[] predicates) {
    return table.canDeleteWhere(predicates);
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public Column[] columns() {
    return table.columns();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return table.capabilities();
  }
}
