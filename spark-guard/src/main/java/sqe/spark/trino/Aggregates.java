package sqe.spark.trino;

import static sqe.spark.trino.ArrayFunctions.count;
import static sqe.spark.trino.ArrayFunctions.unexpected;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Corr;
import org.apache.spark.sql.catalyst.expressions.aggregate.CovPopulation;
import org.apache.spark.sql.catalyst.expressions.aggregate.CovSample;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.MaxBy;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.MinBy;
import org.apache.spark.sql.catalyst.expressions.aggregate.RegrIntercept;
import org.apache.spark.sql.catalyst.expressions.aggregate.RegrSlope;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import sqe.spark.Plans;

/** Aggregates whose types or order are not Spark's: NaN is not the greatest, and sums of decimals have all digits. */
public final class Aggregates {
  private static final int MAX_PRECISION = 38;

  private Aggregates() {}

  static void register(Map<String, Builder> functions) {
    functions.put("max", Aggregates::max);
    functions.put("min", Aggregates::min);
    functions.put("max_by", Aggregates::maxBy);
    functions.put("min_by", Aggregates::minBy);
    functions.put("sum", Aggregates::sum);
    functions.put("avg", Aggregates::average);
    functions.put("corr", arguments -> pair("corr", Corr::new, arguments));
    functions.put("covar_pop", arguments -> pair("covar_pop", CovPopulation::new, arguments));
    functions.put("covar_samp", arguments -> pair("covar_samp", CovSample::new, arguments));
    functions.put("regr_slope", arguments -> pair("regr_slope", RegrSlope::new, arguments));
    functions.put("regr_intercept", arguments -> pair("regr_intercept", RegrIntercept::new, arguments));
    functions.put(
        "logarithm",
        arguments -> invoke(Math.class, "log", DataTypes.DoubleType, cast(arguments.get(0), DataTypes.DoubleType)));
    functions.put("kurtosis", arguments -> moment("kurtosis", 4, arguments));
    functions.put("skewness", arguments -> moment(null, 3, arguments));
  }

  private static Expression ordered(String name, List<Expression> arguments, int at) {
    if (arguments.get(at).dataType() instanceof MapType) {
      throw unexpected(name, arguments);
    }
    return Typed.plain(arguments.get(at));
  }

  private static Expression by(String name, List<Expression> arguments) {
    Expression by = ordered(name, arguments, 1);
    return Typed.is(arguments.get(1), "ipaddress") ? address(by) : by;
  }

  private static Expression max(List<Expression> arguments) {
    count("max", arguments, 1, 1);
    Expression value = ordered("max", arguments, 0);
    if (Typed.is(arguments.get(0), "ipaddress")) {
      return new MaxBy(value, address(value));
    }
    return TrinoTypes.isFloating(value.dataType()) ? new MaxBy(value, key(value)) : new Max(value);
  }

  private static Expression min(List<Expression> arguments) {
    count("min", arguments, 1, 1);
    Expression value = ordered("min", arguments, 0);
    return Typed.is(arguments.get(0), "ipaddress") ? new MinBy(value, address(value)) : new Min(value);
  }

  private static Expression maxBy(List<Expression> arguments) {
    count("max_by", arguments, 2, 2);
    Expression by = by("max_by", arguments);
    return new MaxBy(Typed.plain(arguments.get(0)), TrinoTypes.isFloating(by.dataType()) ? key(by) : by);
  }

  private static Expression minBy(List<Expression> arguments) {
    count("min_by", arguments, 2, 2);
    return new MinBy(Typed.plain(arguments.get(0)), by("min_by", arguments));
  }

  /** Orders addresses, which are text to Spark, by their bytes. */
  private static Expression address(Expression value) {
    return invoke(Addresses.class, "addressBytes", DataTypes.BinaryType, value);
  }

  /** Orders NaN before all numbers. */
  private static Expression key(Expression value) {
    Expression made =
        new CreateNamedStruct(Plans.seq(List.of(literal("number"), new Not(new IsNaN(value)), literal("value"), value)));
    return new If(new IsNull(value), Expressions.nothing(made.dataType()), made);
  }

  private static boolean isInterval(DataType type) {
    return type instanceof DayTimeIntervalType || type instanceof YearMonthIntervalType;
  }

  private static Expression number(String name, List<Expression> arguments) {
    count(name, arguments, 1, 1);
    DataType type = arguments.get(0).dataType();
    if (!TrinoTypes.isNumber(type) && !isInterval(type) && !(type instanceof NullType)) {
      throw unexpected(name, arguments);
    }
    return Typed.plain(arguments.get(0));
  }

  /** The sum of decimals has 38 digits, and that of reals is a real. */
  private static Expression sum(List<Expression> arguments) {
    Expression value = number("sum", arguments);
    if (value.dataType() instanceof DecimalType decimal) {
      return new Sum(cast(value, new DecimalType(MAX_PRECISION, decimal.scale())));
    }
    return value.dataType() instanceof FloatType ? new TypedAggregate(new Sum(value), DataTypes.FloatType) : new Sum(value);
  }

  /** The average of decimals and reals has their type. */
  private static Expression average(List<Expression> arguments) {
    Expression value = number("avg", arguments);
    DataType type = value.dataType();
    boolean same = type instanceof DecimalType || type instanceof FloatType;
    return same ? new TypedAggregate(new Average(value), type) : new Average(value);
  }

  /** Of two doubles, or else of two reals, as which Trino takes integers and decimals, too. */
  private static Expression pair(
      String name, BiFunction<Expression, Expression, DeclarativeAggregate> made, List<Expression> arguments) {
    count(name, arguments, 2, 2);
    boolean wide = false;
    for (Expression each : arguments) {
      if (!TrinoTypes.isNumber(each.dataType()) && !(each.dataType() instanceof NullType)) {
        throw unexpected(name, arguments);
      }
      wide |= each.dataType() instanceof DoubleType;
    }
    DataType type = wide ? DataTypes.DoubleType : DataTypes.FloatType;
    Expression one = cast(cast(Typed.plain(arguments.get(0)), type), DataTypes.DoubleType);
    Expression other = cast(cast(Typed.plain(arguments.get(1)), type), DataTypes.DoubleType);
    DeclarativeAggregate aggregate = made.apply(one, other);
    return wide ? aggregate : new TypedAggregate(aggregate, type);
  }

  /** Of a population's moment and the number of values; Spark's is NULL for values that are all the same. */
  private static Expression moment(String name, long least, List<Expression> arguments) {
    Expression nan = Literal.create(Double.NaN, DataTypes.DoubleType);
    Expression known = new Coalesce(Plans.seq(List.of(arguments.get(0), nan)));
    Expression made = name == null ? known : invoke(Aggregates.class, name, DataTypes.DoubleType, known, arguments.get(1));
    Expression few = Expressions.operator("<", arguments.get(1), literal(least));
    return new If(few, Expressions.nothing(DataTypes.DoubleType), made);
  }

  // Called for each group.

  /** Trino's estimate from the kurtosis of a population. */
  public static double kurtosis(double population, long count) {
    double n = count;
    return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * population + 6);
  }
}
