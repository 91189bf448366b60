package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.Plans;

/**
 * The comparisons: no type becomes another that Trino would not make of it, NaN equals nothing, and what holds a NULL is equal to
 * nothing for certain.
 */
public final class Comparison {
  private static final Map<String, String> OPPOSITE = Map.of("<", ">", "<=", ">=", ">", "<", ">=", "<=", "=", "=");

  private Comparison() {}

  static void register(Map<String, Builder> functions) {
    functions.put("eq", arguments -> compare("=", arguments.get(0), arguments.get(1)));
    functions.put("ne", arguments -> new Not(compare("=", arguments.get(0), arguments.get(1))));
    functions.put("lt", arguments -> compare("<", arguments.get(0), arguments.get(1)));
    functions.put("le", arguments -> compare("<=", arguments.get(0), arguments.get(1)));
    functions.put("gt", arguments -> compare(">", arguments.get(0), arguments.get(1)));
    functions.put("ge", arguments -> compare(">=", arguments.get(0), arguments.get(1)));
    functions.put(
        "between",
        arguments ->
            new And(compare(">=", arguments.get(0), arguments.get(1)), compare("<=", arguments.get(0), arguments.get(2))));
    functions.put("in", arguments -> in(arguments.get(0), arguments.subList(1, arguments.size())));
    functions.put("not_distinct", arguments -> notDistinct(arguments.get(0), arguments.get(1)));
  }

  static Expression compare(String symbol, Expression left, Expression right) {
    DataType first = left.dataType();
    DataType second = right.dataType();
    boolean nothing = first instanceof NullType || second instanceof NullType;
    if (nothing && (first instanceof MapType || second instanceof MapType)) {
      return Expressions.nothing(DataTypes.BooleanType); // Spark compares no maps
    }
    if (nothing) {
      return call(symbol, left, right); // of a parameter, too, whose type Spark infers
    }
    if (Wide.of(left) != null || Wide.of(right) != null) {
      TrinoType common = wideType(symbol, left, right);
      return Expressions.operator(symbol, Wide.key(left, common), Wide.key(right, common));
    }
    DataType type = commonOf(symbol, left, right);
    Expression named = type instanceof StringType ? named(symbol, left, right) : null;
    if (named != null) {
      return named;
    }
    Expression one = cast(left, type);
    Expression other = cast(right, type);
    if (TrinoTypes.isFloating(type)) {
      return floating(symbol, one, other);
    }
    if (TrinoTypes.isNested(type)) {
      return nested(symbol, one, other, type);
    }
    return Expressions.operator(symbol, one, other);
  }

  /** A comparison of values that are text to Spark alone; null for text. */
  private static Expression named(String symbol, Expression left, Expression right) {
    if (Texts.isChar(left) || Texts.isChar(right)) {
      return Texts.compare(symbol, left, right);
    }
    String one = Texts.isText(left) ? null : Typed.of(left);
    String other = Texts.isText(right) ? null : Typed.of(right);
    if (one == null ? other != null : !one.equals(other)) {
      throw TrinoFailure.types(
          "Cannot apply operator: " + TrinoTypes.text(left) + " " + symbol + " " + TrinoTypes.text(right));
    }
    if (!"ipaddress".equals(one) || symbol.equals("=")) {
      return null; // the text of a UUID has the order of its bytes
    }
    Expression order = invoke(Addresses.class, "compare", DataTypes.IntegerType, Typed.plain(left), Typed.plain(right));
    return Expressions.operator(symbol, order, literal(0));
  }

  private static TrinoType wideType(String symbol, Expression left, Expression right) {
    TrinoType common = Wide.common(Wide.typeOf(left), Wide.typeOf(right));
    if (common == null) {
      throw TrinoFailure.types(
          "Cannot apply operator: " + TrinoTypes.text(left) + " " + symbol + " " + TrinoTypes.text(right));
    }
    return common;
  }

  private static DataType commonOf(String symbol, Expression left, Expression right) {
    DataType type = TrinoTypes.common(left.dataType(), right.dataType());
    boolean json = Typed.is(left, "json");
    boolean ordered = !(type instanceof MapType || json) || symbol.equals("=");
    if (type == null || !ordered || json != Typed.is(right, "json")) {
      throw TrinoFailure.types(
          "Cannot apply operator: " + TrinoTypes.text(left) + " " + symbol + " " + TrinoTypes.text(right));
    }
    return type;
  }

  private static Expression notDistinct(Expression left, Expression right) {
    boolean nothing = left.dataType() instanceof NullType || right.dataType() instanceof NullType;
    if (nothing && (left.dataType() instanceof MapType || right.dataType() instanceof MapType)) {
      return new IsNull(Typed.plain(left.dataType() instanceof MapType ? left : right)); // Spark compares no maps
    }
    if (nothing) {
      return call("<=>", left, right);
    }
    if (Wide.of(left) != null || Wide.of(right) != null) {
      TrinoType common = wideType("=", left, right);
      return Expressions.operator("<=>", Wide.key(left, common), Wide.key(right, common));
    }
    DataType type = commonOf("=", left, right);
    if (Texts.isChar(left) || Texts.isChar(right)) {
      Expression one = invoke(StringFunctions.class, "unpadded", type, Typed.plain(left));
      return Expressions.operator("<=>", one, invoke(StringFunctions.class, "unpadded", type, Typed.plain(right)));
    }
    if (type instanceof MapType) {
      Expression one = cast(Typed.plain(left), type);
      Expression other = cast(Typed.plain(right), type);
      Expression same = invoke(Comparison.class, "identicalMap", DataTypes.BooleanType, one, other, literal(type.json()));
      return new If(new IsNull(one), new IsNull(other), new And(new IsNotNull(other), same));
    }
    return Expressions.operator("<=>", cast(left, type), cast(right, type));
  }

