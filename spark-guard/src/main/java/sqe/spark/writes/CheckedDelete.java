package sqe.spark.writes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
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
  /** Of the delete that runs in this thread: rows in its files, and those of them that are there. */
  private static final ThreadLocal<Rows> EXPECTED = new ThreadLocal<>();

  private record Rows(long stored, long present) {}

  private final SupportsDeleteV2 table;
  private final SparkSession session;

  CheckedDelete(SupportsDeleteV2 table, SparkSession session) {
    this.table = table;
    this.session = session;
  }

  /** How many rows a commit that removes {@code stored} rows with their files has deleted. */
  static OptionalLong expected(long stored) {
    Rows rows = EXPECTED.get();
    return rows != null && rows.stored() == stored ? OptionalLong.of(rows.present()) : OptionalLong.empty();
  }

  @Override
  public void deleteWhere(Predicate[] predicates) {
    TableScan scan = table instanceof SparkTable stored ? scan(stored, predicates) : null;
    if (scan != null && isEmpty(scan)) {
      ChangedRows.none();
      return;
    }
    EXPECTED.set(scan == null ? null : rows(scan));
    try {
      table.deleteWhere(predicates);
    } finally {
      EXPECTED.remove();
    }
  }

  /** Null where it is not known what the delete sees. */
  private TableScan scan(SparkTable stored, Predicate[] predicates) {
    Expression condition = SparkV2Filters.convert(predicates);
    boolean staged =
        PropertyUtil.propertyAsBoolean(
            stored.table().properties(), TableProperties.WRITE_AUDIT_PUBLISH_ENABLED, false);
    if (condition == null || staged) { // what is written then may go to a branch that the table does not name
      return null;
    }
    TableScan scan =
        stored
            .table()
            .newScan()
            .caseSensitive(session.sessionState().conf().caseSensitiveAnalysis())
            .filter(condition)
            .ignoreResiduals();
    return stored.branch() == null ? scan : scan.useRef(stored.branch());
  }

  private static boolean isEmpty(TableScan scan) {
    try (CloseableIterable<FileScanTask> files = scan.planFiles()) {
      return !files.iterator().hasNext();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Null where a commit tells it as well, and where the rows that are deleted already cannot be told from metadata. */
  private static Rows rows(TableScan scan) {
    Snapshot snapshot = scan.snapshot();
    if (snapshot == null || snapshot.deleteManifests(scan.table().io()).isEmpty()) {
      return null;
    }
    long stored = 0;
    long present = 0;
    try (CloseableIterable<FileScanTask> files = scan.planFiles()) {
      for (FileScanTask file : files) {
        stored += file.file().recordCount();
        present += file.file().recordCount();
        for (DeleteFile deletes : file.deletes()) {
          // A deletion vector is the only one of its file, and has each row once.
          if (deletes.format() != FileFormat.PUFFIN || file.deletes().size() > 1) {
            return null;
          }
          present -= deletes.recordCount();
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return new Rows(stored, present);
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
