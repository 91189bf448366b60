package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;
import static sqe.spark.trino.Expressions.transform;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.ArrayAggregate;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.Size;
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
    functions.put("array_intersect", ArrayFunctions::intersect);
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

  static Expression likeElement(Expression array, Expression made) {
    return TypeNames.element(array, made);
  }

  static DataType common(String name, List<Expression> arguments, DataType left, DataType right) {
    DataType found = TrinoTypes.common(left, right);
    if (found == null) {
      throw unexpected(name, arguments);
    }
    return found;
  }

  private static Expression array(List<Expression> elements) {
    Unified all = Unified.of(elements, "All ARRAY elements");
    return TypeNames.named(new CreateArray(Plans.seq(all.values()), false), TypeNames.array(all.typed()));
  }

  private static Expression row(List<Expression> fields) {
    List<Expression> parts = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      Expression part = TypeNames.part(fields.get(i));
      parts.add(literal("field" + i));
      parts.add(Typed.plain(part));
      names.add(Typed.of(part));
    }
    Expression made = new CreateNamedStruct(Plans.seq(parts));
    return TypeNames.named(made, made.dataType() instanceof StructType type ? TypeNames.row(names, type) : null);
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

  /** In the order of the longer array. */
  private static Expression intersect(List<Expression> arguments) {
    List<Expression> all = arrays("array_intersect", 2, arguments);
    Expression one = all.get(0);
    Expression other = all.get(1);
    Expression longer = Expressions.operator("<", new Size(one, false), new Size(other, false));
    Expression made = new If(longer, call("array_intersect", other, one), call("array_intersect", one, other));
    return like(arguments.get(0), made);
  }

  /** The elements in their order, NULLs last. */
  static Expression sorted(List<Expression> arguments) {
    count("array_sort", arguments, 1, 1);
    ArrayType type = arrayType("array_sort", arguments, 0);
    Expression array = cast(Typed.plain(arguments.get(0)), type);
    String name = TypeNames.last(arguments.get(0));
    if (type.elementType() instanceof MapType || "json".equals(name)) {
      throw unexpected("array_sort", arguments);
    }
    if ("ipaddress".equals(name)) {
      ArrayType bytes = new ArrayType(DataTypes.BinaryType, true);
      Expression ordered = invoke(ArrayMethods.class, "sorted", bytes, addresses(array), typeText(bytes.elementType()));
      return like(arguments.get(0), transform(ordered, Addresses::ofBytes));
    }
    boolean nested = TrinoTypes.isNested(type.elementType()) && Wide.of(type.elementType()) == null;
    Expression made =
        nested ? invoke(ArrayMethods.class, "sorted", type, array, typeText(type.elementType())) : call("array_sort", array);
    return like(arguments.get(0), made);
  }

  /** Addresses as bytes, which have their order. */
  private static Expression addresses(Expression array) {
    return transform(array, Addresses::toBytes);
  }

  /** Nothing is taken from an array, not even what it has twice, when the other one is empty. */
  private static Expression except(List<Expression> arguments) {
    List<Expression> all = arrays("array_except", 2, arguments);
    Expression none = Expressions.operator("=", new Size(all.get(1), false), literal(0));
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
    boolean addresses = "ipaddress".equals(TypeNames.last(arguments.get(0)));
    Expression keys = addresses ? addresses(array) : array;
    DataType key = addresses ? DataTypes.BinaryType : type.elementType();
    Expression at = invoke(ArrayMethods.class, "extreme", DataTypes.IntegerType, keys, literal(most), typeText(key));
    return likeElement(arguments.get(0), call("try_element_at", array, at));
  }


  private static Expression join(List<Expression> arguments) {
    count("array_join", arguments, 2, 3);
    ArrayType type = arrayType("array_join", arguments, 0);
    if (type.elementType() instanceof org.apache.spark.sql.types.BinaryType) {
      throw unexpected("array_join", arguments);
    }
    String name = TypeNames.last(arguments.get(0));
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
    String own = Typed.of(arguments.get(1));
    List<String> names = Arrays.asList(own, TypeNames.last(arguments.get(0)));
    Expression merge = arguments.get(2) instanceof LambdaFunction lambda ? Lambdas.typed(lambda, names) : arguments.get(2);
    Expression finish = arguments.get(3) instanceof LambdaFunction lambda ? Lambdas.typed(lambda, names) : arguments.get(3);
    return new ArrayAggregate(Typed.plain(arguments.get(0)), open, merge, finish);
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
    List<String> names = arguments.stream().map(TypeNames::last).toList();
    Expression made =
        new Cast(call("arrays_zip", all.toArray(new Expression[0])), new ArrayType(new StructType(fields), true), Option.empty());
    return TypeNames.named(made, TypeNames.array(TypeNames.row(names, new StructType(fields))));
  }

  private static Expression histogram(List<Expression> arguments) {
    count("array_histogram", arguments, 1, 1);
    ArrayType type = arrayType("array_histogram", arguments, 0);
    MapType made = new MapType(type.elementType(), DataTypes.LongType, false);
    Expression counted =
        invoke(ArrayMethods.class, "histogram", made, cast(Typed.plain(arguments.get(0)), type), typeText(type.elementType()));
    return TypeNames.named(counted, TypeNames.map(TypeNames.last(arguments.get(0)), null, made));
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
    Expression made = invoke(ArrayMethods.class, "firstValuesBy", new ArrayType(row.fields()[0].dataType(), true),
        Typed.plain(arguments.get(0)), integer("min_by", arguments, 1), literal(most), typeText(row));
    List<String> parts = TypeNames.names(TypeNames.last(arguments.get(0)));
    return parts.isEmpty() ? made : TypeNames.named(made, TypeNames.array(parts.get(0)));
  }
}
