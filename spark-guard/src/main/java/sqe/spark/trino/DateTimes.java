package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;
import static sqe.spark.trino.Expressions.nothing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/**
 * Functions of dates, times and intervals.
 *
 * <p>Spark's TIMESTAMP is an instant. Its zone is in the name of its type ({@link Typed}) where it is the same for all rows, and
 * without one it is the session's.
 */
final class DateTimes {
  private static final Class<?> METHODS = DateTimeMethods.class;
  private static final Set<String> DATE_FIELDS =
      Set.of("year", "quarter", "month", "week", "day", "day_of_week", "day_of_year", "year_of_week");
  private static final Set<String> CLOCK_FIELDS = Set.of("hour", "minute", "second", "millisecond");
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("year", "year"), Map.entry("quarter", "quarter"), Map.entry("month", "month"), Map.entry("week", "week"),
          Map.entry("week_of_year", "week"), Map.entry("day", "day"), Map.entry("day_of_month", "day"),
          Map.entry("day_of_week", "day_of_week"), Map.entry("dow", "day_of_week"), Map.entry("day_of_year", "day_of_year"),
          Map.entry("doy", "day_of_year"), Map.entry("year_of_week", "year_of_week"), Map.entry("yow", "year_of_week"),
          Map.entry("hour", "hour"), Map.entry("minute", "minute"), Map.entry("second", "second"),
          Map.entry("millisecond", "millisecond"), Map.entry("timezone_hour", "timezone_hour"),
          Map.entry("timezone_minute", "timezone_minute"));

  private DateTimes() {}

  static void register(Map<String, Builder> functions) {
    functions.put("date_trunc", taking("date_trunc", 2, DateTimes::truncated));
    functions.put("date_add", taking("date_add", 3, DateTimes::added));
    functions.put("date_diff", taking("date_diff", 3, DateTimes::difference));
    functions.put("extract", DateTimes::extracted);
    FIELDS.forEach((name, field) -> functions.put(name, taking(name, 1, arguments -> field(name, field, arguments.get(0)))));
    functions.put("last_day_of_month", taking("last_day_of_month", 1, DateTimes::lastDay));
    functions.put("date", taking("date", 1, arguments -> Casts.to(arguments.get(0), TrinoType.of("date"))));
    functions.put("with_timezone", taking("with_timezone", 2, DateTimes::withZone));
    functions.put("at_timezone", taking("at_timezone", 2, DateTimes::atZone));
    functions.put("timezone", taking("timezone", 1, DateTimes::zoneText));
    functions.put("to_milliseconds", taking("to_milliseconds", 1, DateTimes::milliseconds));
    functions.put("parse_duration", taking("parse_duration", 1, DateTimes::duration));
    functions.put("current_timestamp", arguments -> now("current_timestamp", "timestamp with time zone", arguments));
    functions.put("localtimestamp", arguments -> now("localtimestamp", "timestamp", arguments));
    functions.put("localtime", arguments -> now("localtimestamp", "time", arguments));
    functions.put("current_time", arguments -> now("localtimestamp", "time with time zone", arguments));
  }

  static Builder taking(String name, int count, Builder builder) {
    return arguments -> {
      if (arguments.size() != count) {
        throw refused(name, arguments);
      }
      return builder.build(arguments);
    };
  }

  static TrinoFailure refused(String name, List<Expression> arguments) {
    List<String> types = new ArrayList<>();
    arguments.forEach(argument -> types.add(TrinoTypes.text(argument)));
    return TrinoFailure.function("Unexpected parameters (" + String.join(", ", types) + ") for function " + name + ".");
  }

  // Zones.

  /** The text of the zone of an instant, as an expression. */
  static Expression zone(Expression value) {
    if (Wide.zone(value) != null) {
      return Wide.zone(value);
    }
    String zone = Typed.zone(value);
    if (Typed.OWN_ZONES.equals(zone)) {
      throw TrinoFailure.unsupported(
          "The time zones of these values are not known, because Spark has points in time without a zone. Choose one: x AT TIME ZONE 'UTC'.");
    }
    return zone == null ? call("current_timezone") : literal(zone);
  }

  /** A date or a timestamp as a local time. */
  static Expression local(Expression value) {
    Expression plain = Wide.plain(value);
    if (Wide.type(value) instanceof TimestampType) {
      Expression zone = zone(value);
      return Typed.zone(value) == null && Wide.zone(value) == null
          ? cast(plain, DataTypes.TimestampNTZType)
          : invoke(METHODS, "local", DataTypes.TimestampNTZType, plain, zone);
    }
    return cast(plain, DataTypes.TimestampNTZType);
  }

  /** An instant in a zone, which is a constant where it can be: the value is one of Spark's then. */
  static Expression zoned(Expression instant, Expression picos, int digits, Expression zone) {
    if (zone.dataType() instanceof NullType) {
      return Typed.as(nothing(DataTypes.TimestampType), "timestamp(" + digits + ") with time zone");
    }
    String constant = digits <= Wide.SPARK_DIGITS ? Expressions.constantText(zone) : null;
    return constant == null
        ? Wide.zoned(instant, picos, text(zone), digits)
        : zoned(instant, digits, DateTimeMethods.zoneName(constant));
  }

  static Expression zoned(Expression instant, int digits, String zone) {
    return Typed.as(instant, "timestamp(" + digits + ") with time zone" + (zone == null ? "" : "@" + zone));
  }

  /** Keeps the type of a value. */
  private static Expression like(Expression value, Expression made) {
    if (Wide.of(value) != null) {
      return Wide.at(value, made, Wide.picos(value));
    }
    return Typed.of(value) == null ? made : Typed.as(made, Typed.of(value));
  }

  private static Expression withZone(List<Expression> arguments) {
    Expression value = arguments.get(0);
    Expression name = arguments.get(1);
    if (Wide.type(value) instanceof TimestampType || !isMoment(value) || !isText(name)) {
      throw refused("with_timezone", arguments);
    }
    int digits = value.dataType() instanceof DateType ? 0 : TrinoTypes.precision(value);
    Expression made = invoke(METHODS, "instant", DataTypes.TimestampType, local(value), text(name));
    return zoned(made, Wide.picos(value), digits, name);
  }

  private static Expression atZone(List<Expression> arguments) {
    Expression value = arguments.get(0);
    Expression name = arguments.get(1);
    boolean interval = name.dataType() instanceof DayTimeIntervalType;
    boolean time = value.dataType() instanceof TimeType || Wide.isTime(value);
    if (!(isMoment(value) || time) || !(isText(name) || interval)) {
      throw refused("at_timezone", arguments);
    }
    Expression step = interval ? cast(Typed.plain(name), DataTypes.createDayTimeIntervalType()) : null;
    if (time) {
      return timeAtZone(value, interval ? step : text(name), interval);
    }
    int digits = value.dataType() instanceof DateType ? 0 : TrinoTypes.precision(value);
    Expression instant = cast(Wide.plain(value), DataTypes.TimestampType);
    if (interval && Typed.plain(name) instanceof Literal constant && constant.value() instanceof Long micros) {
      return zoned(instant, Wide.picos(value), digits, literal(WideMethods.zoneOfInterval(micros).toString()));
    }
    Expression zone = interval ? invoke(WideMethods.class, "zoneOfInterval", DataTypes.StringType, step) : name;
    return zoned(instant, Wide.picos(value), digits, zone);
  }

  /** A time in another offset: that of an interval, or that of a zone now. */
  private static Expression timeAtZone(Expression value, Expression zone, boolean interval) {
    Expression time = Casts.to(value, TrinoType.ofTime("time with time zone", TrinoTypes.precision(value)));
    Expression offset =
        interval
            ? invoke(WideMethods.class, "offsetOfInterval", DataTypes.IntegerType, zone)
            : invoke(WideMethods.class, "offset", DataTypes.IntegerType, call("current_timestamp"), zone);
    Expression local = invoke(WideMethods.class, "localPicos", DataTypes.LongType, Wide.plain(time), offset);
    return Wide.timeZoned(local, offset, TrinoTypes.precision(value));
  }

  private static Expression zoneText(List<Expression> arguments) {
    Expression value = arguments.get(0);
    if (Wide.isTime(value) && Wide.zone(value) != null) {
      return invoke(WideMethods.class, "offsetText", DataTypes.StringType, Wide.zone(value));
    }
    if (!(Wide.type(value) instanceof TimestampType)) {
      throw refused("timezone", arguments);
    }
    Expression name = invoke(METHODS, "zoneText", DataTypes.StringType, zone(value));
    return new org.apache.spark.sql.catalyst.expressions.If(
        new org.apache.spark.sql.catalyst.expressions.IsNull(Typed.plain(value)), nothing(DataTypes.StringType), name);
  }

  static boolean isMoment(Expression value) {
    DataType type = Wide.type(value);
    return type instanceof DateType || TrinoTypes.isTimestamp(type) || type instanceof NullType;
  }

  static boolean isText(Expression value) {
    return value.dataType() instanceof StringType || value.dataType() instanceof NullType;
  }

  static Expression text(Expression value) {
    return cast(Typed.plain(value), DataTypes.StringType);
  }

  // Units.

  private static Expression truncated(List<Expression> arguments) {
    Expression unit = text(arguments.get(0));
    Expression value = arguments.get(1);
    Expression plain = Wide.plain(value);
    DataType type = Wide.type(value);
    if (!isText(arguments.get(0))) {
      throw refused("date_trunc", arguments);
    }
    if (Wide.isTime(value)) {
      return timeLike(value, invoke(WideMethods.class, "truncate", DataTypes.LongType, unit, WideCasts.picosOfDay(value)));
    } else if (Wide.of(value) != null) {
      Expression made =
          type instanceof TimestampType
              ? invoke(METHODS, "truncateZoned", type, unit, plain, zone(value))
              : invoke(METHODS, "truncateTimestamp", type, unit, plain);
      return Wide.at(value, made, literal(0));
    } else if (type instanceof DateType) {
      return invoke(METHODS, "truncateDate", type, unit, plain);
    } else if (type instanceof TimestampNTZType) {
      return like(value, invoke(METHODS, "truncateTimestamp", type, unit, plain));
    } else if (type instanceof TimestampType) {
      return like(value, invoke(METHODS, "truncateZoned", type, unit, plain, zone(value)));
    } else if (type instanceof TimeType) {
      return invoke(METHODS, "truncateTime", type, unit, plain);
    }
    throw refused("date_trunc", arguments);
  }

  /** A wide time with the same offset, if it has one. */
  private static Expression timeLike(Expression value, Expression picos) {
    int digits = TrinoTypes.precision(value);
    return Wide.zone(value) == null ? Wide.time(picos, digits) : Wide.timeZoned(picos, Wide.zone(value), digits);
  }

  private static Expression added(List<Expression> arguments) {
    Expression unit = text(arguments.get(0));
    Expression value = arguments.get(2);
    Expression plain = Wide.plain(value);
    DataType type = Wide.type(value);
    boolean counts = TrinoTypes.isInteger(arguments.get(1).dataType()) || arguments.get(1).dataType() instanceof NullType;
    if (!isText(arguments.get(0)) || !counts) {
      throw refused("date_add", arguments);
    }
    Expression count = cast(Typed.plain(arguments.get(1)), DataTypes.LongType);
    if (Wide.isTime(value)) {
      Expression all = literal(TrinoTypes.precision(value));
      return timeLike(
          value, invoke(WideMethods.class, "add", DataTypes.LongType, unit, count, WideCasts.picosOfDay(value), all));
    }
    Expression digits = literal(Math.min(TrinoTypes.precision(value), Wide.SPARK_DIGITS));
    if (type instanceof DateType) {
      return invoke(METHODS, "addToDate", type, unit, count, plain);
    } else if (type instanceof TimestampNTZType) {
      return like(value, invoke(METHODS, "addToTimestamp", type, unit, count, plain, digits));
    } else if (type instanceof TimestampType) {
      return like(value, invoke(METHODS, "addToZoned", type, unit, count, plain, digits, zone(value)));
    } else if (type instanceof TimeType) {
      return invoke(METHODS, "addToTime", type, unit, count, plain, digits);
    }
    throw refused("date_add", arguments);
  }

  private static Expression difference(List<Expression> arguments) {
    Expression unit = text(arguments.get(0));
    Expression start = arguments.get(1);
    Expression end = arguments.get(2);
    boolean wide = Wide.of(start) != null || Wide.of(end) != null;
    if (wide && isText(arguments.get(0))) {
      return wideDifference(unit, start, end, arguments);
    }
    DataType type = TrinoTypes.common(start.dataType(), end.dataType());
    if (!isText(arguments.get(0)) || type == null) {
      throw refused("date_diff", arguments);
    }
    if (type instanceof NullType) {
      return nothing(DataTypes.LongType);
    }
    Expression zone = type instanceof TimestampType ? zone(start.dataType() instanceof TimestampType ? start : end) : null;
    Expression first = cast(Typed.plain(start), type);
    Expression last = cast(Typed.plain(end), type);
    if (type instanceof DateType) {
      return invoke(METHODS, "dateDiff", DataTypes.LongType, unit, first, last);
    } else if (type instanceof TimestampNTZType) {
      return invoke(METHODS, "timestampDiff", DataTypes.LongType, unit, first, last);
    } else if (type instanceof TimestampType) {
      return invoke(METHODS, "zonedDiff", DataTypes.LongType, unit, first, last, zone);
    } else if (type instanceof TimeType) {
      return invoke(METHODS, "timeDiff", DataTypes.LongType, unit, first, last);
    }
    throw refused("date_diff", arguments);
  }

  private static Expression wideDifference(Expression unit, Expression start, Expression end, List<Expression> arguments) {
    if (start.dataType() instanceof NullType || end.dataType() instanceof NullType) {
      return nothing(DataTypes.LongType);
    }
    TrinoType common = Wide.common(Wide.typeOf(start), Wide.typeOf(end));
    if (common == null) {
      throw refused("date_diff", arguments);
    }
    Expression first = Wide.widened(start, common);
    Expression last = Wide.widened(end, common);
    if (Wide.isTime(first)) {
      return invoke(WideMethods.class, "difference", DataTypes.LongType, unit, Wide.plain(first), Wide.plain(last));
    }
    Expression zone = Wide.zone(first);
    return zone == null
        ? invoke(METHODS, "timestampDiff", DataTypes.LongType, unit, Wide.plain(first), Wide.plain(last))
        : invoke(METHODS, "zonedDiff", DataTypes.LongType, unit, Wide.plain(first), Wide.plain(last), zone);
  }

  private static Expression extracted(List<Expression> arguments) {
    String name = Expressions.constantText(arguments.get(0)).toLowerCase(Locale.ROOT);
    Expression value = arguments.get(1);
    String field = FIELDS.get(name);
    DataType type = fieldType(value);
    boolean clock = CLOCK_FIELDS.contains(field == null ? "" : field);
    boolean known = field != null && !Set.of("millisecond", "week_of_year").contains(name) && !(type instanceof DateType && clock);
    boolean offset = known && field.startsWith("timezone_") && Wide.isTime(value) && Wide.zone(value) != null;
    if (!known || (!(type instanceof NullType) && !offset && !takes(type, field))) {
      throw TrinoFailure.types("Cannot extract " + name.toUpperCase(Locale.ROOT) + " from " + TrinoTypes.text(value));
    }
    return field(name, field, value);
  }

  /** The type that decides which parts a value has. */
  private static DataType fieldType(Expression value) {
    return Wide.isTime(value) ? TimeType.apply(Wide.SPARK_DIGITS) : Wide.type(value);
  }

  private static boolean takes(DataType type, String field) {
    if (type instanceof DateType || TrinoTypes.isTimestamp(type)) {
      return DATE_FIELDS.contains(field)
          || CLOCK_FIELDS.contains(field)
          || (type instanceof TimestampType && field.startsWith("timezone_"));
    }
    return (type instanceof TimeType && CLOCK_FIELDS.contains(field))
        || (type instanceof DayTimeIntervalType && (CLOCK_FIELDS.contains(field) || field.equals("day")))
        || (type instanceof YearMonthIntervalType && (field.equals("year") || field.equals("month")));
  }

  private static Expression field(String name, String field, Expression value) {
    DataType type = fieldType(value);
    Expression plain = Wide.plain(value);
    if (type instanceof NullType) {
      return nothing(DataTypes.LongType);
    }
    if (Wide.isTime(value) && Wide.zone(value) != null && field.startsWith("timezone_")) {
      String method = field.endsWith("hour") ? "offsetHour" : "offsetMinute";
      return invoke(WideMethods.class, method, DataTypes.LongType, Wide.zone(value));
    }
    if (!takes(type, field)) {
      throw refused(name, List.of(value));
    }
    if (field.startsWith("timezone_")) {
      String method = field.endsWith("hour") ? "timezoneHour" : "timezoneMinute";
      return invoke(METHODS, method, DataTypes.LongType, plain, zone(value));
    }
    Expression which = literal(field);
    if (type instanceof DateType) {
      return invoke(METHODS, "dateField", DataTypes.LongType, which, plain);
    } else if (Wide.isTime(value)) {
      return invoke(WideMethods.class, "field", DataTypes.LongType, which, WideCasts.picosOfDay(value));
    } else if (type instanceof TimeType) {
      return invoke(METHODS, "timeField", DataTypes.LongType, which, plain);
    } else if (type instanceof DayTimeIntervalType) {
      return invoke(
          METHODS, "intervalField", DataTypes.LongType, which, cast(plain, DataTypes.createDayTimeIntervalType()));
    } else if (type instanceof YearMonthIntervalType) {
      return invoke(
          METHODS, "monthsField", DataTypes.LongType, which, cast(plain, DataTypes.createYearMonthIntervalType()));
    }
    return invoke(METHODS, "timestampField", DataTypes.LongType, which, local(value));
  }

  private static Expression lastDay(List<Expression> arguments) {
    Expression value = arguments.get(0);
    if (!isMoment(value)) {
      throw refused("last_day_of_month", arguments);
    }
    Expression date = value.dataType() instanceof DateType ? value : cast(local(value), DataTypes.DateType);
    return invoke(METHODS, "lastDayOfMonth", DataTypes.DateType, date);
  }

  // Intervals.

  private static Expression milliseconds(List<Expression> arguments) {
    if (!(arguments.get(0).dataType() instanceof DayTimeIntervalType)) {
      throw refused("to_milliseconds", arguments);
    }
    Expression interval = cast(Typed.plain(arguments.get(0)), DataTypes.createDayTimeIntervalType());
    return invoke(METHODS, "toMilliseconds", DataTypes.LongType, interval);
  }

  private static Expression duration(List<Expression> arguments) {
    if (!isText(arguments.get(0))) {
      throw refused("parse_duration", arguments);
    }
    return invoke(METHODS, "parseDuration", DataTypes.createDayTimeIntervalType(), text(arguments.get(0)));
  }

  /** The statement's time in a type of so many digits. */
  private static Expression now(String name, String type, List<Expression> arguments) {
    Long digits = arguments.isEmpty() ? Long.valueOf(3) : Expressions.constantNumber(arguments.get(0));
    if (digits == null || digits < 0 || digits > Wide.MAX_DIGITS) {
      throw TrinoFailure.types("Precision must be in range [0, 12]: " + digits);
    }
    if (digits > Wide.SPARK_DIGITS || type.equals("time with time zone")) {
      return wideNow(type, call(name), digits.intValue());
    }
    Expression precision = literal(digits.intValue());
    if (type.equals("time")) {
      return invoke(CastMethods.class, "timeOf", TimeType.apply(digits.intValue()), call(name), precision);
    }
    boolean zoned = type.startsWith("timestamp with");
    DataType spark = zoned ? DataTypes.TimestampType : DataTypes.TimestampNTZType;
    return Typed.as(
        invoke(CastMethods.class, "rounded", spark, call(name), precision),
        "timestamp(" + digits + ")" + (zoned ? " with time zone" : ""));
  }

  private static Expression wideNow(String type, Expression now, int digits) {
    Expression picos = invoke(WideMethods.class, "picosOfDay", DataTypes.LongType, now, literal(0));
    return switch (type) {
      case "time" -> Wide.time(picos, digits);
      case "time with time zone" -> Wide.timeZoned(picos, WideCasts.offsetNow(), digits);
      case "timestamp" -> Wide.timestamp(now, literal(0), digits);
      default -> Wide.zoned(now, literal(0), call("current_timezone"), digits);
    };
  }
}
