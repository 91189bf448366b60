package sqe.spark.trino;

import static sqe.spark.trino.Expressions.literal;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MapFromArrays;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/** Casts from and to JSON, which is text to Spark. */
final class JsonCasts {
  private static final List<String> SCALARS =
      List.of("boolean", "tinyint", "smallint", "integer", "int", "bigint", "real", "double", "decimal", "varchar");

  private JsonCasts() {}

  static Expression converted(Expression value, TrinoType type) {
    if (!Typed.is(value, "json")) {
      return toJson(value);
    }
    if (type.name().equals("json")) {
      return Typed.plain(value);
    }
    if (!isRead(type)) {
      throw TrinoFailure.types("Cannot cast json to " + type);
    }
    Expression read =
        Expressions.invoke(
            JsonCastMethods.class, "read", row(type.spark()), Typed.plain(value), literal(type.toString()));
    return new GetStructField(read, 0, Option.empty());
  }

  private static Expression toJson(Expression value) {
    TrinoType type = typeOf(value);
    if (!isWritten(type)) {
      throw TrinoFailure.types("Cannot cast " + TrinoTypes.text(value) + " to json");
    }
    Expression plain = Typed.plain(value);
    return Expressions.invoke(
        JsonCastMethods.class,
        "write",
        DataTypes.StringType,
        new CreateNamedStruct(Plans.seq(List.of(literal("value"), plain))),
        literal(plain.dataType().json()),
        literal(type.toString()));
  }

  /** A row of one value, so that one method serves all types. */
  static StructType row(DataType type) {
    return new StructType(new StructField[] {new StructField("value", type, true, Metadata.empty())});
  }

  private static boolean isRead(TrinoType type) {
    return switch (type.name()) {
      case "array", "row" -> type.types().stream().allMatch(JsonCasts::isRead);
      case "map" -> SCALARS.contains(type.types().get(0).name()) && isRead(type.types().get(1));
      default -> SCALARS.contains(type.name()) || type.name().equals("json");
    };
  }

  private static boolean isWritten(TrinoType type) {
    return switch (type.name()) {
      case "array", "row" -> type.types().stream().allMatch(JsonCasts::isWritten);
      case "map" -> {
        String key = type.types().get(0).name();
        yield (SCALARS.contains(key) || key.equals("unknown")) && isWritten(type.types().get(1));
      }
      case "json", "date", "timestamp", "unknown" -> true;
      default -> SCALARS.contains(type.name());
    };
  }

  /** Trino's type of an expression, from the names that it or the parts of a constructor carry. */
  static TrinoType typeOf(Expression value) {
    String typed = Typed.of(value);
    if (typed != null) {
      return TrinoType.of(typed);
    }
    List<Expression> children = CollectionConverters.asJava(value.children());
    if (value instanceof CreateArray && !children.isEmpty()) {
      List<Expression> known = children.stream().filter(child -> !isNothing(child)).toList();
      TrinoType element = (known.isEmpty() ? children : known).stream().map(JsonCasts::typeOf).reduce(JsonCasts::merged).orElseThrow();
      return new TrinoType("array", List.of(), List.of(element), List.of());
    }
    if (value instanceof MapFromArrays) {
      TrinoType keys = typeOf(children.get(0));
      TrinoType values = typeOf(children.get(1));
      if (keys.name().equals("array") && values.name().equals("array")) {
        return new TrinoType("map", List.of(), List.of(keys.types().get(0), values.types().get(0)), List.of());
      }
    }
    if (value instanceof CreateNamedStruct row) {
      return typeOfRow(row);
    }
    for (Expression child : children) { // such as a check around a value, or a branch
      if (TrinoTypes.isNested(value.dataType()) && child.resolved() && child.dataType().sameType(value.dataType())) {
        return typeOf(child);
      }
    }
    return typeOf(value.dataType());
  }

  private static boolean isNothing(Expression value) {
    Expression plain = Typed.plain(value);
    return plain instanceof Literal literal ? literal.value() == null : plain instanceof Cast cast && isNothing(cast.child());
  }

  private static TrinoType typeOfRow(CreateNamedStruct row) {
    List<Expression> parts = CollectionConverters.asJava(row.children());
    List<TrinoType> types = new ArrayList<>();
    List<String> names = new ArrayList<>();
    boolean anonymous = true; // what ROW(a, b) becomes has the names of its columns, or none
    for (int i = 0; i < parts.size(); i += 2) {
      String name = Expressions.constantText(parts.get(i));
      Expression part = parts.get(i + 1);
      anonymous &= ("col" + (i / 2 + 1)).equals(name) || ("field" + i / 2).equals(name) || (part instanceof NamedExpression named && named.name().equals(name));
      names.add(name);
      types.add(typeOf(part));
    }
    if (anonymous) {
      names.replaceAll(name -> null);
    }
    return new TrinoType("row", List.of(), types, names);
  }

  /** The type of two elements of one array. */
  private static TrinoType merged(TrinoType one, TrinoType other) {
    if (one.name().equals("unknown") || one.equals(other)) {
      return other;
    }
    if (one.name().equals("timestamp") && other.name().equals("timestamp")) {
      return one.numbers().get(0) >= other.numbers().get(0) ? one : other;
    }
    return one;
  }

  private static TrinoType typeOf(DataType type) {
    if (type instanceof ArrayType array) {
      return new TrinoType("array", List.of(), List.of(typeOf(array.elementType())), List.of());
    }
    if (type instanceof MapType map) {
      return new TrinoType("map", List.of(), List.of(typeOf(map.keyType()), typeOf(map.valueType())), List.of());
    }
    if (!(type instanceof StructType row) || Wide.of(type) != null) {
      return TrinoType.of(TrinoTypes.text(type));
    }
    List<TrinoType> types = new ArrayList<>();
    List<String> names = new ArrayList<>();
    boolean unnamed = true;
    boolean unknown = true;
    for (int i = 0; i < row.length(); i++) {
      StructField field = row.fields()[i];
      types.add(typeOf(field.dataType()));
      names.add(field.name());
      unnamed &= field.name().equals("field" + i);
      unknown &= field.name().equals("col" + (i + 1));
    }
    if (unknown) {
      throw TrinoFailure.unsupported("The cast of this row to json is not supported: give its fields names with a cast to a row.");
    }
    if (unnamed) {
      names.replaceAll(name -> null);
    }
    return new TrinoType("row", List.of(), types, names);
  }
}
