package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;
import static sqe.spark.trino.Expressions.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.ArrayAggregate;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import scala.Option;
import sqe.spark.Plans;

/** Functions of arrays: Spark's own on a common type where they mean the same, and {@link ArrayMethods} otherwise. */
final class ArrayFunctions {
  private ArrayFunctions() {}

  static void register(Map<String, Builder> functions) {
    functions.put("array", ArrayFunctions::array);
    functions.put("row", ArrayFunctions::row);
    functions.put("cardinality", ArrayFunctions::cardinality);
    functions.put("contains", arguments -> search("contains", "array_contains", DataTypes.BooleanType, arguments));
    functions.put("array_position", arguments -> search("array_position", "array_position", DataTypes.LongType, arguments));
    functions.put("array_remove", ArrayFunctions::remove);
    functions.put("array_distinct", arguments -> own("array_distinct", 1, arguments));
    functions.put("array_union", arguments -> own("array_union", 2, arguments));
    functions.put("array_intersect", arguments -> own("array_intersect", 2, arguments));
    functions.put("array_except", ArrayFunctions::except);
    functions.put("arrays_overlap", ArrayFunctions::overlap);
    functions.put("array_min", arguments -> extreme("array_min", false, arguments));
    functions.put("array_max", arguments -> extreme("array_max", true, arguments));
    functions.put("array_join", ArrayFunctions::join);
    functions.put("combinations", arguments -> nested("combinations", arguments));
    functions.put("ngrams", arguments -> nested("ngrams", arguments));
    functions.put("contains_sequence", ArrayFunctions::containsSequence);
    functions.put("flatten", ArrayFunctions::flatten);
    functions.put("reduce", ArrayFunctions::reduce);
    functions.put("reduce_values", ArrayFunctions::reduceValues);
    functions.put("repeat", ArrayFunctions::repeat);
    functions.put("sequence", ArrayFunctions::sequence);
    functions.put("slice", ArrayFunctions::slice);
    functions.put("trim_array", ArrayFunctions::trim);
    functions.put("zip", ArrayFunctions::zip);
    functions.put("array_histogram", ArrayFunctions::histogram);
    functions.put("least_values", arguments -> values(false, arguments));
    functions.put("greatest_values", arguments -> values(true, arguments));
    functions.put("least_values_by", arguments -> valuesBy(false, arguments));
    functions.put("greatest_values_by", arguments -> valuesBy(true, arguments));
  }

  static TrinoFailure unexpected(String name, List<Expression> arguments) {
    return TrinoFailure.function(
        "Unexpected parameters ("
            + String.join(", ", arguments.stream().map(TrinoTypes::text).toList())
            + ") for function "
            + name
            + ".");
  }

  static void count(String name, List<Expression> arguments, int least, int most) {
    if (arguments.size() < least || arguments.size() > most) {
      throw unexpected(name, arguments);
    }
  }

  /** The type as text, which methods that see values of all types need for each row. */
  static Expression typeText(DataType type) {
    return literal(type.json());
  }

  private static ArrayType arrayType(String name, List<Expression> arguments, int at) {
    DataType type = arguments.get(at).dataType();
    if (type instanceof ArrayType array) {
      return array;
    }
    if (type instanceof NullType) {
      return new ArrayType(DataTypes.NullType, true);
    }
    throw unexpected(name, arguments);
  }

  private static Expression integer(String name, List<Expression> arguments, int at) {
    DataType type = arguments.get(at).dataType();
    if (!TrinoTypes.isInteger(type) && !(type instanceof NullType)) {
      throw unexpected(name, arguments);
    }
    return cast(Typed.plain(arguments.get(at)), DataTypes.LongType);
  }

  /** The result with the same name of its type in Trino as the argument has. */
  static Expression like(Expression argument, Expression made) {
    String type = Typed.of(argument);
    return type == null ? made : Typed.as(made, type);
  }

  /** The name in Trino of an array's elements, where Spark's type does not say it. */
  private static String elementName(Expression array) {
    String type = Typed.of(array);
    return type == null || !type.startsWith("array(") ? null : type.substring("array(".length(), type.length() - 1);
  }

  static Expression likeElement(Expression array, Expression made) {
    String type = elementName(array);
    return type == null ? made : Typed.as(made, type);
  }

  static DataType common(String name, List<Expression> arguments, DataType left, DataType right) {
    DataType found = TrinoTypes.common(left, right);
    if (found == null) {
      throw unexpected(name, arguments);
    }
    return found;
  }

