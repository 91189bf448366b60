package sqe.spark.local;

import org.apache.spark.sql.catalyst.expressions.Ceil;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Floor;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Round;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;

/**
 * Writes round, floor and ceil.
 *
 * <p>Spark rounds the shortest decimal text of a double, and not the double itself; both engines write the same digits for one.
 */
final class Rounding {
  /** With so many digits behind the rounded ones, a decimal holds all digits of a double that is near to a half of the last one. */
  private static final int DIGITS = 18;
  private static final int MOST_PLACES = 10;

  /** Digits before the point of the doubles that may have others behind it. Those from 2^53 on are whole. */
  private static final int WHOLE_DIGITS = 15;
  private static final String WHOLE = "CAST('9007199254740992' AS DOUBLE)";
  private static final String LONGS = "CAST('9.2e18' AS DOUBLE)";

  private Rounding() {}

  static String round(Round round, Expressions expressions) {
    if (!(round.scale() instanceof Literal literal) || !(literal.value() instanceof Integer places) || places < 0) {
      throw new NotRendered("round to other places");
    }
    Expression child = round.child();
    DataType type = child.dataType();
    String value = expressions.render(child);
    if (Types.isIntegral(type)) {
      return value;
    }
    if (type instanceof DecimalType of && round.dataType() instanceof DecimalType made) {
      return decimal(value, of, made, expressions);
    }
    if (type instanceof DoubleType && places <= MOST_PLACES) {
      return nearest(value, places, expressions);
    }
    throw new NotRendered("round of type " + type.typeName());
  }

  /** A decimal with fewer digits after the point, or as many, rounded half up. */
  static String decimal(String value, DecimalType of, DecimalType made, Expressions expressions) {
    if (made.precision() - made.scale() < of.precision() - of.scale() + (made.scale() < of.scale() ? 1 : 0)) {
      expressions.canFail();
    }
    return "CAST(" + value + " AS " + Types.name(made) + ")";
  }

  private static String nearest(String value, int places, Expressions expressions) {
    expressions.canFail();
    String digits = "CAST(CAST(" + value + " AS VARCHAR) AS DECIMAL(38," + (places + DIGITS) + "))";
    String rounded = "CAST(CAST(CAST(" + digits + " AS DECIMAL(38," + places + ")) AS VARCHAR) AS DOUBLE)";
    int before = Math.min(WHOLE_DIGITS, Decimals.MOST_DIGITS - DIGITS - places);
    return "CASE WHEN isnan(" + value + ") OR abs(" + value + ") >= " + WHOLE + " THEN " + value
        + " WHEN abs(" + value + ") >= CAST('1e" + before + "' AS DOUBLE) THEN error('many digits') ELSE " + rounded + " END";
  }

  static String floor(Floor floor, Expressions expressions) {
    return whole("floor", floor.child(), floor.dataType(), expressions);
  }

  static String ceil(Ceil ceil, Expressions expressions) {
    return whole("ceil", ceil.child(), ceil.dataType(), expressions);
  }

  private static String whole(String name, Expression child, DataType made, Expressions expressions) {
    String value = expressions.render(child);
    if (Types.isIntegral(child.dataType()) && made.equals(child.dataType())) {
      return value;
    }
    if (child.dataType() instanceof DecimalType && made instanceof DecimalType) {
      expressions.canFail();
      return "CAST(" + name + "(" + value + ") AS " + Types.name(made) + ")";
    }
    if (child.dataType() instanceof DoubleType) {
      expressions.canFail(); // Spark takes the nearest BIGINT, and 0 for NaN
      return "CASE WHEN abs(" + value + ") >= " + LONGS + " THEN error('out of range') ELSE CAST("
          + name + "(" + value + ") AS BIGINT) END";
    }
    throw new NotRendered(name + " of type " + child.dataType().typeName());
  }
}
