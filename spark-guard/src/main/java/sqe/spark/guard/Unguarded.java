package sqe.spark.guard;

import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Option;

/**
 * A relation with one row, without the guard's mark. The gateway reads it when an engine starts, and uses the engine only if that is
 * refused.
 */
public final class Unguarded {
  private static final String NAME = "a relation without the guard's mark";

  private Unguarded() {}

  public static LogicalPlan relation() {
    return DataSourceV2Relation.create(new OneRow(), Option.empty(), Option.empty());
  }

  private static final class OneRow implements SupportsRead {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Column[] columns() {
      return new Column[] {Column.create("unguarded", DataTypes.BooleanType)};
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return OneScan::new;
    }
  }

  private static final class OneScan implements LocalScan {
    @Override
    public StructType readSchema() {
      return new StructType().add("unguarded", DataTypes.BooleanType);
    }

    @Override
    public InternalRow[] rows() {
      return new InternalRow[] {new GenericInternalRow(new Object[] {true})};
    }
  }
}
