package sqe.spark.catalog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.catalyst.expressions.BinaryArithmetic;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnaryPositive;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.util.ResolveDefaultColumns;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.DefaultValue;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableChange.AddColumn;
import org.apache.spark.sql.connector.catalog.TableChange.UpdateColumnDefaultValue;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.statements.NotSupported;

/**
 * The defaults of columns. Iceberg's connector reads and writes them, but refuses the statements that set them; they are set here
 * in the same commit as the rest of the statement.
 *
 * <p>A default of Iceberg's is a value, not an expression: {@code current_timestamp} would become the time of the statement that
 * made the table, so that only constants are accepted.
 */
final class ColumnDefaults {
  private static final int FORMAT_VERSION = 3;

  private ColumnDefaults() {}

  static boolean isGiven(TableInfo info) {
    return Arrays.stream(info.columns()).anyMatch(column -> column.defaultValue() != null);
  }

  static boolean isGiven(TableChange... changes) {
    return Arrays.stream(changes).anyMatch(ColumnDefaults::isDefault);
  }

  private static boolean isDefault(TableChange change) {
    return change instanceof UpdateColumnDefaultValue || change instanceof AddColumn add && add.defaultValue() != null;
  }

  /** Sets the defaults as a part of what is staged. */
  static StagedTable apply(TableInfo info, StagedTable staged) {
    if (isGiven(info)) {
      Table table = ((SparkTable) staged).table();
      check(table);
      UpdateSchema update = table.updateSchema();
      for (Column column : info.columns()) {
        if (column.defaultValue() != null) {
          String name = column.name();
          Type type = table.schema().asStruct().field(name).type();
          update.updateColumnDefault(name, value(name, column.dataType(), type, column.defaultValue(), "CREATE TABLE"));
        }
      }
      update.commit();
    }
    return staged;
  }

  /** Commits changes of columns, some of them of defaults. */
  static void commit(Table table, TableChange... changes) {
    check(table);
    UpdateSchema update = table.updateSchema();
    List<TableChange> others = new ArrayList<>();
    for (TableChange change : changes) {
      if (!isDefault(change)) {
        others.add(change);
        continue;
      }
      // In their order: a position may name a column that the change before adds.
      Spark3Util.applySchemaChanges(update, others);
      others.clear();
      if (change instanceof AddColumn add) {
        add(update, add);
      } else {
        set(table, update, (UpdateColumnDefaultValue) change);
      }
    }
    Spark3Util.applySchemaChanges(update, others);
    update.commit();
  }

  private static void add(UpdateSchema update, AddColumn add) {
    String[] path = add.fieldNames();
    String name = path[path.length - 1];
    Type type = SparkSchemaUtil.convert(add.dataType());
    Literal<?> value = value(name, add.dataType(), type, add.defaultValue(), "ALTER TABLE ADD COLUMNS");
    if (value == null && !add.isNullable()) {
      throw new NotSupported("A column that is NOT NULL cannot be added without a default for the rows that there are.");
    }
    String parent = path.length == 1 ? null : String.join(".", Arrays.copyOf(path, path.length - 1));
    if (add.isNullable()) {
      update.addColumn(parent, name, type, add.comment(), value);
    } else {
      update.addRequiredColumn(parent, name, type, add.comment(), value);
    }
    String whole = String.join(".", path);
    if (add.position() instanceof TableChange.After after) {
      update.moveAfter(whole, parent == null ? after.column() : parent + "." + after.column());
    } else if (add.position() instanceof TableChange.First) {
      update.moveFirst(whole);
    }
  }

  private static void set(Table table, UpdateSchema update, UpdateColumnDefaultValue change) {
    String whole = String.join(".", change.fieldNames());
    Types.NestedField field = table.schema().findField(whole);
    if (field == null) {
      throw new IllegalArgumentException("Cannot update missing column: " + whole);
    }
    DefaultValue value = change.newCurrentDefault();
    boolean dropped = value == null || value.getSql() != null && value.getSql().isEmpty();
    DataType type = SparkSchemaUtil.convert(field.type());
    update.updateColumnDefault(
        whole, dropped ? null : value(whole, type, field.type(), value, "ALTER TABLE ALTER COLUMN"));
  }

  private static void check(Table table) {
    int version = TableUtil.formatVersion(table);
    if (version < FORMAT_VERSION) {
      throw new NotSupported(
          "Defaults of columns need a table of format version 3; this one has version "
              + version
              + ". Set the table property 'format-version' to '3'.");
    }
  }

  /** The value in Iceberg's form; null for NULL, which is the default of a column without one. */
  static Literal<?> value(String column, DataType type, Type stored, DefaultValue value, String statement) {
    if (value.getSql() == null || !isConstant(CatalystSqlParser$.MODULE$.parseExpression(value.getSql()))) {
      throw new NotSupported("The default of a column must be a constant: that of " + column + " is none.");
    }
    Object found = ResolveDefaultColumns.analyze(column, type, value.getSql(), statement).eval(null);
    if (found == null) {
      return null;
    }
    if (!stored.isPrimitiveType()) {
      throw new NotSupported("A default of the type " + type.sql() + " is not supported, except NULL.");
    }
    Literal<?> literal = literal(found, type).to(stored);
    if (literal == null) {
      throw new NotSupported("A default of the type " + type.sql() + " is not supported, except NULL.");
    }
    return literal;
  }

  /** Whether it is made of literals only. Casts are of literals with a type: {@code DATE '2020-01-01'} is a literal itself. */
  private static boolean isConstant(Expression expression) {
    boolean known =
        expression instanceof org.apache.spark.sql.catalyst.expressions.Literal
            || expression instanceof Cast
            || expression instanceof UnaryMinus
            || expression instanceof UnaryPositive
            || expression instanceof BinaryArithmetic;
    return known && CollectionConverters.asJava(expression.children()).stream().allMatch(ColumnDefaults::isConstant);
  }

  private static Literal<?> literal(Object value, DataType type) {
    if (value instanceof UTF8String text) {
      return Expressions.lit(text.toString());
    }
    if (value instanceof Decimal decimal) {
      return Expressions.lit(decimal.toJavaBigDecimal());
    }
    if (value instanceof byte[] bytes) {
      return Expressions.lit(ByteBuffer.wrap(bytes));
    }
    if (value instanceof Boolean flag) {
      return Expressions.lit(flag);
    }
    if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
      return Expressions.lit(((Number) value).intValue()); // a date too: its day
    }
    if (value instanceof Long number) {
      return Expressions.lit(number); // a timestamp too: its microseconds
    }
    if (value instanceof Float number) {
      return Expressions.lit(number);
    }
    if (value instanceof Double number) {
      return Expressions.lit(number);
    }
    throw new NotSupported("A default of the type " + type.sql() + " is not supported, except NULL.");
  }
}
