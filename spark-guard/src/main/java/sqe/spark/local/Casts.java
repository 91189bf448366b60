package sqe.spark.local;

import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StringType$;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** Casts with the same values in DuckDB, or with a form there that has them. */
final class Casts {
  /** Every integer of so many digits is a double. */
  static final int EXACT_DIGITS = 15;

  private Casts() {}

  static String render(Cast cast, Expressions expressions) {
    String value = expressions.render(cast.child());
    DataType from = cast.child().dataType();
    DataType to = cast.dataType();
    if (from.equals(to)) {
      return value;
    }
    if (isWholeProduct(cast.child(), to)) {
      return value;
    }
    if (!isSafe(from, to)) {
      if (!cast.evalMode().equals(EvalMode.ANSI())) {
        throw new NotRendered("cast that gives NULL instead of an error");
      }
      expressions.canFail();
    }
    if (from instanceof TimestampNTZType && to instanceof TimestampType && expressions.isUtc()) {
      return "CAST(" + value + " AS TIMESTAMPTZ)";
    }
    if (from instanceof TimestampType && to instanceof TimestampNTZType && expressions.isUtc()) {
      return "CAST(" + value + " AS TIMESTAMP)";
    }
    return converted(value, from, to);
  }

  /** Whether an expression is a product of decimals and a type has room for every one of them: without a cast DuckDB is quicker. */
  private static boolean isWholeProduct(Expression expression, DataType to) {
    return expression instanceof Multiply product
        && product.left().dataType() instanceof DecimalType left
        && product.right().dataType() instanceof DecimalType right
        && product.dataType() instanceof DecimalType made
        && to instanceof DecimalType decimal
        && made.scale() == left.scale() + right.scale()
        && decimal.scale() == made.scale()
        && decimal.precision() >= left.precision() + right.precision();
  }

  /** Whether no value of a type fails to become one of another. */
  private static boolean isSafe(DataType from, DataType to) {
    if (Types.isIntegral(from)) {
      return Types.isFloating(to)
          || to == StringType$.MODULE$
          || Types.isIntegral(to) && Types.digits(to) >= Types.digits(from)
          || to instanceof DecimalType decimal && decimal.precision() - decimal.scale() >= Types.digits(from);
    }
    if (from instanceof DecimalType wide && to instanceof DecimalType decimal) {
      return decimal.scale() >= wide.scale()
          && decimal.precision() - decimal.scale() >= wide.precision() - wide.scale();
    }
    return from instanceof BooleanType
        || from instanceof TimestampNTZType && to instanceof TimestampType
        || from instanceof TimestampType && to instanceof TimestampNTZType
        || from instanceof FloatType && to instanceof DoubleType
        || from instanceof DecimalType && (to instanceof DoubleType || to == StringType$.MODULE$);
  }

  /** The double that is nearest. */
  static String toDouble(String value, DecimalType of) {
    // DuckDB divides by a power of ten, which rounds twice when there are more digits.
    return of.precision() <= EXACT_DIGITS
        ? "CAST(" + value + " AS DOUBLE)"
        : "CAST(CAST(" + value + " AS VARCHAR) AS DOUBLE)";
  }

  private static String converted(String value, DataType from, DataType to) {
    String cast = "CAST(" + value + " AS " + Types.name(to) + ")";
    if (Types.isIntegral(from) && (Types.isIntegral(to) || Types.isFloating(to) || to instanceof DecimalType)) {
      return cast;
    }
    if (from instanceof BooleanType && (Types.isIntegral(to) || to == StringType$.MODULE$)) {
      return cast;
    }
    if (to == StringType$.MODULE$ && Types.isIntegral(from)) {
      return cast;
    }
    if (to == StringType$.MODULE$ && from instanceof DateType) { // other years have other texts
      return "CASE WHEN " + value + " NOT BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN error('year') ELSE " + cast + " END";
    }
    if (from instanceof FloatType && to instanceof DoubleType) {
      return cast;
    }
    if (Types.isFloating(from) && Types.isIntegral(to)) {
      return "CAST(trunc(" + value + ") AS " + Types.name(to) + ")"; // a cast would round
    }
    if (from instanceof DecimalType decimal) {
      if (to instanceof DecimalType) {
        return cast;
      }
      if (Types.isIntegral(to)) {
        return "CAST(trunc(" + value + ") AS " + Types.name(to) + ")";
      }
      if (to instanceof DoubleType) {
        return toDouble(value, decimal);
      }
      if (to == StringType$.MODULE$ && decimal.scale() <= 6) { // with more, Spark may write an exponent
        // With a digit before the point, which Spark always writes.
        int digits = Math.max(decimal.precision(), decimal.scale() + 1);
        return "CAST(CAST(" + value + " AS DECIMAL(" + digits + "," + decimal.scale() + ")) AS VARCHAR)";
      }
    }
    throw new NotRendered("cast of " + from.typeName() + " to " + to.typeName());
  }
}
