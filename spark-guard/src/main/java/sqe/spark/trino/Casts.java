package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;
import static sqe.spark.trino.Expressions.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MapFromArrays;
import org.apache.spark.sql.catalyst.expressions.MapKeys;
import org.apache.spark.sql.catalyst.expressions.MapValues;
import org.apache.spark.sql.catalyst.expressions.TryEval;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import scala.Option;
import sqe.spark.Plans;

/** {@code CAST}, {@code TRY_CAST} and {@code TRY}: numbers are rounded, and text is read and written as Trino does. */
final class Casts {
  private Casts() {}

  static void register(Map<String, Builder> functions) {
    functions.put("cast", arguments -> to(arguments.get(0), type(arguments)));
    functions.put("try_cast", arguments -> tried(arguments.get(0), type(arguments)));
    functions.put("try", arguments -> attempted(arguments.get(0)));
    functions.put("coerced", arguments -> coerced(arguments.get(0), type(arguments), Expressions.constantText(arguments.get(2))));
    functions.put("instant", arguments -> instant(arguments.get(0), arguments.size() > 1));
    functions.put("typed", arguments -> named(arguments.get(0), type(arguments)));
  }

  /** The value of an argument or a result that has a declared type, which it has to become without a cast. */
  private static Expression coerced(Expression value, TrinoType type, String of) {
    DataType from = value.dataType();
    DataType to = type.spark();
    boolean named = Typed.of(value) != null && from instanceof StringType;
    boolean same = named ? Typed.of(value).replaceFirst("\\(.*", "").equals(type.name()) : !isNamed(type);
    boolean fits = from instanceof DecimalType first && to instanceof DecimalType second
        ? first.precision() - first.scale() <= second.precision() - second.scale() && first.scale() <= second.scale()
        : TrinoTypes.distance(from, to) < TrinoTypes.NEVER;
    if (type.name().equals("varchar") && !type.numbers().isEmpty() && from instanceof StringType) {
      Integer bound = Texts.boundOf(value);
      fits = bound != null && bound <= type.numbers().get(0); // nothing is cut without a cast
    }
    if (from instanceof NullType || (fits && (same || !(from instanceof StringType)))) {
      return to(value, type);
    }
    throw TrinoFailure.types(of + " must evaluate to " + type + " (actual: " + TrinoTypes.text(value) + ")");
  }

  /** Whether a type is text to Spark, and not to Trino. */
  private static boolean isNamed(TrinoType type) {
    return List.of("json", "uuid", "ipaddress", "char").contains(type.name());
  }

  /** A timestamp with a zone of its own without that zone: a statement that stores it has no place for it. */
  private static Expression instant(Expression value, boolean merged) {
    if (merged && value.dataType() instanceof TimestampType) { // with values of other zones
      return Typed.as(value, "timestamp(" + TrinoTypes.precision(value) + ") with time zone@" + Typed.OWN_ZONES);
    }
    Wide wide = Wide.of(value);
    if (wide == null || wide.kind() != Wide.Kind.TIMESTAMP_ZONED || wide.digits() > Wide.SPARK_DIGITS) {
      return value;
    }
    return Typed.as(Wide.plain(value), wide + "@" + Typed.OWN_ZONES);
  }

  /** NULL when the value fails; it keeps its type. */
  private static Expression attempted(Expression value) {
    Expression made = new TryEval(Typed.plain(value));
    return Typed.of(value) == null ? made : Typed.as(made, Typed.of(value));
  }

  private static TrinoType type(List<Expression> arguments) {
    return TrinoType.of(Expressions.constantText(arguments.get(1)));
  }

  /** The value with the name of its type in Trino. */
  private static Expression named(Expression value, TrinoType type) {
    // A column that had another type of Trino's would keep it.
    // The type of constant text would have its length.
    boolean unbounded = type.name().equals("varchar") && Expressions.constantText(value) != null;
    return type.needsName() || unbounded || Typed.of(value) != null ? Typed.as(value, type.toString()) : value;
  }

  /** NULL when the cast fails, but not when its operand does. */
  private static Expression tried(Expression value, TrinoType type) {
    Expression made = to(value, type);
    String typed = Typed.of(made);
    Expression tried = new TryEval(Typed.plain(made));
    return typed == null ? tried : Typed.as(tried, typed);
  }

  static Expression to(Expression value, TrinoType type) {
    boolean text = type.name().equals("varchar") || type.name().equals("char");
    if (!text && !(Texts.isChar(value)) && WideCasts.takes(value, type)) {
      return WideCasts.to(value, type);
    }
    Expression made = converted(value, type);
    String zone = type.name().equals("timestamp with time zone") ? zoneOf(value) : null;
    return zone == null ? named(made, type) : Typed.as(made, type + "@" + zone);
  }

