package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/** Subscripts, which fail where nothing is, and {@code element_at}, which is NULL there. */
final class Collections {
  private Collections() {}

  static void register(Map<String, Builder> functions) {
    functions.put("subscript", Collections::subscript);
  }

  private static Expression subscript(List<Expression> arguments) {
    Expression value = arguments.get(0);
    Expression key = arguments.get(1);
    DataType type = value.dataType();
    if (type instanceof ArrayType && (TrinoTypes.isInteger(key.dataType()) || key.dataType() instanceof NullType)) {
      Expression index = invoke(CollectionMethods.class, "subscript", DataTypes.IntegerType,
          cast(key, DataTypes.LongType), call("size", value));
      // ANSI mode takes no account of a NULL index.
      return TypeNames.element(value, call("try_element_at", Typed.plain(value), index));
    }
    if (type instanceof MapType map) {
      DataType common = TrinoTypes.common(map.keyType(), key.dataType());
      if (common == null || !common.sameType(map.keyType())) {
        throw TrinoFailure.types("Cannot use " + TrinoTypes.text(key) + " for subscript of " + TrinoTypes.text(value));
      }
      Expression wanted = cast(key, map.keyType());
      Expression there = invoke(CollectionMethods.class, "present", DataTypes.BooleanType,
          call("map_contains_key", Typed.plain(value), wanted));
      return TypeNames.element(
          value,
          new org.apache.spark.sql.catalyst.expressions.If(
              there, call("element_at", Typed.plain(value), wanted), Expressions.nothing(map.valueType())));
    }
    Long ordinal = Expressions.constantNumber(key);
    if (type instanceof StructType row && ordinal != null && Wide.of(type) == null) {
      if (ordinal < 1 || ordinal > row.length()) {
        throw TrinoFailure.argument("Invalid subscript index: " + ordinal + ". ROW indices start at 1");
      }
      return new GetStructField(value, (int) (ordinal - 1), Option.empty());
    }
    if (type instanceof NullType) {
      return call("element_at", value, key);
    }
    throw TrinoFailure.types("Cannot use " + TrinoTypes.text(key) + " for subscript of " + TrinoTypes.text(value));
  }
}