  private static Expression array(List<Expression> elements) {
    List<Expression> wide = Wide.isNeeded(elements) ? Wide.unified(elements) : null;
    if (wide != null) {
      Expression made = new CreateArray(Plans.seq(wide.stream().map(Typed::plain).toList()), false);
      return Typed.as(made, "array(" + Wide.of(wide.get(0)) + ")");
    }
    DataType type = DataTypes.NullType;
    String name = null;
    boolean same = true;
    boolean first = true;
    for (Expression each : elements) {
      DataType found = TrinoTypes.common(type, each.dataType());
      if (found == null) {
        throw TrinoFailure.types("All ARRAY elements must be coercible to a common type. Cannot coerce "
            + TrinoTypes.text(each) + " to " + TrinoTypes.text(type));
      }
      type = found;
      if (!(each.dataType() instanceof NullType)) {
        String other = Typed.of(each);
        same &= first || (name == null ? other == null : name.equals(other));
        first = false;
        name = other;
      }
    }
    List<Expression> all = new ArrayList<>();
    for (Expression each : elements) {
      all.add(cast(Typed.plain(each), type));
    }
    Expression made = new CreateArray(Plans.seq(all), false);
    return same && name != null ? Typed.as(made, "array(" + name + ")") : made;
  }

  private static Expression row(List<Expression> fields) {
    List<Expression> parts = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      parts.add(literal("field" + i));
      parts.add(Typed.plain(fields.get(i)));
    }
    return new CreateNamedStruct(Plans.seq(parts));
  }

  private static Expression cardinality(List<Expression> arguments) {
    count("cardinality", arguments, 1, 1);
    Expression value = arguments.get(0);
    if (!(value.dataType() instanceof ArrayType || value.dataType() instanceof MapType || value.dataType() instanceof NullType)) {
      throw unexpected("cardinality", arguments);
    }
    if (value.dataType() instanceof NullType) {
      return Expressions.nothing(DataTypes.LongType);
    }
    return new Cast(call("size", Typed.plain(value)), DataTypes.LongType, Option.empty());
  }

  /** NaN is in no array, and whether a value with a NULL inside is in one cannot be known. */
  private static boolean odd(DataType type) {
    return TrinoTypes.isFloating(type) || TrinoTypes.isNested(type);
  }

  private static Expression search(String name, String own, DataType returns, List<Expression> arguments) {
    count(name, arguments, 2, 2);
    DataType type = common(name, arguments, arrayType(name, arguments, 0).elementType(), arguments.get(1).dataType());
    Expression array = cast(Typed.plain(arguments.get(0)), new ArrayType(type, true));
    Expression element = cast(Typed.plain(arguments.get(1)), type);
    if (type instanceof NullType) {
      return Expressions.nothing(returns);
    }
    if (!odd(type)) {
      return call(own, array, element);
    }
    Expression wanted = new CreateArray(Plans.seq(List.of(element)), false);
    if (name.equals("contains")) {
      return invoke(ArrayMethods.class, "contains", returns, array, wanted, typeText(type));
    }
    return invoke(ArrayMethods.class, "position", returns, array, wanted, typeText(type));
  }

  private static Expression remove(List<Expression> arguments) {
    count("array_remove", arguments, 2, 2);
    DataType type = common("array_remove", arguments, arrayType("array_remove", arguments, 0).elementType(), arguments.get(1).dataType());
    ArrayType made = new ArrayType(type, true);
    Expression array = cast(Typed.plain(arguments.get(0)), made);
    Expression element = cast(Typed.plain(arguments.get(1)), type);
    if (!odd(type)) {
      return like(arguments.get(0), call("array_remove", array, element));
    }
    Expression wanted = new CreateArray(Plans.seq(List.of(element)), false);
    return invoke(ArrayMethods.class, "remove", made, array, wanted, typeText(type));
  }

  private static List<Expression> arrays(String name, int size, List<Expression> arguments) {
    count(name, arguments, size, size);
    DataType type = DataTypes.NullType;
    for (int i = 0; i < size; i++) {
      type = common(name, arguments, type, arrayType(name, arguments, i).elementType());
    }
    List<Expression> all = new ArrayList<>();
    for (Expression each : arguments) {
      all.add(cast(Typed.plain(each), new ArrayType(type, true)));
    }
    return all;
  }

  private static Expression own(String name, int size, List<Expression> arguments) {
    return like(arguments.get(0), call(name, arrays(name, size, arguments).toArray(new Expression[0])));
  }

  /** Nothing is taken from an array, not even what it has twice, when the other one is empty. */
  private static Expression except(List<Expression> arguments) {
    List<Expression> all = arrays("array_except", 2, arguments);
    Expression none = Expressions.operator("=", new org.apache.spark.sql.catalyst.expressions.Size(all.get(1), false), literal(0));
    return like(arguments.get(0), new If(none, all.get(0), call("array_except", all.get(0), all.get(1))));
  }

  private static Expression overlap(List<Expression> arguments) {
    List<Expression> all = arrays("arrays_overlap", 2, arguments);
    return call("arrays_overlap", all.get(0), all.get(1));
  }

  private static Expression extreme(String name, boolean most, List<Expression> arguments) {
    count(name, arguments, 1, 1);
    ArrayType type = arrayType(name, arguments, 0);
    if (type.elementType() instanceof NullType) {
      return Expressions.nothing(DataTypes.NullType);
    }
    if (type.elementType() instanceof MapType) {
      throw unexpected(name, arguments);
    }
    Expression array = Typed.plain(arguments.get(0));
    Expression at = invoke(ArrayMethods.class, "extreme", DataTypes.IntegerType, array, literal(most), typeText(type.elementType()));
    return likeElement(arguments.get(0), call("try_element_at", array, at));
  }


  private static Expression join(List<Expression> arguments) {
    count("array_join", arguments, 2, 3);
    ArrayType type = arrayType("array_join", arguments, 0);
    if (type.elementType() instanceof org.apache.spark.sql.types.BinaryType) {
      throw unexpected("array_join", arguments);
    }
    String name = elementName(arguments.get(0));
    Expression array = cast(Typed.plain(arguments.get(0)), type);
    Expression texts =
        transform(
            array,
            element -> Typed.plain(Casts.to(name == null ? element : Typed.as(element, name), TrinoType.of("varchar"))));
    List<Expression> all = new ArrayList<>();
    all.add(texts);
    for (Expression each : arguments.subList(1, arguments.size())) {
      if (TrinoTypes.distance(each.dataType(), DataTypes.StringType) >= TrinoTypes.NEVER) {
        throw unexpected("array_join", arguments);
      }
      all.add(cast(Typed.plain(each), DataTypes.StringType));
    }
    return call("array_join", all.toArray(new Expression[0]));
  }

  private static Expression nested(String name, List<Expression> arguments) {
    count(name, arguments, 2, 2);
    ArrayType type = arrayType(name, arguments, 0);
    Expression made =
        invoke(ArrayMethods.class, name, new ArrayType(type, true), cast(Typed.plain(arguments.get(0)), type),
            integer(name, arguments, 1), typeText(type.elementType()));
    String of = Typed.of(arguments.get(0));
    return of == null ? made : Typed.as(made, "array(" + of + ")");
  }

  private static Expression containsSequence(List<Expression> arguments) {
    List<Expression> all = arrays("contains_sequence", 2, arguments);
    DataType element = ((ArrayType) all.get(0).dataType()).elementType();
    return invoke(ArrayMethods.class, "containsSequence", DataTypes.BooleanType, all.get(0), all.get(1), typeText(element));
  }

  /** Arrays that are NULL are left out. */
  private static Expression flatten(List<Expression> arguments) {
    count("flatten", arguments, 1, 1);
    ArrayType type = arrayType("flatten", arguments, 0);
    if (!(type.elementType() instanceof ArrayType)) {
      throw unexpected("flatten", arguments);
    }
    return likeElement(arguments.get(0), call("flatten", call("array_compact", Typed.plain(arguments.get(0)))));
  }

  /** The state may become NULL, and have NULLs inside, where the first one has none: Spark takes its type from that. */
  private static Expression reduce(List<Expression> arguments) {
    if (arguments.size() != 4) {
      throw TrinoFailure.function("The function reduce takes an array, a state and two lambdas.");
    }
    Expression state = Typed.plain(arguments.get(1));
    Expression open = TrinoTypes.isNested(state.dataType()) ? new Cast(state, state.dataType().asNullable(), Option.empty()) : state;
    return new ArrayAggregate(Typed.plain(arguments.get(0)), open, arguments.get(2), arguments.get(3));
  }

  /** {@code reduce_agg} of collected values; NULL for none of them. */
  private static Expression reduceValues(List<Expression> arguments) {
    Expression state = arguments.get(1);
    if (TrinoTypes.isNested(state.dataType())) {
      throw TrinoFailure.unsupported("State type not supported for reduce_agg: " + TrinoTypes.text(state));
    }
    Expression values = Typed.plain(arguments.get(0));
    Expression first = Typed.plain(state);
    // `0` is the first of sums of bigints, too.
    if (values.dataType() instanceof ArrayType of && TrinoTypes.isInteger(of.elementType()) && TrinoTypes.isInteger(first.dataType())) {
      first = cast(first, TrinoTypes.common(first.dataType(), of.elementType()));
    }
    Expression some = call("nullif", values, call("array"));
    Expression made = new ArrayAggregate(some, first, arguments.get(2), LambdaFunction.identity());
    return Typed.of(state) == null ? made : Typed.as(made, Typed.of(state));
  }

  private static Expression repeat(List<Expression> arguments) {
    count("repeat", arguments, 2, 2);
    Expression size = invoke(ArrayMethods.class, "repetitions", DataTypes.IntegerType, integer("repeat", arguments, 1));
    Expression made = call("array_repeat", Typed.plain(arguments.get(0)), size);
    String of = Typed.of(arguments.get(0));
    return of == null ? made : Typed.as(made, "array(" + of + ")");
  }

  private static Expression sequence(List<Expression> arguments) {
    count("sequence", arguments, 2, 3);
    DataType type = common("sequence", arguments, arguments.get(0).dataType(), arguments.get(1).dataType());
    DataType step = arguments.size() == 3 ? arguments.get(2).dataType() : null;
    boolean numbers = TrinoTypes.isInteger(type) && (step == null || TrinoTypes.isInteger(step));
    boolean dates = type instanceof DateType && (step == null || step instanceof DayTimeIntervalType);
    boolean months = (type instanceof DateType || type instanceof TimestampNTZType) && step instanceof YearMonthIntervalType;
    boolean times = type instanceof TimestampNTZType && step instanceof DayTimeIntervalType;
    if (!numbers && !dates && !months && !times) {
      throw unexpected("sequence", arguments);
    }
    DataType each = numbers ? DataTypes.LongType : type;
    List<Expression> all = new ArrayList<>();
    all.add(cast(Typed.plain(arguments.get(0)), each));
    all.add(cast(Typed.plain(arguments.get(1)), each));
    if (step != null) {
      DataType wide = numbers ? DataTypes.LongType : months ? DataTypes.createYearMonthIntervalType() : DataTypes.createDayTimeIntervalType();
      all.add(cast(Typed.plain(arguments.get(2)), wide));
    }
    String method = (numbers ? "numbers" : dates ? "dates" : times ? "times" : type instanceof DateType ? "dateMonths" : "timeMonths");
    Expression made =
        Expressions.invoke(ArrayMethods.class, method, new ArrayType(each, false), true, all);
    String name = Typed.of(arguments.get(0));
    return name == null || numbers || dates ? made : Typed.as(made, "array(" + name + ")");
  }

  private static Expression slice(List<Expression> arguments) {
    count("slice", arguments, 3, 3);
    ArrayType type = arrayType("slice", arguments, 0);
    return like(arguments.get(0), invoke(ArrayMethods.class, "slice", type, cast(Typed.plain(arguments.get(0)), type),
        integer("slice", arguments, 1), integer("slice", arguments, 2), typeText(type.elementType())));
  }

  private static Expression trim(List<Expression> arguments) {
    count("trim_array", arguments, 2, 2);
    ArrayType type = arrayType("trim_array", arguments, 0);
    return like(arguments.get(0), invoke(ArrayMethods.class, "trim", type, cast(Typed.plain(arguments.get(0)), type),
        integer("trim_array", arguments, 1), typeText(type.elementType())));
  }

  private static Expression zip(List<Expression> arguments) {
    count("zip", arguments, 2, 5);
    List<Expression> all = new ArrayList<>();
    StructField[] fields = new StructField[arguments.size()];
    for (int i = 0; i < fields.length; i++) {
      ArrayType type = arrayType("zip", arguments, i);
      fields[i] = new StructField("field" + i, type.elementType(), true, Metadata.empty());
      all.add(cast(Typed.plain(arguments.get(i)), type));
    }
    return new Cast(
        call("arrays_zip", all.toArray(new Expression[0])), new ArrayType(new StructType(fields), true), Option.empty());
  }

  private static Expression histogram(List<Expression> arguments) {
    count("array_histogram", arguments, 1, 1);
    ArrayType type = arrayType("array_histogram", arguments, 0);
    MapType made = new MapType(type.elementType(), DataTypes.LongType, false);
    return invoke(ArrayMethods.class, "histogram", made, cast(Typed.plain(arguments.get(0)), type), typeText(type.elementType()));
  }

  /** The first {@code n} of collected values in their order: {@code min(x, n)} and {@code max(x, n)}. */
  private static Expression values(boolean most, List<Expression> arguments) {
    ArrayType type = arrayType("min", arguments, 0);
    return like(arguments.get(0), invoke(ArrayMethods.class, "firstValues", type, cast(Typed.plain(arguments.get(0)), type),
        integer("min", arguments, 1), literal(most), typeText(type.elementType())));
  }

  /** As {@link #values}, of collected rows of a value and what to order it by. */
  private static Expression valuesBy(boolean most, List<Expression> arguments) {
    StructType row = (StructType) arrayType("min_by", arguments, 0).elementType();
    return invoke(ArrayMethods.class, "firstValuesBy", new ArrayType(row.fields()[0].dataType(), true),
        Typed.plain(arguments.get(0)), integer("min_by", arguments, 1), literal(most), typeText(row));
  }
}
