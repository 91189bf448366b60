package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions of text that take bytes or a CHAR too, and LIKE. */
final class Texts {
  private static final String CHAR = "char(";
  static final int MAX_CHAR = 65_536;

  private Texts() {}

  static void register(Map<String, Builder> functions) {
    functions.put("length", arguments -> length("length", arguments));
    functions.put("lower", arguments -> kept("lower", arguments));
    functions.put("upper", arguments -> kept("upper", arguments));
    functions.put("reverse", reverse(functions.get("reverse")));
    functions.put("trim", arguments -> trim("trim", arguments, true, true));
    functions.put("ltrim", arguments -> trim("ltrim", arguments, true, false));
    functions.put("rtrim", arguments -> trim("rtrim", arguments, false, true));
    functions.put("substr", arguments -> substring("substr", arguments));
    functions.put("substring", arguments -> substring("substring", arguments));
    functions.put("lpad", arguments -> pad("lpad", arguments, true));
    functions.put("rpad", arguments -> pad("rpad", arguments, false));
    functions.put("to_utf8", Texts::bytes);
    functions.put("concat", concat(functions.get("concat")));
    functions.put("concat_ws", Texts::joined);
    functions.put("like", Texts::like);
  }

  static boolean isChar(Expression value) {
    String typed = Typed.of(value);
    return typed != null && typed.startsWith(CHAR);
  }

  private static int charLength(Expression value) {
    String typed = Typed.of(value);
    return Integer.parseInt(typed.substring(CHAR.length(), typed.length() - 1));
  }

  /** The length of the type of text; null for one without. */
  static Integer boundOf(Expression value) {
    return isChar(value) ? Integer.valueOf(charLength(value)) : varcharLength(value);
  }

  /** The length of the type of a VARCHAR; null for one without. */
  private static Integer varcharLength(Expression value) {
    String typed = Typed.of(value);
    if (typed != null && typed.startsWith("varchar(")) {
      return Integer.parseInt(typed.substring("varchar(".length(), typed.length() - 1));
    }
    String constant = "varchar".equals(typed) ? null : Expressions.constantText(value);
    return constant == null ? null : constant.codePointCount(0, constant.length());
  }

  /** Whether it is a VARCHAR, and no JSON or UUID, which are text to Spark. */
  static boolean isText(Expression value) {
    String typed = Typed.of(value);
    return value.dataType() instanceof NullType
        || (value.dataType() instanceof StringType && (typed == null || typed.startsWith("varchar")));
  }

  private static boolean isBytes(Expression value) {
    return value.dataType() instanceof BinaryType;
  }

  private static boolean isWhole(Expression value) {
    return TrinoTypes.isInteger(value.dataType()) || value.dataType() instanceof NullType;
  }

  static TrinoFailure unexpected(String name, List<Expression> arguments) {
    return TrinoFailure.function(
        "Unexpected parameters ("
            + String.join(", ", arguments.stream().map(TrinoTypes::text).toList())
            + ") for function "
            + name);
  }

  private static Expression text(Expression value) {
    return cast(Typed.plain(value), DataTypes.StringType);
  }

  private static Expression whole(Expression value) {
    return cast(Typed.plain(value), DataTypes.LongType);
  }

  private static Expression length(String name, List<Expression> arguments) {
    if (arguments.size() != 1 || !(isText(arguments.get(0)) || isChar(arguments.get(0)) || isBytes(arguments.get(0)))) {
      throw unexpected(name, arguments);
    }
    return cast(call("length", Typed.plain(arguments.get(0))), DataTypes.LongType);
  }

  /** A function whose result has the type of its argument. */
  private static Expression kept(String name, List<Expression> arguments) {
    if (arguments.size() != 1 || !(isText(arguments.get(0)) || isChar(arguments.get(0)))) {
      throw unexpected(name, arguments);
    }
    Expression made = invoke(StringFunctions.class, name, DataTypes.StringType, text(arguments.get(0)));
    return isChar(arguments.get(0)) ? Typed.as(made, Typed.of(arguments.get(0))) : made;
  }

  private static Builder reverse(Builder ofArrays) {
    return arguments -> {
      Expression value = arguments.size() == 1 ? arguments.get(0) : null;
      if (value != null && isBytes(value)) {
        return invoke(BinaryFunctions.class, "reverse", DataTypes.BinaryType, Typed.plain(value));
      }
      if (value != null && isChar(value)) {
        return Typed.as(call("reverse", Typed.plain(value)), Typed.of(value));
      }
      if (value != null && value.dataType() instanceof ArrayType) {
        return ofArrays != null ? ofArrays.build(arguments) : ArrayFunctions.like(value, call("reverse", Typed.plain(value)));
      }
      if (value == null || !isText(value)) {
        throw unexpected("reverse", arguments);
      }
      return call("reverse", text(value));
    };
  }

