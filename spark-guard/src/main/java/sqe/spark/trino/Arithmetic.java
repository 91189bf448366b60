package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/**
 * The operators {@code + - * / %}: a result has the type that Trino gives it. Integers divide to integers, decimals keep the larger
 * scale, and floating-point numbers divide by zero.
 */
public final class Arithmetic {
  private static final int MAX_PRECISION = 38;
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private Arithmetic() {}

  static void register(Map<String, Builder> functions) {
    functions.put("add", arguments -> operator("+", arguments));
    functions.put("subtract", arguments -> operator("-", arguments));
    functions.put("multiply", arguments -> operator("*", arguments));
    functions.put("divide", arguments -> operator("/", arguments));
    functions.put("modulus", arguments -> operator("%", arguments));
    functions.put("plus", arguments -> plus(arguments.get(0)));
  }

  /** The plus sign, which Trino has for integers and floating-point numbers alone. */
  private static Expression plus(Expression value) {
    DataType type = value.dataType();
    if (TrinoTypes.isInteger(type) || TrinoTypes.isFloating(type) || type instanceof NullType) {
      return value;
    }
    throw TrinoFailure.types("Unary '+' operator cannot by applied to " + TrinoTypes.text(value) + " type");
  }

  private static Expression operator(String symbol, List<Expression> arguments) {
    Expression left = arguments.get(0);
    Expression right = arguments.get(1);
    DataType first = left.dataType();
    DataType second = right.dataType();
    if (first instanceof NullType || second instanceof NullType) {
      return call(symbol, left, right); // of a parameter, too, whose type Spark infers
    }
    if (TrinoTypes.isNumber(first) && TrinoTypes.isNumber(second)) {
      return numbers(symbol, left, right);
    }
    Expression made = times(symbol, left, right);
    if (made == null) {
      throw TrinoFailure.types(
          "Cannot apply operator: " + TrinoTypes.text(left) + " " + symbol + " " + TrinoTypes.text(right));
    }
    return made;
  }

  private static Expression numbers(String symbol, Expression left, Expression right) {
    DataType type = TrinoTypes.common(left.dataType(), right.dataType());
    if (type instanceof DecimalType) {
      return decimals(symbol, left, right);
    }
    Expression first = cast(left, type);
    Expression second = cast(right, type);
    if (TrinoTypes.isInteger(type)) {
      return symbol.equals("/") ? divided(first, second, type) : Expressions.operator(symbol, first, second);
    }
    return switch (symbol) {
      case "/" -> invoke(Arithmetic.class, "divide", type, first, second);
      case "%" -> invoke(Arithmetic.class, "modulus", type, first, second);
      default -> Expressions.operator(symbol, first, second);
    };
  }

  /** Spark divides integers to a BIGINT. */
  private static Expression divided(Expression left, Expression right, DataType type) {
    return cast(Expressions.operator("DIV", cast(left, DataTypes.LongType), cast(right, DataTypes.LongType)), type);
  }

  private static Expression decimals(String symbol, Expression left, Expression right) {
    DecimalType first = TrinoTypes.decimalOf(left.dataType());
    DecimalType second = TrinoTypes.decimalOf(right.dataType());
    int s1 = first.scale();
    int s2 = second.scale();
    int most = Math.max(s1, s2);
    int precision;
    int scale = most;
    switch (symbol) {
      case "+", "-" -> precision = Math.max(first.precision() - s1, second.precision() - s2) + most + 1;
      case "*" -> {
        precision = first.precision() + second.precision();
        scale = s1 + s2;
      }
      case "/" -> precision = first.precision() + s2 + Math.max(s2 - s1, 0);
      default -> precision = Math.min(first.precision() - s1, second.precision() - s2) + most;
    }
    if (scale > MAX_PRECISION) {
      throw TrinoFailure.types("DECIMAL scale must be in range [0, precision (38)]: " + scale);
    }
    DecimalType type = new DecimalType(Math.min(MAX_PRECISION, Math.max(precision, 1)), scale);
    Expression one = cast(left, first);
    Expression other = cast(right, second);
    boolean exact = symbol.equals("*") ? precision < MAX_PRECISION : precision <= MAX_PRECISION;
    if (exact && !symbol.equals("/")) {
      // Spark's own type is as exact as this, and its arithmetic on short decimals is quick.
      Expression made = Expressions.operator(symbol, one, other);
      return cast(made, type);
    }
    String method = Map.of("+", "addDecimals", "-", "subtractDecimals", "*", "multiplyDecimals", "/", "divideDecimals", "%",
        "modulusDecimals").get(symbol);
    return invoke(Arithmetic.class, method, type, one, other, literal(type.precision()), literal(type.scale()));
  }

