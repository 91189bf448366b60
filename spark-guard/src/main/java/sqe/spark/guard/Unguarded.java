package sqe.spark.guard;

import java.util.Set;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
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
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * {@code sqe_unguarded()}: a relation with one row that nobody has guarded. The gateway reads it when an engine starts, and uses the
 * engine only if that is refused.
 */
final class Unguarded extends AbstractFunction1<Seq<Expression>, LogicalPlan> {
  private static final String NAME = "sqe_unguarded";

  void inject(SparkSessionExtensions extensions) {
    extensions.injectTableFunction(
        new Tuple3<>(new FunctionIdentifier(NAME), new ExpressionInfo(getClass().getName(), NAME), this));
  }

  @Override
  public LogicalPlan apply(Seq<Expression> arguments) {
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
