package sqe.spark.trino;

import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import sqe.spark.Plans;

/**
 * The functions of SQL/JSON, whose clauses the gateway writes as arguments ({@code sql/dialects/trino_json.py}).
 *
 * <p>A format is {@code json}, {@code json utf8}, {@code json utf16} or {@code json utf32}; empty without one.
 */
final class SqlJson {
  private static final TrinoType VARCHAR = TrinoType.of("varchar");
  private static final Set<String> VALUES =
      Set.of(
          "boolean", "tinyint", "smallint", "integer", "int", "bigint", "real", "double", "decimal", "varchar", "char", "date",
          "timestamp", "time");

  /** In the formats of values: it is JSON. */
  static final char FORMATTED = 'j';

  /** It is JSON behind PASSING, where a path sees NULL as no item at all. */
  static final char PASSED = 'p';

  private SqlJson() {}

  static void register(Map<String, Builder> functions) {
    functions.put("json_exists", SqlJson::exists);
    functions.put("json_value", SqlJson::value);
    functions.put("json_query", SqlJson::query);
    functions.put("json_array", SqlJson::array);
    functions.put("json_object", SqlJson::object);
  }

  private static String text(List<Expression> arguments, int number) {
    return Expressions.constantText(arguments.get(number));
  }

  /** The text of an input that is JSON. */
  private static Expression input(Expression value, String format) {
    DataType type = value.dataType();
    String typed = Typed.of(value);
    boolean text = typed == null || typed.startsWith("varchar") || typed.startsWith("char");
    if (type instanceof NullType) {
      return Expressions.cast(value, DataTypes.StringType);
    }
    if (type instanceof StringType && text && !format.contains("utf")) {
      return Typed.plain(value);
    }
    if (type instanceof BinaryType) {
      return invoke(SqlJsonMethods.class, "decoded", DataTypes.StringType, Typed.plain(value), literal(format));
    }
    throw TrinoFailure.types(
        "Cannot read input of type " + TrinoTypes.text(value) + " as JSON using formatting " + (format.isEmpty() ? "JSON" : format));
  }

  /** The path, which has to be a right one. */
  private static Expression path(List<Expression> arguments, int own) {
    String path = text(arguments, 2);
    List<String> names = new ArrayList<>();
    for (int i = own; i < arguments.size(); i += 3) {
      names.add(text(arguments, i));
    }
    for (String name : JsonPath.of(path).variables()) {
      if (!names.contains(name)) {
        throw TrinoFailure.argument("no value passed for parameter " + name);
      }
    }
    return literal(path);
  }

  /** The text of an object of the values that PASSING gives: each with its name and format, behind a function's own arguments. */
  private static Expression passed(List<Expression> arguments, int own) {
    if (arguments.size() == own) {
      return literal("{}");
    }
    List<Expression> members = new ArrayList<>(List.of(literal("null"), literal("varchar"), literal(""), literal("")));
    for (int i = own; i < arguments.size(); i += 3) {
      Expression value = arguments.get(i + 1);
      DataType type = value.dataType();
      boolean plain = type instanceof StringType || type instanceof BooleanType || TrinoTypes.isInteger(type) || type instanceof NullType;
      if (!plain && text(arguments, i + 2).isEmpty()) {
        throw TrinoFailure.unsupported("The type " + TrinoTypes.text(value) + " is not supported in the clause PASSING.");
      }
      members.addAll(arguments.subList(i, i + 3));
    }
    return Typed.plain(object(members, PASSED));
  }

  /** JSON that a function made, as the type that its clause RETURNING names. */
  private static Expression returned(Expression json, String type, String format) {
    TrinoType wanted = TrinoType.of(type);
    if (wanted.name().equals("varbinary")) {
      return invoke(SqlJsonMethods.class, "encoded", DataTypes.BinaryType, json, literal(format));
    }
    boolean text = (wanted.name().equals("varchar") || wanted.name().equals("char")) && !format.contains("utf");
    if (!text) {
      throw TrinoFailure.types("Cannot output JSON value as " + wanted + " using formatting JSON");
    }
    return Casts.to(json, wanted);
  }

  private static Expression exists(List<Expression> arguments) {
    return invoke(
        SqlJsonMethods.class,
        "exists",
        DataTypes.BooleanType,
        input(arguments.get(0), text(arguments, 1)),
        path(arguments, 4),
        literal(text(arguments, 3)),
        passed(arguments, 4));
  }

  private static Expression query(List<Expression> arguments) {
    Expression found =
        invoke(
            SqlJsonMethods.class,
            "query",
            DataTypes.StringType,
            input(arguments.get(0), text(arguments, 1)),
            path(arguments, 9),
            literal(text(arguments, 3)),
            literal(text(arguments, 4).equals("omit")),
            literal(text(arguments, 5)),
            literal(text(arguments, 6)),
            passed(arguments, 9));
    String wrapper = text(arguments, 3);
    if (!wrapper.equals("without") && !text(arguments, 4).isEmpty()) {
      throw TrinoFailure.argument(
          text(arguments, 4).toUpperCase() + " QUOTES behavior specified with WITH " + wrapper.toUpperCase() + " ARRAY WRAPPER behavior");
    }
    return returned(found, text(arguments, 7), text(arguments, 8));
  }