  private static Expression trim(String name, List<Expression> arguments, boolean left, boolean right) {
    boolean taken = !arguments.isEmpty() && arguments.size() <= 2;
    for (Expression each : arguments) {
      taken = taken && (isText(each) || isChar(each));
    }
    if (!taken) {
      throw unexpected(name, arguments);
    }
    List<Expression> parts = new ArrayList<>();
    Expression value = text(arguments.get(0));
    boolean padded = isChar(arguments.get(0));
    parts.add(padded ? invoke(StringFunctions.class, "unpadded", DataTypes.StringType, value) : value);
    if (arguments.size() == 2) {
      parts.add(text(arguments.get(1)));
    }
    parts.add(literal(left));
    parts.add(literal(right));
    Expression made = invoke(StringFunctions.class, "trim", DataTypes.StringType, true, parts);
    return padded ? invoke(StringFunctions.class, "unpadded", DataTypes.StringType, made) : made;
  }

  private static Expression substring(String name, List<Expression> arguments) {
    boolean taken = arguments.size() == 2 || arguments.size() == 3;
    for (Expression each : arguments.subList(Math.min(1, arguments.size()), arguments.size())) {
      taken = taken && isWhole(each);
    }
    Expression value = arguments.isEmpty() ? null : arguments.get(0);
    boolean bytes = value != null && isBytes(value);
    if (!taken || !(bytes || isText(value) || isChar(value))) {
      throw unexpected(name, arguments);
    }
    Expression length = arguments.size() == 3 ? whole(arguments.get(2)) : literal(Long.MAX_VALUE);
    return bytes
        ? invoke(BinaryFunctions.class, "substring", DataTypes.BinaryType, Typed.plain(value), whole(arguments.get(1)), length)
        : invoke(StringFunctions.class, "substring", DataTypes.StringType, text(value), whole(arguments.get(1)), length);
  }

  private static Expression pad(String name, List<Expression> arguments, boolean left) {
    if (arguments.size() != 3 || !isWhole(arguments.get(1))) {
      throw unexpected(name, arguments);
    }
    Expression value = arguments.get(0);
    Expression padding = arguments.get(2);
    boolean bytes = isBytes(value) && isBytes(padding);
    if (!bytes && !((isText(value) || (left && isChar(value))) && isText(padding))) {
      throw unexpected(name, arguments);
    }
    return bytes
        ? invoke(BinaryFunctions.class, "pad", DataTypes.BinaryType, Typed.plain(value), whole(arguments.get(1)),
            Typed.plain(padding), literal(left))
        : invoke(StringFunctions.class, "pad", DataTypes.StringType, text(value), whole(arguments.get(1)), text(padding),
            literal(left));
  }

  private static Expression bytes(List<Expression> arguments) {
    if (arguments.size() != 1 || !(isText(arguments.get(0)) || isChar(arguments.get(0)))) {
      throw unexpected("to_utf8", arguments);
    }
    return cast(text(arguments.get(0)), DataTypes.BinaryType);
  }

  private static Builder concat(Builder ofArrays) {
    return arguments -> {
      if (arguments.stream().anyMatch(each -> each.dataType() instanceof ArrayType)) {
        return ofArrays != null ? ofArrays.build(arguments) : arrays(arguments);
      }
      if (arguments.size() < 2) {
        throw TrinoFailure.argument("There must be two or more concatenation arguments");
      }
      boolean unknown = arguments.stream().anyMatch(each -> each instanceof Literal && each.dataType() instanceof NullType);
      if (unknown && arguments.size() == 2) {
        return ofNull(arguments);
      }
      if (arguments.stream().anyMatch(Texts::isChar)) {
        return chars(arguments);
      }
      if (arguments.stream().allMatch(each -> isBytes(each) || each.dataType() instanceof NullType)
          || arguments.stream().allMatch(Texts::isText)) {
        return call("concat", arguments.stream().map(Typed::plain).toArray(Expression[]::new));
      }
      throw unexpected("concat", arguments);
    };
  }

  /** NULL and text make an array in Trino, which takes NULL for one. */
  private static Expression ofNull(List<Expression> arguments) {
    for (Expression each : arguments) {
      if (!(each.dataType() instanceof NullType) && (isText(each) || isChar(each))) {
        return Expressions.nothing(new ArrayType(DataTypes.StringType, true));
      }
    }
    throw TrinoFailure.types("Could not choose a best candidate operator. Explicit type casts must be added.");
  }