  /** The zone of a value that becomes a TIMESTAMP WITH TIME ZONE; null: the session's. */
  private static String zoneOf(Expression value) {
    if (value.dataType() instanceof StringType) {
      String text = Expressions.constantText(value);
      return text == null ? Typed.OWN_ZONES : CastMethods.zoneIn(text);
    }
    return Typed.zone(value);
  }

  private static Expression converted(Expression value, TrinoType type) {
    DataType from = value.dataType();
    DataType to = type.spark();
    Expression plain = Typed.plain(value);
    if (from instanceof NullType) {
      return cast(plain, to);
    }
    if (type.name().equals("json") || Typed.is(value, "json")) {
      return JsonCasts.converted(value, type);
    }
    boolean padded = String.valueOf(Typed.of(value)).startsWith("char(");
    if (padded && (TrinoTypes.isTimestamp(to) || to instanceof TimeType || Wide.of(to) != null)) {
      throw refused(value, type);
    }
    if (from instanceof StringType && !(to instanceof StringType)) {
      return Texts.isText(value) ? fromText(plain, type, to) : fromNamed(value, type);
    }
    if (to instanceof StringType) {
      return toText(value, type);
    }
    if (from instanceof BinaryType || to instanceof BinaryType) {
      boolean bytes = from instanceof BinaryType && to instanceof BinaryType;
      boolean digests = bytes && (type.isDigest() || Typed.of(value) != null);
      Expression made = digests ? DigestFunctions.castOrNull(value, type) : bytes ? plain : null;
      if (made == null) {
        throw refused(value, type);
      }
      return made;
    }
    if (TrinoTypes.isInteger(to) && (TrinoTypes.isFloating(from) || from instanceof DecimalType)) {
      return rounded(plain, to);
    }
    if (from instanceof FloatType && to instanceof DecimalType decimal) {
      return invoke(CastMethods.class, "realToDecimal", to, plain, literal(decimal.precision()), literal(decimal.scale()));
    }
    if (from instanceof DecimalType decimal && TrinoTypes.isFloating(to)) {
      String method = to instanceof FloatType ? "decimalToReal" : "decimalToDouble";
      return invoke(CastMethods.class, method, to, plain, literal(decimal.precision()), literal(decimal.scale()));
    }
    if (TrinoTypes.isFloating(from) && to instanceof DecimalType decimal) {
      return invoke(CastMethods.class, "toDecimal", to, cast(plain, DataTypes.DoubleType), literal(decimal.precision()), literal(decimal.scale()));
    }
    if (TrinoTypes.isTimestamp(from) || from instanceof DateType || from instanceof TimeType) {
      return time(value, type, to);
    }
    if (TrinoTypes.isNested(from) || TrinoTypes.isNested(to)) {
      return nested(value, type, to);
    }
    if (!isAllowed(from, to)) {
      throw refused(value, type);
    }
    return cast(plain, to);
  }

  private static boolean isAllowed(DataType from, DataType to) {
    boolean numbers = isNumberOrBoolean(from) && isNumberOrBoolean(to);
    boolean intervals =
        (from instanceof DayTimeIntervalType && to instanceof DayTimeIntervalType)
            || (from instanceof YearMonthIntervalType && to instanceof YearMonthIntervalType);
    return numbers || intervals || from.sameType(to);
  }

  private static boolean isNumberOrBoolean(DataType type) {
    return TrinoTypes.isNumber(type) || type instanceof BooleanType;
  }

  private static TrinoFailure refused(Expression value, TrinoType type) {
    return TrinoFailure.types("Cannot cast " + TrinoTypes.text(value) + " to " + type);
  }

  private static Expression rounded(Expression value, DataType to) {
    Expression whole =
        value.dataType() instanceof DecimalType
            ? new org.apache.spark.sql.catalyst.expressions.Cast(call("round", value, literal(0)), to, Option.empty())
            : null;
    if (whole != null) {
      return whole;
    }
    if (value.dataType() instanceof FloatType && to.sameType(DataTypes.LongType)) {
      return invoke(CastMethods.class, "realToLong", to, value);
    }
    long most = to.sameType(DataTypes.ByteType) ? Byte.MAX_VALUE : to.sameType(DataTypes.ShortType) ? Short.MAX_VALUE
        : to.sameType(DataTypes.IntegerType) ? Integer.MAX_VALUE : Long.MAX_VALUE;
    Expression number = cast(value, DataTypes.DoubleType);
    return cast(invoke(CastMethods.class, "toLong", DataTypes.LongType, number, literal(most), literal(TrinoTypes.text(to))), to);
  }

