package sqe.spark.local;

import org.apache.spark.sql.types.DecimalType;

/**
 * Decimal arithmetic that is exact, or fails.
 *
 * <p>A rendered expression of a decimal type has the scale that Spark gives it; its precision in DuckDB may be another one, because
 * only the scale changes a value. DuckDB checks what does not fit. Its division is one of doubles, so that this one is made of
 * integers of 128 bits.
 */
final class Decimals {
  static final int MOST_DIGITS = 38;

  private Decimals() {}

  static String sum(String operator, String left, String right, DecimalType of, DecimalType and, DecimalType made) {
    if (made.scale() != Math.max(of.scale(), and.scale())) {
      throw new NotRendered("decimal arithmetic that loses digits");
    }
    return "(" + left + " " + operator + " " + right + ")";
  }

  static String product(String left, String right, DecimalType of, DecimalType and, DecimalType made) {
    int scale = of.scale() + and.scale();
    if (scale > MOST_DIGITS) {
      throw new NotRendered("decimal arithmetic that loses digits");
    }
    String product = "(" + left + " * " + right + ")";
    return made.scale() == scale ? product : "CAST(" + product + " AS " + Types.name(made) + ")";
  }

  static String quotient(String left, String right, DecimalType of, DecimalType and, DecimalType made) {
    int shift = made.scale() - of.scale() + and.scale();
    return divided(unscaled(left, of.scale()), unscaled(right, and.scale()), shift, made);
  }

  /** The average of a sum of a scale. */
  static String average(String sum, int scale, String count, DecimalType made) {
    return divided(unscaled(sum, scale), "CAST(" + count + " AS HUGEINT)", made.scale() - scale, made);
  }

  /** The quotient of two integers times a power of ten, rounded half up, as a decimal. */
  private static String divided(String left, String right, int shift, DecimalType made) {
    if (shift < 0 || shift > MOST_DIGITS - 1 || made.scale() > MOST_DIGITS - 1) {
      throw new NotRendered("decimal division of these types");
    }
    String shifted = shift == 0 ? left : "(" + left + " * " + power(shift) + ")";
    String units = "CAST(sqe_div_half_up(" + shifted + ", " + right + ") AS DECIMAL(38,0))";
    String scaled =
        made.scale() == 0
            ? units
            : "(" + units + " * CAST('0." + "0".repeat(made.scale() - 1) + "1' AS DECIMAL(" + made.scale() + "," + made.scale() + ")))";
    return "CAST(" + scaled + " AS " + Types.name(made) + ")";
  }

  /** The integer that a decimal is, times a power of ten. */
  static String unscaled(String value, int scale) {
    String wide = "CAST(" + value + " AS DECIMAL(38," + scale + "))";
    return scale == 0
        ? "CAST(" + wide + " AS HUGEINT)"
        : "CAST((" + wide + " * CAST('1" + "0".repeat(scale) + "' AS DECIMAL(" + (scale + 1) + ",0))) AS HUGEINT)";
  }

  private static String power(int exponent) {
    return "CAST('1" + "0".repeat(exponent) + "' AS HUGEINT)";
  }
}
