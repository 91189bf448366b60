package sqe.spark.trino;

import java.util.Map;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Assignment;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeIntoTable;
import org.apache.spark.sql.catalyst.plans.logical.UpdateTable;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import sqe.spark.Plans;

/**
 * Assigns the fields of rows in UPDATE and MERGE by their position, as Trino does; Spark does so by their names.
 *
 * <p>The translation marks the values ({@code trino_assigned(value)}). The rule gives the fields of a value the names of those of its
 * column. Spark converts the types afterwards, as it does for an INSERT.
 */
public final class Assignments extends Rule<LogicalPlan> {
  private Assignments() {}

  static void register(Map<String, Builder> functions) {
    functions.put("assigned", arguments -> new Assigned(Typed.plain(arguments.get(0))));
  }

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectResolutionRule(session -> new Assignments());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!plan.containsPattern(TreePattern.COMMAND())) {
      return plan;
    }
    return plan.resolveOperatorsUp(
        Plans.when(
            node -> node instanceof UpdateTable || node instanceof MergeIntoTable,
            node -> (LogicalPlan) node.transformExpressionsUp(Plans.when(Assignments::isReady, Assignments::placed))));
  }

  private static boolean isReady(Expression expression) {
    return expression instanceof Assignment assignment
        && assignment.key().resolved()
        && assignment.value() instanceof Assigned assigned
        && assigned.value.resolved();
  }

  private static Expression placed(Expression expression) {
    Assignment assignment = (Assignment) expression;
    Expression value = ((Assigned) assignment.value()).value;
    DataType column = assignment.key().dataType();
    if (Wide.isIn(value.dataType()) && TrinoTypes.isNested(column)) {
      throw mismatch(column, value);
    }
    DataType named = named(value.dataType(), column);
    if (named == null) {
      throw mismatch(column, value);
    }
    boolean same = named.equals(value.dataType());
    return new Assignment(assignment.key(), same ? value : Expressions.cast(value, named));
  }

  private static TrinoFailure mismatch(DataType column, Expression value) {
    return TrinoFailure.types(
        "UPDATE table column types don't match SET expressions: Table: ["
            + TrinoTypes.text(column) + "], Expressions: [" + TrinoTypes.text(value) + "].");
  }

  /** The type of a value with the names of the column's fields; null where the numbers of fields differ. */
  static DataType named(DataType value, DataType column) {
    if (value instanceof StructType row && column instanceof StructType wanted) {
      StructField[] fields = row.fields();
      StructField[] names = wanted.fields();
      if (fields.length != names.length) {
        return null;
      }
      StructField[] made = new StructField[fields.length];
      for (int i = 0; i < fields.length; i++) {
        DataType type = named(fields[i].dataType(), names[i].dataType());
        if (type == null) {
          return null;
        }
        made[i] = new StructField(names[i].name(), type, fields[i].nullable(), fields[i].metadata());
      }
      return new StructType(made);
    }
    if (value instanceof ArrayType array && column instanceof ArrayType wanted) {
      DataType type = named(array.elementType(), wanted.elementType());
      return type == null ? null : new ArrayType(type, array.containsNull());
    }
    if (value instanceof MapType map && column instanceof MapType wanted) {
      DataType key = named(map.keyType(), wanted.keyType());
      DataType item = named(map.valueType(), wanted.valueType());
      return key == null || item == null ? null : new MapType(key, item, map.valueContainsNull());
    }
    return value;
  }
}