  /** To Spark NaN is equal to itself, and larger than all others; a constant that is none needs less than a call for each row. */
  private static Expression floating(String symbol, Expression left, Expression right) {
    if (isNumber(left) && !isNumber(right) && OPPOSITE.containsKey(symbol)) {
      return floating(OPPOSITE.get(symbol), right, left);
    }
    if (isNumber(right)) {
      Expression plain = Expressions.operator(symbol, left, right);
      return symbol.startsWith(">") ? new And(plain, new Not(new IsNaN(left))) : plain;
    }
    String method =
        switch (symbol) {
          case "=" -> "equal";
          case "<" -> "less";
          case "<=" -> "lessOrEqual";
          case ">" -> "greater";
          default -> "greaterOrEqual";
        };
    return invoke(Comparison.class, method, DataTypes.BooleanType, left, right);
  }

  private static boolean isNumber(Expression expression) {
    return expression.foldable()
        && Typed.plain(expression) instanceof Literal literal
        && literal.value() instanceof Number number
        && !Double.isNaN(number.doubleValue());
  }

  private static Expression nested(String symbol, Expression left, Expression right, DataType type) {
    Expression of = new Literal(UTF8String.fromString(type.json()), DataTypes.StringType);
    String method = symbol.equals("=") ? "equalNested" : "compareNested";
    Expression made = invoke(Comparison.class, method + suffix(type), symbol.equals("=") ? DataTypes.BooleanType : DataTypes.IntegerType, left, right, of);
    return symbol.equals("=") ? made : Expressions.operator(symbol, made, literal(0));
  }

  private static String suffix(DataType type) {
    return type instanceof ArrayType ? "Array" : type instanceof MapType ? "Map" : "Row";
  }

  /** {@code x IN (a, b)}: as one set where no value is odd. */
  private static Expression in(Expression value, List<Expression> values) {
    boolean wide = Wide.of(value) != null || values.stream().anyMatch(each -> Wide.of(each) != null);
    DataType type = value.dataType();
    for (Expression each : values) {
      type = wide ? null : type == null || each.dataType() instanceof NullType ? type : TrinoTypes.common(type, each.dataType());
    }
    boolean parameter = value.dataType() instanceof NullType || values.stream().anyMatch(each -> each.dataType() instanceof NullType && !(each instanceof Literal));
    if (parameter) {
      return new In(value, Plans.seq(values));
    }
    if (!wide && (type == null || type instanceof StringType)) {
      for (Expression each : values) {
        if (!(each.dataType() instanceof NullType)) {
          commonOf("=", value, each);
        }
      }
    }
    boolean odd = wide || Texts.isChar(value) || values.stream().anyMatch(Texts::isChar) || TrinoTypes.isNested(type) || (TrinoTypes.isFloating(type) && !values.stream().allMatch(Comparison::isNumber));
    if (!odd) {
      List<Expression> all = new ArrayList<>();
      for (Expression each : values) {
        all.add(cast(each, type));
      }
      return new In(cast(value, type), Plans.seq(all));
    }
    Expression any = null;
    for (Expression each : values) {
      Expression equal = compare("=", value, each);
      any = any == null ? equal : new Or(any, equal);
    }
    return any;
  }

  // Called for each row.

  public static boolean equal(double left, double right) {
    return left == right;
  }

  public static boolean equal(float left, float right) {
    return left == right;
  }

  public static boolean less(double left, double right) {
    return left < right;
  }

  public static boolean less(float left, float right) {
    return left < right;
  }

  public static boolean lessOrEqual(double left, double right) {
    return left <= right;
  }

  public static boolean lessOrEqual(float left, float right) {
    return left <= right;
  }

  public static boolean greater(double left, double right) {
    return left > right;
  }

  public static boolean greater(float left, float right) {
    return left > right;
  }

  public static boolean greaterOrEqual(double left, double right) {
    return left >= right;
  }

  public static boolean greaterOrEqual(float left, float right) {
    return left >= right;
  }

  public static Boolean equalNestedArray(ArrayData left, ArrayData right, UTF8String type) {
    return Values.equal(left, right, Values.type(type));
  }

  public static Boolean equalNestedMap(MapData left, MapData right, UTF8String type) {
    return Values.equal(left, right, Values.type(type));
  }

  public static Boolean equalNestedRow(InternalRow left, InternalRow right, UTF8String type) {
    return Values.equal(left, right, Values.type(type));
  }

  public static boolean identicalMap(MapData left, MapData right, UTF8String type) {
    return Values.identical(left, right, Values.type(type));
  }

  public static InternalRow leastRow(InternalRow left, InternalRow right, UTF8String type) {
    return Values.compare(left, right, Values.type(type)) <= 0 ? left : right;
  }

  /** The one that is greater; NaN is less than all numbers. */
  public static InternalRow greatestRow(InternalRow left, InternalRow right, UTF8String type) {
    return Values.compare(left, right, Values.type(type), true) >= 0 ? left : right;
  }

  public static ArrayData leastArray(ArrayData left, ArrayData right, UTF8String type) {
    return Values.compare(left, right, Values.type(type)) <= 0 ? left : right;
  }

  public static ArrayData greatestArray(ArrayData left, ArrayData right, UTF8String type) {
    return Values.compare(left, right, Values.type(type), true) >= 0 ? left : right;
  }

  public static int compareNestedArray(ArrayData left, ArrayData right, UTF8String type) {
    return Values.compare(left, right, Values.type(type));
  }

  public static int compareNestedRow(InternalRow left, InternalRow right, UTF8String type) {
    return Values.compare(left, right, Values.type(type));
  }
}