  /** Arithmetic with dates, times and intervals; null when there is none for these types. */
  private static Expression times(String symbol, Expression left, Expression right) {
    DataType first = left.dataType();
    DataType second = right.dataType();
    boolean sum = symbol.equals("+") || symbol.equals("-");
    if (sum && isInterval(first) && isInterval(second)) {
      DataType type = TrinoTypes.common(first, second);
      return type == null ? null : call(symbol, cast(left, type), cast(right, type));
    }
    if (sum && isInterval(second)) {
      return moved(symbol, left, right);
    }
    if (symbol.equals("+") && isInterval(first)) {
      return moved(symbol, right, left);
    }
    if (symbol.equals("*") && isInterval(first) && TrinoTypes.isNumber(second)) {
      return scaled(left, right);
    }
    if (symbol.equals("*") && isInterval(second) && TrinoTypes.isNumber(first)) {
      return scaled(right, left);
    }
    if (symbol.equals("/") && isInterval(first) && TrinoTypes.isNumber(second)) {
      return invoke(Arithmetic.class, dividing(first), widest(first), cast(left, widest(first)), cast(right, DataTypes.DoubleType));
    }
    if (symbol.equals("-")) {
      Expression between = between(left, right);
      if (between != null) {
        return between;
      }
      DataType type = TrinoTypes.common(first, second);
      if (type instanceof DateType) {
        return invoke(Arithmetic.class, "daysBetween", DataTypes.createDayTimeIntervalType(), left, right);
      }
    }
    return null;
  }

  /** The interval between two times or timestamps, in milliseconds; null when there is none. */
  private static Expression between(Expression left, Expression right) {
    TrinoType common = Wide.common(Wide.typeOf(left), Wide.typeOf(right));
    if (common == null || common.name().equals("date")) {
      return null;
    }
    DataType interval = DataTypes.createDayTimeIntervalType();
    Expression first = Casts.to(left, common);
    Expression second = Casts.to(right, common);
    if (common.name().startsWith("timestamp")) {
      return common.name().equals("timestamp")
          ? invoke(WideMethods.class, "timestampMinus", interval, Wide.plain(first), Wide.plain(second))
          : invoke(
              WideMethods.class, "zonedMinus", interval, Wide.plain(first), Wide.picos(first), Wide.plain(second),
              Wide.picos(second));
    }
    return invoke(WideMethods.class, "timeMinus", interval, timePicos(first), timePicos(second));
  }

  /** Of a time with an offset in UTC. */
  private static Expression timePicos(Expression time) {
    return Wide.of(time) == null ? WideCasts.picosOfDay(time) : Wide.plain(time);
  }

  private static boolean isInterval(DataType type) {
    return type instanceof DayTimeIntervalType || type instanceof YearMonthIntervalType;
  }

  private static DataType widest(DataType interval) {
    return interval instanceof DayTimeIntervalType
        ? DataTypes.createDayTimeIntervalType()
        : DataTypes.createYearMonthIntervalType();
  }

