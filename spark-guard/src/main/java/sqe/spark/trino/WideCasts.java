package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** Casts between dates, times and timestamps of which one is {@link Wide}, and those of a time to a timestamp. */
final class WideCasts {
  private static final Class<?> METHODS = WideMethods.class;

  private WideCasts() {}

  /** Whether a cast is one of these. */
  static boolean takes(Expression value, TrinoType type) {
    DataType from = value.dataType();
    if (Wide.of(from) != null) {
      return !type.name().equals("json");
    }
    boolean moment = from instanceof DateType || from instanceof TimeType || TrinoTypes.isTimestamp(from);
    if (!moment && !(from instanceof StringType && Texts.isText(value))) {
      return false;
    }
    boolean zones = from instanceof StringType && type.name().equals("timestamp with time zone")
        && Expressions.constantText(value) == null;
    boolean dated = from instanceof TimeType && type.name().startsWith("timestamp");
    return zones || dated || Wide.of(type.spark()) != null;
  }

  /** The value in the type, with the name of that. */
  static Expression to(Expression value, TrinoType type) {
    int digits = type.numbers().isEmpty() ? 3 : type.fraction();
    return switch (type.name()) {
      case "varchar", "char" -> throw new IllegalArgumentException("is in Casts");
      case "date" -> date(value, type);
      case "time" -> time(value, type, digits);
      case "time with time zone" -> timeZoned(value, type, digits);
      case "timestamp" -> timestamp(value, type, digits);
      case "timestamp with time zone" -> zoned(value, type, digits);
      default -> throw refused(value, type);
    };
  }

  private static TrinoFailure refused(Expression value, TrinoType type) {
    return TrinoFailure.types("Cannot cast " + TrinoTypes.text(value) + " to " + type);
  }

  private static Expression date(Expression value, TrinoType type) {
    if (!TrinoTypes.isTimestamp(Wide.type(value))) {
      throw refused(value, type);
    }
    return cast(DateTimes.local(value), DataTypes.DateType);
  }

  private static Expression now() {
    return call("current_timestamp");
  }

  private static Expression session() {
    return call("current_timezone");
  }

  /** The minutes of the offset that the session's zone has now. */
  static Expression offsetNow() {
    return invoke(METHODS, "offset", DataTypes.IntegerType, now(), session());
  }

  /** The local time of the day in picoseconds; null for what has none. */
  static Expression picosOfDay(Expression value) {
    DataType type = value.dataType();
    Wide wide = Wide.of(type);
    if (type instanceof TimeType) {
      return invoke(METHODS, "picosOfTime", DataTypes.LongType, Typed.plain(value));
    }
    if (wide != null && wide.kind() == Wide.Kind.TIME) {
      return Wide.plain(value);
    }
    if (wide != null && wide.kind() == Wide.Kind.TIME_ZONED) {
      return invoke(METHODS, "localPicos", DataTypes.LongType, Wide.plain(value), Wide.zone(value));
    }
    if (TrinoTypes.isTimestamp(Wide.type(value))) {
      return invoke(METHODS, "picosOfDay", DataTypes.LongType, DateTimes.local(value), Wide.picos(value));
    }
    return null;
  }

  private static Expression time(Expression value, TrinoType type, int digits) {
    if (value.dataType() instanceof StringType) {
      return new Wide(Wide.Kind.TIME, digits)
          .named(invoke(METHODS, "timeOfText", type.spark(), Typed.plain(value), literal(digits)));
    }
    Expression picos =
        Wide.type(value) instanceof TimestampNTZType
            ? invoke(METHODS, "picosOfTimestamp", DataTypes.LongType, Wide.plain(value), Wide.picos(value))
            : picosOfDay(value);
    if (picos == null) {
      throw refused(value, type);
    }
    return digits > Wide.SPARK_DIGITS
        ? Wide.time(picos, digits)
        : invoke(METHODS, "timeOfPicos", TimeType.apply(digits), picos, literal(digits));
  }

  private static Expression timeZoned(Expression value, TrinoType type, int digits) {
    Wide wide = new Wide(Wide.Kind.TIME_ZONED, digits);
    if (value.dataType() instanceof StringType) {
      return wide.named(
          invoke(METHODS, "timeZonedOfText", wide.spark(), Typed.plain(value), literal(digits), offsetNow()));
    }
    Expression picos = picosOfDay(value);
    if (picos == null) {
      throw refused(value, type);
    }
    Expression offset = offsetNow();
    if (Wide.type(value) instanceof TimestampType) {
      // Trino takes the offset at the local time, as if that were one of UTC.
      offset = invoke(METHODS, "offset", DataTypes.IntegerType, DateTimes.local(value), DateTimes.zone(value));
    } else if (Wide.zone(value) != null) {
      offset = Wide.zone(value);
    }
    return Wide.timeZoned(picos, offset, digits);
  }