  private static Expression fromText(Expression text, TrinoType type, DataType to) {
    return switch (type.name()) {
      case "boolean" -> invoke(CastMethods.class, "toBoolean", to, text);
      case "tinyint" -> invoke(CastMethods.class, "toTinyint", to, text);
      case "smallint" -> invoke(CastMethods.class, "toSmallint", to, text);
      case "integer", "int" -> invoke(CastMethods.class, "toInteger", to, text);
      case "bigint" -> invoke(CastMethods.class, "toBigint", to, text);
      case "real" -> invoke(CastMethods.class, "toReal", to, text);
      case "double" -> invoke(CastMethods.class, "toDouble", to, text);
      case "decimal" -> {
        DecimalType decimal = (DecimalType) to;
        yield invoke(CastMethods.class, "textToDecimal", to, text, literal(decimal.precision()), literal(decimal.scale()));
      }
      case "date" -> invoke(CastMethods.class, "toDate", to, text);
      case "timestamp" -> invoke(CastMethods.class, "toTimestamp", to, text, literal(fraction(type)));
      case "timestamp with time zone" ->
          invoke(CastMethods.class, "toInstant", to, text, literal(fraction(type)), call("current_timezone"));
      case "time" -> invoke(CastMethods.class, "toTime", to, text, literal(fraction(type)));
      case "varbinary" -> cast(text, to);
      default -> throw refused(text, type);
    };
  }

  /** Of what is text to Spark alone. */
  private static Expression fromNamed(Expression value, TrinoType type) {
    if (type.name().equals("varbinary") && (Typed.is(value, "uuid") || Typed.is(value, "ipaddress"))) {
      String method = Typed.is(value, "uuid") ? "uuidBytes" : "addressBytes";
      return invoke(Addresses.class, method, DataTypes.BinaryType, Typed.plain(value));
    }
    throw refused(value, type);
  }

  private static int fraction(TrinoType type) {
    return type.numbers().isEmpty() ? 3 : type.numbers().get(0);
  }

  private static Expression toText(Expression value, TrinoType type) {
    DataType from = value.dataType();
    Expression plain = Typed.plain(value);
    if (type.name().equals("uuid")) {
      return uuid(value, plain, type);
    }
    if (type.name().equals("ipaddress")) {
      return address(value, plain, type);
    }
    Expression text;
    if (from instanceof StringType) {
      boolean other = !Texts.isText(value) && !Texts.isChar(value);
      if (other && (type.name().equals("char") || !type.numbers().isEmpty())) {
        throw refused(value, type);
      }
      return bounded(plain, type);
    } else if (type.name().equals("char")) {
      throw refused(value, type);
    } else if (from instanceof DoubleType) {
      text = invoke(CastMethods.class, "doubleText", DataTypes.StringType, plain);
    } else if (from instanceof FloatType) {
      text = invoke(CastMethods.class, "realText", DataTypes.StringType, plain);
    } else if (from instanceof DayTimeIntervalType) {
      text = invoke(CastMethods.class, "intervalText", DataTypes.StringType, cast(plain, DataTypes.createDayTimeIntervalType()));
    } else if (from instanceof YearMonthIntervalType) {
      text = invoke(CastMethods.class, "monthsText", DataTypes.StringType, cast(plain, DataTypes.createYearMonthIntervalType()));
    } else if (TrinoTypes.isTimestamp(from)) {
      text = DateTimeTexts.ofTimestamp(value, TrinoTypes.precision(value));
    } else if (from instanceof TimeType time) {
      text = invoke(CastMethods.class, "timeText", DataTypes.StringType, plain, literal(time.precision()));
    } else if (Wide.of(from) != null) {
      text = WideCasts.text(value);
    } else if (from instanceof BinaryType || TrinoTypes.isNested(from)) {
      throw refused(value, type);
    } else {
      text = cast(plain, DataTypes.StringType);
    }
    if (type.numbers().isEmpty()) {
      return text;
    }
    return invoke(CastMethods.class, "fitted", DataTypes.StringType, text, literal(type.numbers().get(0)), literal(type.toString()));
  }

  private static Expression uuid(Expression value, Expression plain, TrinoType type) {
    if (Typed.is(value, "uuid")) {
      return plain;
    }
    if (value.dataType() instanceof StringType) {
      return invoke(CastMethods.class, "uuid", DataTypes.StringType, plain);
    }
    if (value.dataType() instanceof BinaryType) {
      return invoke(CastMethods.class, "uuidOfBytes", DataTypes.StringType, plain);
    }
    throw refused(value, type);
  }

  private static Expression address(Expression value, Expression plain, TrinoType type) {
    if (Typed.is(value, "ipaddress")) {
      return plain;
    }
    if (value.dataType() instanceof StringType) {
      return invoke(CastMethods.class, "address", DataTypes.StringType, plain);
    }
    if (value.dataType() instanceof BinaryType) {
      return invoke(CastMethods.class, "addressOfBytes", DataTypes.StringType, plain);
    }
    throw refused(value, type);
  }