  private static String dividing(DataType interval) {
    return interval instanceof DayTimeIntervalType ? "divideTime" : "divideMonths";
  }

  private static Expression scaled(Expression interval, Expression number) {
    DataType type = widest(interval.dataType());
    DataType factor = TrinoTypes.isInteger(number.dataType()) ? DataTypes.LongType : DataTypes.DoubleType;
    String method = type instanceof DayTimeIntervalType ? "multiplyTime" : "multiplyMonths";
    return invoke(Arithmetic.class, method, type, cast(interval, type), cast(number, factor));
  }

  private static Expression moved(String symbol, Expression moment, Expression interval) {
    DataType type = Wide.type(moment);
    if (type instanceof DateType && interval.dataType() instanceof DayTimeIntervalType) {
      String method = symbol.equals("+") ? "addDays" : "subtractDays";
      return invoke(Arithmetic.class, method, type, moment, cast(interval, DataTypes.createDayTimeIntervalType()));
    }
    if (type instanceof DateType) {
      return call(symbol, Typed.plain(moment), Typed.plain(interval));
    }
    boolean months = interval.dataType() instanceof YearMonthIntervalType;
    Expression step = cast(Typed.plain(interval), widest(interval.dataType()));
    if (symbol.equals("-")) {
      step = call("negative", step);
    }
    int digits = months ? TrinoTypes.precision(moment) : Math.max(3, TrinoTypes.precision(moment));
    if (TrinoTypes.isTimestamp(type)) {
      return timestamp(moment, step, months, digits);
    }
    if (Wide.isTime(moment) && !months) {
      Expression picos = invoke(WideMethods.class, "addMicros", DataTypes.LongType, WideCasts.picosOfDay(moment), step);
      return Wide.zone(moment) == null ? Wide.time(picos, digits) : Wide.timeZoned(picos, Wide.zone(moment), digits);
    }
    if (type instanceof TimeType && !months) {
      return invoke(Arithmetic.class, "addToTime", TimeType.apply(digits), Typed.plain(moment), step);
    }
    return null;
  }

  /** Months are those of the zone's calendar; days have 24 hours. */
  private static Expression timestamp(Expression moment, Expression step, boolean months, int digits) {
    DataType type = Wide.type(moment);
    Expression plain = Wide.plain(moment);
    Expression made;
    if (!months) {
      made = invoke(Arithmetic.class, "addMicros", type, plain, step);
    } else if (type instanceof TimestampType) {
      made = invoke(DateTimeMethods.class, "addMonthsZoned", type, plain, step, DateTimes.zone(moment));
    } else {
      made = invoke(DateTimeMethods.class, "addMonths", type, plain, step);
    }
    if (Wide.of(moment) != null) {
      return type instanceof TimestampType
          ? Wide.zoned(made, Wide.picos(moment), Wide.zone(moment), digits)
          : Wide.timestamp(made, Wide.picos(moment), digits);
    }
    String zone = Typed.zone(moment);
    String typed = "timestamp(" + digits + ")" + (type instanceof TimestampType ? " with time zone" : "");
    return Typed.as(made, zone == null ? typed : typed + "@" + zone);
  }

  // Called for each row.

  public static double divide(double left, double right) {
    return left / right;
  }

  public static float divide(float left, float right) {
    return left / right;
  }

  public static double modulus(double left, double right) {
    return left % right;
  }

  public static float modulus(float left, float right) {
    return left % right;
  }

  public static Decimal addDecimals(Decimal left, Decimal right, int precision, int scale) {
    return fitted(left.toJavaBigDecimal().add(right.toJavaBigDecimal()), precision, scale);
  }

  public static Decimal subtractDecimals(Decimal left, Decimal right, int precision, int scale) {
    return fitted(left.toJavaBigDecimal().subtract(right.toJavaBigDecimal()), precision, scale);
  }

