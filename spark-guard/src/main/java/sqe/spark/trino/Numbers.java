package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;

/** Functions of numbers whose result has the type of their argument. */
final class Numbers {
  private static final int MAX_PRECISION = 38;

  private Numbers() {}

  static void register(Map<String, Builder> functions) {
    functions.put("abs", Numbers::absolute);
    functions.put("ceil", arguments -> whole("ceil", "ceiling", "CEILING", arguments));
    functions.put("ceiling", arguments -> whole("ceiling", "ceiling", "CEILING", arguments));
    functions.put("floor", arguments -> whole("floor", "floor", "FLOOR", arguments));
    functions.put("round", Numbers::round);
    functions.put("truncate", Numbers::truncate);
    functions.put("sign", Numbers::sign);
    Builder modulus = functions.get("modulus");
    functions.put("mod", arguments -> modulus.build(two("mod", arguments)));
    functions.put("rand", arguments -> random("rand", arguments));
    functions.put("random", arguments -> random("random", arguments));
  }

  private static Expression absolute(List<Expression> arguments) {
    Expression value = number("abs", arguments, 1, 1);
    return DecimalSigns.isLong(value) ? DecimalSigns.absolute(value) : call("abs", value);
  }

  /** The first argument, a number; a NULL is a DOUBLE as in Trino. */
  private static Expression number(String name, List<Expression> arguments, int least, int most) {
    boolean taken = arguments.size() >= least && arguments.size() <= most;
    Expression value = taken ? Typed.plain(arguments.get(0)) : null;
    if (value != null && value.dataType() instanceof NullType) {
      value = cast(value, DataTypes.DoubleType);
    }
    boolean decimals =
        arguments.size() < 2
            || arguments.get(1).dataType() instanceof NullType
            || (TrinoTypes.isInteger(arguments.get(1).dataType()) && !arguments.get(1).dataType().sameType(DataTypes.LongType));
    if (value == null || !TrinoTypes.isNumber(value.dataType()) || !decimals) {
      throw Texts.unexpected(name, arguments);
    }
    return value;
  }

  private static List<Expression> two(String name, List<Expression> arguments) {
    if (arguments.size() != 2) {
      throw Texts.unexpected(name, arguments);
    }
    return arguments;
  }

  private static Expression decimals(List<Expression> arguments) {
    return arguments.size() < 2 ? literal(0) : cast(Typed.plain(arguments.get(1)), DataTypes.IntegerType);
  }

  private static Expression rounded(Expression value, Expression decimals, String mode, int precision, int scale) {
    DataType type = new DecimalType(precision, scale);
    return invoke(MathFunctions.class, "round", type, value, decimals, literal(mode), literal(precision), literal(scale));
  }

  private static Expression whole(String name, String method, String mode, List<Expression> arguments) {
    Expression value = number(name, arguments, 1, 1);
    if (value.dataType() instanceof DecimalType decimal) {
      int precision = decimal.precision() - decimal.scale() + Math.min(decimal.scale(), 1);
      return rounded(value, literal(0), mode, precision, 0);
    }
    return TrinoTypes.isInteger(value.dataType()) ? value : invoke(MathFunctions.class, method, value.dataType(), value);
  }

  private static Expression round(List<Expression> arguments) {
    Expression value = number("round", arguments, 1, 2);
    DataType type = value.dataType();
    Expression decimals = decimals(arguments);
    if (type instanceof DecimalType decimal) {
      int p = decimal.precision();
      int s = decimal.scale();
      return arguments.size() == 1
          ? rounded(value, decimals, "HALF_UP", Math.min(MAX_PRECISION, p - s + Math.min(1, s)), 0)
          : rounded(value, decimals, "HALF_UP", Math.min(MAX_PRECISION, p + 1), s);
    }
    if (TrinoTypes.isFloating(type)) {
      return invoke(MathFunctions.class, "round", type, value, decimals);
    }
    if (arguments.size() == 1) {
      return value;
    }
    long most = type instanceof ByteType ? Byte.MAX_VALUE : type instanceof ShortType ? Short.MAX_VALUE
        : type instanceof IntegerType ? Integer.MAX_VALUE : Long.MAX_VALUE;
    Expression made =
        invoke(MathFunctions.class, "round", DataTypes.LongType, cast(value, DataTypes.LongType), decimals, literal(-most - 1),
            literal(most));
    return cast(made, type);
  }

  private static Expression truncate(List<Expression> arguments) {
    Expression value = number("truncate", arguments, 1, 2);
    if (TrinoTypes.isInteger(value.dataType())) {
      value = cast(value, TrinoTypes.decimalOf(value.dataType()));
    }
    if (value.dataType() instanceof DecimalType decimal) {
      return arguments.size() == 1
          ? rounded(value, literal(0), "DOWN", Math.max(1, decimal.precision() - decimal.scale()), 0)
          : rounded(value, decimals(arguments), "DOWN", decimal.precision(), decimal.scale());
    }
    if (arguments.size() == 2) {
      throw Texts.unexpected("truncate", arguments);
    }
    return invoke(MathFunctions.class, "truncate", value.dataType(), value);
  }

  private static Expression sign(List<Expression> arguments) {
    Expression value = number("sign", arguments, 1, 1);
    DataType type = value.dataType();
    if (TrinoTypes.isInteger(type)) {
      return cast(invoke(MathFunctions.class, "sign", DataTypes.LongType, cast(value, DataTypes.LongType)), type);
    }
    return invoke(MathFunctions.class, "sign", type instanceof DecimalType ? new DecimalType(1, 0) : type, value);
  }

  private static Expression random(String name, List<Expression> arguments) {
    if (arguments.isEmpty()) {
      return call("rand");
    }
    DataType type = arguments.get(0).dataType();
    for (Expression each : arguments) {
      type = TrinoTypes.isInteger(each.dataType()) ? TrinoTypes.common(type, each.dataType()) : null;
      if (type == null || arguments.size() > 2) {
        throw Texts.unexpected(name, arguments);
      }
    }
    Expression high = cast(Typed.plain(arguments.get(arguments.size() - 1)), DataTypes.LongType);
    Expression low = arguments.size() == 1 ? literal(0L) : cast(Typed.plain(arguments.get(0)), DataTypes.LongType);
    return cast(invoke(MathFunctions.class, "between", DataTypes.LongType, call("rand"), low, high), type);
  }
}