  /** Text within the length of its type; a CHAR is filled with spaces. */
  private static Expression bounded(Expression text, TrinoType type) {
    boolean padded = type.name().equals("char");
    if (type.numbers().isEmpty() && !padded) {
      return text;
    }
    int length = type.numbers().isEmpty() ? 1 : type.numbers().get(0);
    Expression start = call("substring", text, literal(1), literal(length));
    return padded ? call("rpad", start, literal(length), literal(" ")) : start;
  }

  private static Expression time(Expression value, TrinoType type, DataType to) {
    Expression plain = Typed.plain(value);
    DataType from = value.dataType();
    boolean known =
        to.sameType(from)
            || (from instanceof DateType && TrinoTypes.isTimestamp(to))
            || (TrinoTypes.isTimestamp(from) && (to instanceof DateType || to instanceof TimeType || TrinoTypes.isTimestamp(to)))
            || (from instanceof TimeType && to instanceof TimeType);
    if (!known) {
      throw refused(value, type);
    }
    if (TrinoTypes.isTimestamp(from) && to instanceof TimeType) {
      String method = from instanceof TimestampType ? "timeOf" : "timeOfTimestamp";
      return invoke(CastMethods.class, method, to, DateTimes.local(value), literal(fraction(type)));
    }
    if (from instanceof TimeType) {
      boolean shorter = fraction(type) < TrinoTypes.precision(value);
      return shorter ? invoke(CastMethods.class, "roundedTime", to, plain, literal(fraction(type))) : cast(plain, to);
    }
    boolean loses = from instanceof TimestampType && !(to instanceof TimestampType);
    Expression made = cast(loses ? DateTimes.local(value) : plain, to);
    if (TrinoTypes.isTimestamp(to) && TrinoTypes.isTimestamp(from) && fraction(type) < TrinoTypes.precision(value)) {
      return invoke(CastMethods.class, "rounded", to, made, literal(fraction(type)));
    }
    return made;
  }

  private static Expression nested(Expression value, TrinoType type, DataType to) {
    DataType from = value.dataType();
    Expression plain = Typed.plain(value);
    if (Typed.of(value) == null && !type.needsName() && isWidening(from, to)) {
      return new org.apache.spark.sql.catalyst.expressions.Cast(plain, to, Option.empty()); // constant in VALUES, too
    }
    if (from instanceof ArrayType && to instanceof ArrayType) {
      String name = TypeNames.last(value);
      return transform(plain, element -> Typed.plain(to(TypeNames.named(element, name), type.types().get(0))));
    }
    if (from instanceof MapType && to instanceof MapType) {
      String first = TypeNames.first(value);
      String last = TypeNames.last(value);
      Expression keys = transform(new MapKeys(plain), key -> Typed.plain(to(TypeNames.named(key, first), type.types().get(0))));
      Expression values = transform(new MapValues(plain), each -> Typed.plain(to(TypeNames.named(each, last), type.types().get(1))));
      return new MapFromArrays(keys, values);
    }
    if (from instanceof StructType row && to instanceof StructType wanted && row.length() == wanted.length()) {
      List<Expression> parts = new ArrayList<>();
      List<String> names = TypeNames.names(Typed.of(value));
      for (int i = 0; i < row.length(); i++) {
        parts.add(literal(wanted.fields()[i].name()));
        Expression field = new GetStructField(plain, i, Option.empty());
        parts.add(Typed.plain(to(TypeNames.named(field, i < names.size() ? names.get(i) : null), type.types().get(i))));
      }
      Expression made = new CreateNamedStruct(Plans.seq(parts));
      return plain.nullable() ? new If(new IsNull(plain), new Literal(null, made.dataType()), made) : made;
    }
    throw refused(value, type);
  }

  /** Whether Spark's cast of nested values changes nothing but their types. */
  private static boolean isWidening(DataType from, DataType to) {
    if (from instanceof StructType row && to instanceof StructType wanted && row.length() == wanted.length()) {
      for (int i = 0; i < row.length(); i++) {
        if (!isWidening(row.fields()[i].dataType(), wanted.fields()[i].dataType())) {
          return false;
        }
      }
      return true;
    }
    if (from instanceof ArrayType array && to instanceof ArrayType wanted) {
      return isWidening(array.elementType(), wanted.elementType());
    }
    if (from instanceof MapType map && to instanceof MapType wanted) {
      return isWidening(map.keyType(), wanted.keyType()) && isWidening(map.valueType(), wanted.valueType());
    }
    boolean integers = TrinoTypes.isInteger(from) && TrinoTypes.isInteger(to);
    return from.sameType(to) || from instanceof NullType || (integers && TrinoTypes.distance(from, to) < TrinoTypes.NEVER);
  }
}