  public static Decimal multiplyDecimals(Decimal left, Decimal right, int precision, int scale) {
    return fitted(left.toJavaBigDecimal().multiply(right.toJavaBigDecimal()), precision, scale);
  }

  public static Decimal divideDecimals(Decimal left, Decimal right, int precision, int scale) {
    BigDecimal divisor = right.toJavaBigDecimal();
    if (divisor.signum() == 0) {
      throw TrinoFailure.divisionByZero();
    }
    return fitted(left.toJavaBigDecimal().divide(divisor, scale, RoundingMode.HALF_UP), precision, scale);
  }

  public static Decimal modulusDecimals(Decimal left, Decimal right, int precision, int scale) {
    BigDecimal divisor = right.toJavaBigDecimal();
    if (divisor.signum() == 0) {
      throw TrinoFailure.divisionByZero();
    }
    return fitted(left.toJavaBigDecimal().remainder(divisor), precision, scale);
  }

  private static Decimal fitted(BigDecimal value, int precision, int scale) {
    BigDecimal exact = value.setScale(scale, RoundingMode.HALF_UP);
    if (exact.precision() > precision && exact.signum() != 0) {
      throw TrinoFailure.range("Decimal overflow");
    }
    return Decimal.apply(exact, precision, scale);
  }

  public static long daysBetween(int left, int right) {
    return Math.multiplyExact((long) left - right, MICROS_PER_DAY);
  }

  public static int addDays(int date, long micros) {
    if (micros % MICROS_PER_DAY != 0) {
      throw TrinoFailure.argument("Cannot add hour, minutes or seconds to a date");
    }
    return Math.toIntExact(date + micros / MICROS_PER_DAY);
  }

  public static int subtractDays(int date, long micros) {
    if (micros % MICROS_PER_DAY != 0) {
      throw TrinoFailure.argument("Cannot subtract hour, minutes or seconds from a date");
    }
    return Math.toIntExact(date - micros / MICROS_PER_DAY);
  }

  private static final long NANOS_PER_DAY = MICROS_PER_DAY * 1_000;

  public static long addToTime(long nanos, long micros) {
    return Math.floorMod(nanos + micros % MICROS_PER_DAY * 1_000, NANOS_PER_DAY);
  }

  public static long addMicros(long moment, long micros) {
    return exact(() -> Math.addExact(moment, micros));
  }

  // Trino's intervals count milliseconds.

  public static long multiplyTime(long micros, long factor) {
    return exact(() -> Math.multiplyExact(micros, factor));
  }

  public static long multiplyTime(long micros, double factor) {
    return millis(micros / 1_000.0 * factor);
  }

  public static long divideTime(long micros, double divisor) {
    return millis(micros / 1_000.0 / notZero(divisor));
  }

  public static int multiplyMonths(int months, long factor) {
    return exact(() -> Math.toIntExact(Math.multiplyExact(months, factor)));
  }

  public static int multiplyMonths(int months, double factor) {
    return wholeMonths(months * factor, "Cannot multiply by double NaN");
  }

  public static int divideMonths(int months, double divisor) {
    return wholeMonths(months / notZero(divisor), "Cannot divide by double NaN");
  }

  private static int wholeMonths(double months, String notNumber) {
    if (Double.isNaN(months)) {
      throw TrinoFailure.argument(notNumber);
    }
    return (int) months;
  }

  private static double notZero(double divisor) {
    if (divisor == 0) {
      throw TrinoFailure.divisionByZero();
    }
    return divisor;
  }

  private static long millis(double value) {
    if (Double.isNaN(value) || Math.abs(value) > Long.MAX_VALUE / 1_000.0) {
      throw TrinoFailure.range("Interval out of range");
    }
    return (long) value * 1_000;
  }

  private static <T> T exact(java.util.function.Supplier<T> sum) {
    try {
      return sum.get();
    } catch (ArithmeticException overflow) {
      throw TrinoFailure.range("Interval out of range");
    }
  }
}