  private static boolean isTime(Expression value) {
    return value.dataType() instanceof TimeType || Wide.isTime(value);
  }

  /** A local time in a type of so many digits. */
  private static Expression local(Expression micros, Expression picos, int digits) {
    return digits > Wide.SPARK_DIGITS
        ? Wide.timestamp(micros, picos, digits)
        : Typed.as(
            invoke(CastMethods.class, "rounded", DataTypes.TimestampNTZType, micros, picos, literal(digits)),
            "timestamp(" + digits + ")");
  }

  private static Expression timestamp(Expression value, TrinoType type, int digits) {
    if (value.dataType() instanceof StringType) {
      Wide wide = new Wide(Wide.Kind.TIMESTAMP, digits);
      return wide.named(invoke(METHODS, "timestampOfText", wide.spark(), Typed.plain(value), literal(digits)));
    }
    if (isTime(value)) {
      Expression picos = picosOfDay(value);
      Expression micros =
          invoke(METHODS, "microsOfTime", DataTypes.TimestampNTZType, picos, call("current_date"));
      return local(micros, invoke(METHODS, "picosOfMicro", DataTypes.IntegerType, picos), digits);
    }
    if (value.dataType() instanceof DateType || TrinoTypes.isTimestamp(Wide.type(value))) {
      return local(DateTimes.local(value), Wide.picos(value), digits);
    }
    throw refused(value, type);
  }

  private static Expression zoned(Expression value, TrinoType type, int digits) {
    DataType from = Wide.type(value);
    boolean wide = digits > Wide.SPARK_DIGITS;
    if (from instanceof StringType) {
      Wide made = new Wide(Wide.Kind.TIMESTAMP_ZONED, digits);
      return made.named(
          invoke(METHODS, "zonedOfText", made.spark(), Typed.plain(value), literal(digits), session()));
    }
    if (from instanceof TimestampType) { // it keeps its zone
      return Wide.zoned(Wide.plain(value), Wide.picos(value), DateTimes.zone(value), digits);
    }
    Expression instant;
    Expression picos = Wide.picos(value);
    if (isTime(value)) {
      Expression time = Wide.zone(value) == null ? picosOfDay(value) : Wide.plain(value);
      DataType made = Wide.zone(value) == null ? DataTypes.TimestampNTZType : DataTypes.TimestampType;
      Expression micros = invoke(METHODS, "microsOfTime", made, time, call("current_date"));
      picos = invoke(METHODS, "picosOfMicro", DataTypes.IntegerType, time);
      if (Wide.zone(value) != null) {
        Expression zone = invoke(METHODS, "zoneOfOffset", DataTypes.StringType, Wide.zone(value));
        return Wide.zoned(micros, picos, zone, digits);
      }
      instant = invoke(METHODS, "instantNow", DataTypes.TimestampType, micros, now(), session());
    } else if (from instanceof DateType || from instanceof TimestampNTZType) {
      instant = cast(Wide.plain(value), DataTypes.TimestampType);
    } else {
      throw refused(value, type);
    }
    return wide
        ? Wide.zoned(instant, picos, session(), digits)
        : Typed.as(
            invoke(CastMethods.class, "rounded", DataTypes.TimestampType, instant, picos, literal(digits)), type.toString());
  }

  /** Trino's text of a wide value. */
  static Expression text(Expression value) {
    Wide wide = Wide.of(value);
    Expression plain = Wide.plain(value);
    Expression digits = literal(wide.digits());
    return switch (wide.kind()) {
      case TIME -> invoke(METHODS, "timeText", DataTypes.StringType, plain, digits);
      case TIME_ZONED -> invoke(METHODS, "timeZonedText", DataTypes.StringType, plain, Wide.zone(value), digits);
      case TIMESTAMP -> invoke(METHODS, "timestampText", DataTypes.StringType, plain, Wide.picos(value), digits);
      case TIMESTAMP_ZONED ->
          invoke(
              METHODS, "zonedText", DataTypes.StringType, DateTimes.local(value), Wide.picos(value), digits, Wide.zone(value));
    };
  }

  /** The text that Java has for a value of nine digits. */
  static Expression javaText(Expression value) {
    Wide wide = Wide.of(value);
    return switch (wide.kind()) {
      case TIME -> invoke(METHODS, "javaTimeText", DataTypes.StringType, Wide.plain(value));
      case TIME_ZONED -> text(value);
      case TIMESTAMP -> invoke(METHODS, "javaText", DataTypes.StringType, Wide.plain(value), Wide.picos(value));
      case TIMESTAMP_ZONED ->
          invoke(METHODS, "javaZonedText", DataTypes.StringType, Wide.plain(value), Wide.picos(value), Wide.zone(value));
    };
  }
}