  private static Expression value(List<Expression> arguments) {
    TrinoType type = TrinoType.of(text(arguments, 3));
    if (!VALUES.contains(type.name())) {
      throw type.name().equals("timestamp with time zone")
          ? TrinoFailure.unsupported("The function json_value with the type " + type + " is not supported.")
          : TrinoFailure.types("Invalid return type of function JSON_VALUE: " + type);
    }
    DataType to = type.spark();
    StructType answer =
        new StructType(
            new StructField[] {
              new StructField("value", to, true, Metadata.empty()),
              new StructField("default", DataTypes.IntegerType, false, Metadata.empty())
            });
    Expression found =
        invoke(
            SqlJsonMethods.class,
            "value",
            answer,
            input(arguments.get(0), text(arguments, 1)),
            path(arguments, 8),
            literal(type.toString()),
            literal(text(arguments, 4)),
            literal(text(arguments, 5)),
            passed(arguments, 8));
    Expression made = new GetStructField(found, 0, Option.empty());
    if (text(arguments, 4).equals("default")) {
      made = otherwise(found, 1, "EMPTY", arguments.get(6), type, made);
    }
    if (text(arguments, 5).equals("default")) {
      made = otherwise(found, 2, "ERROR", arguments.get(7), type, made);
    }
    return type.needsName() ? Typed.as(made, type.toString()) : made;
  }

  private static Expression otherwise(
      Expression found, int which, String when, Expression value, TrinoType type, Expression rest) {
    boolean fits =
        TrinoTypes.distance(value.dataType(), type.spark()) < TrinoTypes.NEVER && !Typed.is(value, "json");
    if (!fits) {
      throw TrinoFailure.types(
          "Function JSON_VALUE default ON " + when + " result must evaluate to a " + type + " (actual: " + TrinoTypes.text(value) + ")");
    }
    Expression chosen = Expressions.operator("=", new GetStructField(found, 1, Option.empty()), literal(which));
    return new If(chosen, Typed.plain(Casts.to(value, type)), rest);
  }

  /** Arguments: null behaviour, type, format of the result; then each value with its format. */
  private static Expression array(List<Expression> arguments) {
    List<Expression> parts = new ArrayList<>();
    StringBuilder formats = new StringBuilder();
    for (int i = 3; i < arguments.size(); i += 2) {
      parts.add(literal("value" + i));
      parts.add(item(arguments.get(i), text(arguments, i + 1), "JSON_ARRAY", formats));
    }
    Expression row = row(parts);
    Expression made =
        invoke(
            SqlJsonMethods.class,
            "array",
            DataTypes.StringType,
            row,
            literal(row.dataType().json()),
            literal(formats.toString()),
            literal(text(arguments, 0).equals("null")));
    return returned(made, text(arguments, 1), text(arguments, 2));
  }

  /** Arguments: null behaviour, type, format of the result, unique keys; then each key, value and format. */
  private static Expression object(List<Expression> arguments) {
    return object(arguments, FORMATTED);
  }

  private static Expression object(List<Expression> arguments, char formatted) {
    boolean unique = text(arguments, 3).equals("unique");
    List<Expression> parts = new ArrayList<>();
    StringBuilder formats = new StringBuilder();
    for (int i = 4; i < arguments.size(); i += 3) {
      Expression key = arguments.get(i);
      if (!(key.dataType() instanceof StringType) || Typed.is(key, "json")) {
        throw TrinoFailure.argument("Invalid type of JSON object key: " + TrinoTypes.text(key));
      }
      if (unique && !text(arguments, i + 2).isEmpty()) {
        throw TrinoFailure.unsupportedValue(
            "WITH UNIQUE KEYS behavior is not supported for JSON_OBJECT function when input expression has FORMAT");
      }
      parts.add(literal("key" + i));
      parts.add(Typed.plain(key));
      parts.add(literal("value" + i));
      parts.add(item(arguments.get(i + 1), text(arguments, i + 2), "JSON_OBJECT", formats));
    }
    Expression row = row(parts);
    Expression made =
        invoke(
            SqlJsonMethods.class,
            "object",
            DataTypes.StringType,
            row,
            literal(row.dataType().json()),
            literal(formats.toString().replace(FORMATTED, formatted)),
            literal(text(arguments, 0).equals("null")),
            literal(unique));
    return returned(made, text(arguments, 1), text(arguments, 2));
  }

  private static Expression row(List<Expression> parts) {
    return new CreateNamedStruct(Plans.seq(parts));
  }

  /** A value for an array or an object, and in the formats whether it is JSON itself. */
  private static Expression item(Expression value, String format, String function, StringBuilder formats) {
    formats.append(format.isEmpty() ? '-' : FORMATTED);
    if (!format.isEmpty()) {
      return input(value, format);
    }
    DataType type = value.dataType();
    if (type instanceof BooleanType || TrinoTypes.isNumber(type)) {
      return Typed.plain(value);
    }
    if (type instanceof NullType) {
      return Expressions.cast(value, DataTypes.StringType);
    }
    if (type instanceof BinaryType || TrinoTypes.isNested(type)) {
      throw TrinoFailure.unsupportedValue(
          "Unsupported type of value passed to " + function + " function: " + TrinoTypes.text(value));
    }
    return Typed.plain(Casts.to(value, VARCHAR));
  }
}