  private static Expression arrays(List<Expression> arguments) {
    DataType element = null;
    for (Expression each : arguments) {
      DataType type = each.dataType() instanceof ArrayType array ? array.elementType() : each.dataType();
      element = element == null ? type : TrinoTypes.common(element, type);
      if (element == null) {
        throw unexpected("concat", arguments);
      }
    }
    DataType common = new ArrayType(element, true);
    List<Expression> parts = new ArrayList<>();
    for (Expression each : arguments) {
      Expression plain = Typed.plain(each);
      parts.add(cast(each.dataType() instanceof ArrayType ? plain : call("array", plain), common));
    }
    return call("concat", parts.toArray(new Expression[0]));
  }

  /** A CHAR before or after another one, or after text of a known length. */
  private static Expression chars(List<Expression> arguments) {
    int sum = 0;
    for (Expression each : arguments) {
      Integer length = isChar(each) || isText(each) ? boundOf(each) : null;
      if (length == null || arguments.size() != 2) {
        throw unexpected("concat", arguments);
      }
      sum += length;
    }
    if (sum > MAX_CHAR) {
      throw TrinoFailure.types("Unknown type: char(" + sum + ")");
    }
    return Typed.as(call("concat", text(arguments.get(0)), text(arguments.get(1))), "char(" + sum + ")");
  }

  private static Expression joined(List<Expression> arguments) {
    if (arguments.size() < 2 || !isText(arguments.get(0))) {
      throw unexpected("concat_ws", arguments);
    }
    Expression texts;
    if (arguments.size() == 2 && arguments.get(1).dataType() instanceof ArrayType array) {
      if (!(array.elementType() instanceof StringType || array.elementType() instanceof NullType)) {
        throw unexpected("concat_ws", arguments);
      }
      texts = cast(Typed.plain(arguments.get(1)), new ArrayType(DataTypes.StringType, true));
    } else {
      List<Expression> parts = new ArrayList<>();
      for (Expression each : arguments.subList(1, arguments.size())) {
        if (!isText(each)) {
          throw unexpected("concat_ws", arguments);
        }
        parts.add(text(each));
      }
      texts = call("array", parts.toArray(new Expression[0]));
    }
    return invoke(StringFunctions.class, "joined", DataTypes.StringType, text(arguments.get(0)), texts);
  }

  /** {@code value LIKE pattern ESCAPE escape}: without an escape a backslash is a character like others. */
  private static Expression like(List<Expression> arguments) {
    List<String> sides = List.of("Left side", "Pattern", "Escape");
    for (int i = 0; i < arguments.size(); i++) {
      if (!(isText(arguments.get(i)) || (i == 0 && isChar(arguments.get(i))))) {
        throw TrinoFailure.types(
            sides.get(i) + " of LIKE expression must evaluate to a varchar (actual: " + TrinoTypes.text(arguments.get(i)) + ")");
      }
    }
    Expression value = text(arguments.get(0));
    Expression pattern = text(arguments.get(1));
    if (arguments.size() == 3 && !(arguments.get(2).dataType() instanceof NullType)) {
      String escape = Expressions.constantText(arguments.get(2));
      if (escape == null) {
        throw TrinoFailure.unsupported("The escape character of LIKE must be written as text.");
      }
      if (escape.length() != 1) {
        throw TrinoFailure.argument("Escape string must be a single character");
      }
      return call("like", value, escaped(pattern, escape), literal(escape));
    }
    if (arguments.size() == 3) {
      return new Literal(null, DataTypes.BooleanType);
    }
    String constant = Expressions.constantText(pattern);
    Expression doubled =
        constant != null ? literal(constant.replace("\\", "\\\\")) : call("replace", pattern, literal("\\"), literal("\\\\"));
    return call("like", value, doubled);
  }

  /** The pattern, in which an escape stands before a wildcard or another one. */
  private static Expression escaped(Expression pattern, String escape) {
    String constant = Expressions.constantText(pattern);
    if (constant == null) {
      return invoke(StringFunctions.class, "escaped", DataTypes.StringType, pattern, literal(escape));
    }
    return literal(StringFunctions.escaped(UTF8String.fromString(constant), UTF8String.fromString(escape)).toString());
  }

  /** Whether a comparison of two texts has to fill the shorter one with spaces. */
  static boolean comparesPadded(Expression left, Expression right) {
    return isChar(left) || isChar(right);
  }

  static Expression compare(String symbol, Expression left, Expression right) {
    for (Expression each : Arrays.asList(left, right)) {
      if (!isChar(each) && !isText(each)) {
        throw TrinoFailure.types(
            "Cannot apply operator: " + TrinoTypes.text(left) + " " + symbol + " " + TrinoTypes.text(right));
      }
    }
    Expression order = invoke(StringFunctions.class, "comparePadded", DataTypes.IntegerType, text(left), text(right));
    return Expressions.operator(symbol, order, literal(0));
  }
}
