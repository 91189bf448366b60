package sqe.spark.trino;

import static sqe.spark.trino.ArrayFunctions.count;
import static sqe.spark.trino.ArrayFunctions.like;
import static sqe.spark.trino.ArrayFunctions.typeText;
import static sqe.spark.trino.ArrayFunctions.unexpected;
import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.MapEntries;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/** Functions of maps, and the maps that aggregates make of collected rows. */
final class MapFunctions {
  private MapFunctions() {}

  static void register(Map<String, Builder> functions) {
    functions.put("element_at", MapFunctions::elementAt);
    functions.put("map", MapFunctions::map);
    functions.put("map_concat", MapFunctions::concat);
    functions.put("map_entries", MapFunctions::entries);
    functions.put("map_from_entries", MapFunctions::fromEntries);
    functions.put("multimap_from_entries", arguments -> multimap("multimap_from_entries", "multimap", arguments));
    functions.put("collected_map", MapFunctions::collectedMap);
    functions.put("collected_multimap", arguments -> multimap("multimap_agg", "collectedMultimap", arguments));
    functions.put("collected_union", MapFunctions::collectedUnion);
    functions.put("collected_histogram", MapFunctions::collectedHistogram);
  }

  private static Expression map(List<Expression> arguments) {
    if (arguments.isEmpty()) {
      return Typed.as(call("map"), "map(unknown, unknown)");
    }
    count("map", arguments, 2, 2);
    Expression keys = Typed.plain(arguments.get(0));
    Expression values = Typed.plain(arguments.get(1));
    if (!(keys.dataType() instanceof ArrayType) || !(values.dataType() instanceof ArrayType)) {
      return call("map_from_arrays", keys, values);
    }
    Expression checked =
        invoke(MapMethods.class, "sameLength", DataTypes.BooleanType, call("size", keys), call("size", values));
    Expression made = new If(checked, call("map_from_arrays", keys, values), Expressions.nothing(DataTypes.NullType));
    MapType type = new MapType(((ArrayType) keys.dataType()).elementType(), ((ArrayType) values.dataType()).elementType(), true);
    return TypeNames.named(made, TypeNames.map(TypeNames.last(arguments.get(0)), TypeNames.last(arguments.get(1)), type));
  }

  private static Expression elementAt(List<Expression> arguments) {
    count("element_at", arguments, 2, 2);
    Expression value = Typed.plain(arguments.get(0));
    Expression key = Typed.plain(arguments.get(1));
    if (value.dataType() instanceof MapType map) {
      DataType type = ArrayFunctions.common("element_at", arguments, map.keyType(), key.dataType());
      MapType wide = new MapType(type, map.valueType(), map.valueContainsNull());
      return TypeNames.element(arguments.get(0), call("try_element_at", cast(value, wide), cast(key, type)));
    }
    boolean index = TrinoTypes.isInteger(key.dataType()) || key.dataType() instanceof NullType;
    if (value.dataType() instanceof ArrayType && index) {
      Expression at = invoke(MapMethods.class, "index", DataTypes.IntegerType, cast(key, DataTypes.LongType), call("size", value));
      return ArrayFunctions.likeElement(arguments.get(0), call("try_element_at", value, at));
    }
    if (value.dataType() instanceof NullType) {
      return Expressions.nothing(DataTypes.NullType);
    }
    throw unexpected("element_at", arguments);
  }

  private static Expression concat(List<Expression> arguments) {
    if (arguments.size() < 2) {
      throw TrinoFailure.function("There must be two or more concatenation arguments to map_concat");
    }
    DataType type = DataTypes.NullType;
    for (Expression each : arguments) {
      type = ArrayFunctions.common("map_concat", arguments, type, each.dataType());
    }
    if (!(type instanceof MapType map)) {
      throw unexpected("map_concat", arguments);
    }
    Expression made = null;
    for (Expression each : arguments) {
      Expression next = cast(Typed.plain(each), map);
      made = made == null ? next : invoke(MapMethods.class, "concat", map, made, next, typeText(map));
    }
    return like(arguments.get(0), made);
  }

  private static Expression entries(List<Expression> arguments) {
    count("map_entries", arguments, 1, 1);
    if (!(arguments.get(0).dataType() instanceof MapType map)) {
      throw unexpected("map_entries", arguments);
    }
    StructField key = new StructField("field0", map.keyType(), false, Metadata.empty());
    StructField value = new StructField("field1", map.valueType(), map.valueContainsNull(), Metadata.empty());
    StructType row = new StructType(new StructField[] {key, value});
    Expression made = new Cast(new MapEntries(Typed.plain(arguments.get(0))), new ArrayType(row, false), Option.empty());
    List<String> names = Arrays.asList(TypeNames.first(arguments.get(0)), TypeNames.last(arguments.get(0)));
    return TypeNames.named(made, TypeNames.array(TypeNames.row(names, row)));
  }

  private static StructType pair(String name, List<Expression> arguments) {
    count(name, arguments, 1, 1);
    if (arguments.get(0).dataType() instanceof ArrayType array
        && array.elementType() instanceof StructType row
        && row.length() == 2) {
      return row;
    }
    throw unexpected(name, arguments);
  }

  /** A map of collected rows, with the names of their two parts; lists: of arrays of values. */
  private static Expression named(List<Expression> arguments, Expression made, boolean lists) {
    List<String> parts = TypeNames.names(TypeNames.last(arguments.get(0)));
    if (parts.size() != 2) {
      return made;
    }
    return TypeNames.named(made, TypeNames.map(parts.get(0), lists ? TypeNames.array(parts.get(1)) : parts.get(1), made.dataType()));
  }

  private static Expression fromEntries(List<Expression> arguments) {
    StructType row = pair("map_from_entries", arguments);
    MapType type = new MapType(row.fields()[0].dataType(), row.fields()[1].dataType(), true);
    return named(arguments, invoke(MapMethods.class, "fromEntries", type, Typed.plain(arguments.get(0)), typeText(row)), false);
  }

  private static Expression multimap(String name, String method, List<Expression> arguments) {
    StructType row = pair(name, arguments);
    MapType type = new MapType(row.fields()[0].dataType(), new ArrayType(row.fields()[1].dataType(), true), true);
    return named(arguments, invoke(MapMethods.class, method, type, Typed.plain(arguments.get(0)), typeText(row)), true);
  }

  private static Expression collectedMap(List<Expression> arguments) {
    StructType row = pair("map_agg", arguments);
    MapType type = new MapType(row.fields()[0].dataType(), row.fields()[1].dataType(), true);
    return named(arguments, invoke(MapMethods.class, "collectedMap", type, Typed.plain(arguments.get(0)), typeText(row)), false);
  }

  private static Expression collectedUnion(List<Expression> arguments) {
    if (arguments.get(0).dataType() instanceof ArrayType array && array.elementType() instanceof MapType map) {
      return ArrayFunctions.likeElement(
          arguments.get(0), invoke(MapMethods.class, "collectedUnion", map, Typed.plain(arguments.get(0)), typeText(map)));
    }
    throw unexpected("map_union", arguments);
  }

  private static Expression collectedHistogram(List<Expression> arguments) {
    ArrayType array = (ArrayType) arguments.get(0).dataType();
    MapType type = new MapType(array.elementType(), DataTypes.LongType, false);
    Expression made =
        invoke(MapMethods.class, "collectedHistogram", type, Typed.plain(arguments.get(0)), typeText(array.elementType()));
    return TypeNames.named(made, TypeNames.map(TypeNames.last(arguments.get(0)), null, type));
  }
}
