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
  private static final int MOST_TEXT = 1_000; // of operands that are written several times
  private static final int FEW_DIGITS = 6; // before the point, which numbers often have more of
  private static final int BIG_SHIFT = 19; // of a number below 10^18, which twice is a HUGEINT
  private static final int SHORT_SCALE = 8; // twice as many digits are fewer than the next
  private static final int SHORT_DIGITS = 18; // of a decimal that DuckDB holds in a BIGINT

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
    String wide = divided(unscaled(left, of.scale()), unscaled(right, and.scale()), shift, made);
    boolean big = SHORT_DIGITS - made.scale() - and.scale() < FEW_DIGITS;
    int before = SHORT_DIGITS - (big ? of.scale() : Math.max(made.scale() + and.scale(), of.scale()));
    int beforeRight = SHORT_DIGITS - and.scale();
    boolean few = Math.max(of.scale(), and.scale()) <= SHORT_SCALE && left.length() + right.length() <= MOST_TEXT;
    if (!few || before < 1 || big && shift > BIG_SHIFT) {
      return wide;
    }
    String small = below(left, before) + " AND " + below(right, beforeRight) + " AND " + right + " <> 0";
    String divisor = "abs(" + shortUnits(right, and.scale()) + ")";
    String sign = " * CASE WHEN " + right + " < 0 THEN -1 ELSE 1 END";
    return "CASE WHEN " + small + " THEN " + quick(shortUnits(left, of.scale()), divisor, sign, shift, big, made)
        + " ELSE " + wide + " END";
  }

  /** The average of a sum of a scale. */
  static String average(String sum, int scale, String count, DecimalType made) {
    int shift = made.scale() - scale;
    String wide = divided(unscaled(sum, scale), "CAST(" + count + " AS HUGEINT)", shift, made);
    int before = SHORT_DIGITS - made.scale();
    return before < 1 || scale > SHORT_SCALE || sum.length() > MOST_TEXT
        ? wide
        : "CASE WHEN " + below(sum, before) + " THEN " + quick(shortUnits(sum, scale), count, "", shift, false, made)
            + " ELSE " + wide + " END";
  }

  private static String below(String value, int digits) {
    return "abs(" + value + ") < CAST('1" + "0".repeat(digits) + "' AS DECIMAL(" + (digits + 1) + ",0))";
  }

  /** The integer that a decimal of few digits is, times a power of ten. */
  private static String shortUnits(String value, int scale) {
    String narrow = "CAST(" + value + " AS DECIMAL(" + SHORT_DIGITS + "," + scale + "))";
    if (scale == 0) {
      return "CAST(" + narrow + " AS BIGINT)";
    }
    String power = "1" + "0".repeat(scale);
    String whole = "trunc(" + narrow + ")";
    String rest = "CAST((" + narrow + " - " + whole + ") AS DECIMAL(" + scale + "," + scale + "))";
    String last = "CAST((" + rest + " * CAST('" + power + "' AS DECIMAL(" + (scale + 1) + ",0))) AS BIGINT)";
    return "(CAST(" + whole + " AS BIGINT) * CAST('" + power + "' AS BIGINT) + " + last + ")";
  }

  /**
   * As {@link #divided} of a BIGINT and a positive one, whose quotient is no larger.
   *
   * @param big whether the shifted number is more than a BIGINT: DuckDB's division of those takes long, and is written once here
   */
  private static String quick(String left, String divisor, String sign, int shift, boolean big, DecimalType made) {
    String type = big ? "HUGEINT" : "BIGINT";
    String shifted = "(CAST(" + left + " AS " + type + ") * CAST('1" + "0".repeat(shift) + "' AS " + type + "))";
    String units = "((2 * abs(" + shifted + ") + " + divisor + ") // CAST(2 * " + divisor + " AS " + type + ")) * sign(" + left + ")" + sign;
    return scaled("CAST((" + units + ") AS DECIMAL(" + (big ? MOST_DIGITS : SHORT_DIGITS) + ",0))", made);
  }

  /** The quotient of two integers times a power of ten, rounded half up, as a decimal. */
  private static String divided(String left, String right, int shift, DecimalType made) {
    if (shift < 0 || shift > MOST_DIGITS - 1 || made.scale() > MOST_DIGITS - 1) {
      throw new NotRendered("decimal division of these types");
    }
    String shifted = shift == 0 ? left : "(" + left + " * " + power(shift) + ")";
    return scaled("CAST(sqe_div_half_up(" + shifted + ", " + right + ") AS DECIMAL(38,0))", made);
  }

  private static String scaled(String units, DecimalType made) {
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
