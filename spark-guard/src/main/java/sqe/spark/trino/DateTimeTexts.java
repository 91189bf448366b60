package sqe.spark.trino;

import static sqe.spark.trino.DateTimes.isMoment;
import static sqe.spark.trino.DateTimes.isText;
import static sqe.spark.trino.DateTimes.local;
import static sqe.spark.trino.DateTimes.refused;
import static sqe.spark.trino.DateTimes.taking;
import static sqe.spark.trino.DateTimes.text;
import static sqe.spark.trino.DateTimes.zone;
import static sqe.spark.trino.DateTimes.zoned;
import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions that turn dates and times into text and numbers, and back. */
public final class DateTimeTexts {
  private static final Class<?> METHODS = DateTimeMethods.class;

  private DateTimeTexts() {}

  static void register(Map<String, Builder> functions) {
    functions.put("to_iso8601", taking("to_iso8601", 1, DateTimeTexts::toIso));
    functions.put("from_iso8601_date", taking("from_iso8601_date", 1, DateTimeTexts::fromIsoDate));
    functions.put("from_iso8601_timestamp", taking("from_iso8601_timestamp", 1, DateTimeTexts::fromIso));
    functions.put(
        "from_iso8601_timestamp_nanos", taking("from_iso8601_timestamp_nanos", 1, DateTimeTexts::fromIsoNanos));
    functions.put("from_unixtime_nanos", taking("from_unixtime_nanos", 1, DateTimeTexts::fromUnixNanos));
    functions.put("from_unixtime", DateTimeTexts::fromUnixTime);
    functions.put("to_unixtime", taking("to_unixtime", 1, DateTimeTexts::toUnixTime));
    functions.put("date_format", taking("date_format", 2, arguments -> formatted("date_format", "mysqlText", arguments)));
    functions.put(
        "format_datetime", taking("format_datetime", 2, arguments -> formatted("format_datetime", "jodaText", arguments)));
    functions.put("date_parse", taking("date_parse", 2, DateTimeTexts::parsed));
    functions.put("parse_datetime", taking("parse_datetime", 2, DateTimeTexts::parsedZoned));
  }

  /** Trino's text of a timestamp. */
  static Expression ofTimestamp(Expression value, int digits) {
    if (value.dataType() instanceof TimestampNTZType) {
      return invoke(DateTimeTexts.class, "timestampText", DataTypes.StringType, Typed.plain(value), literal(digits));
    }
    return invoke(DateTimeTexts.class, "zonedText", DataTypes.StringType, local(value), literal(digits), zone(value));
  }

  private static Expression toIso(List<Expression> arguments) {
    Expression value = arguments.get(0);
    Expression plain = Wide.plain(value);
    Expression digits = literal(TrinoTypes.precision(value));
    DataType type = Wide.type(value);
    if (Wide.of(value) != null && type instanceof TimestampNTZType) {
      Expression made = invoke(WideMethods.class, "isoTimestamp", DataTypes.StringType, plain, Wide.picos(value), digits);
      return isoTyped(made, value, 0);
    } else if (Wide.of(value) != null && type instanceof TimestampType) {
      Expression made =
          invoke(WideMethods.class, "isoZoned", DataTypes.StringType, plain, Wide.picos(value), digits, zone(value));
      return isoTyped(made, value, 6);
    } else if (type instanceof DateType) {
      return Typed.as(invoke(METHODS, "isoDate", DataTypes.StringType, plain), "varchar(16)");
    } else if (type instanceof TimestampNTZType) {
      return isoTyped(invoke(METHODS, "isoTimestamp", DataTypes.StringType, plain, digits), value, 0);
    } else if (type instanceof TimestampType) {
      return isoTyped(invoke(METHODS, "isoZoned", DataTypes.StringType, plain, digits, zone(value)), value, 6);
    }
    throw refused("to_iso8601", arguments);
  }

  private static Expression isoTyped(Expression made, Expression value, int more) {
    int digits = TrinoTypes.precision(value);
    return Typed.as(made, "varchar(" + (22 + Math.min(digits, 1) + digits + more) + ")");
  }

  private static Expression fromIsoDate(List<Expression> arguments) {
    if (!isText(arguments.get(0))) {
      throw refused("from_iso8601_date", arguments);
    }
    return invoke(METHODS, "fromIsoDate", DataTypes.DateType, text(arguments.get(0)));
  }

  private static Expression fromIso(List<Expression> arguments) {
    Expression value = arguments.get(0);
    if (!isText(value)) {
      throw refused("from_iso8601_timestamp", arguments);
    }
    String constant = Expressions.constantText(value);
    if (constant == null) {
      return ofIso(value, 3);
    }
    Expression made = invoke(METHODS, "fromIsoTimestamp", DataTypes.TimestampType, text(value), call("current_timezone"));
    return zoned(made, 3, DateTimeMethods.isoZone(constant));
  }

  private static Expression fromIsoNanos(List<Expression> arguments) {
    if (!isText(arguments.get(0))) {
      throw refused("from_iso8601_timestamp_nanos", arguments);
    }
    return ofIso(arguments.get(0), 9);
  }

  private static Expression ofIso(Expression value, int digits) {
    Wide wide = new Wide(Wide.Kind.TIMESTAMP_ZONED, digits);
    return wide.named(
        invoke(WideMethods.class, "ofIso", wide.spark(), text(value), call("current_timezone"), literal(digits)));
  }

  private static Expression fromUnixNanos(List<Expression> arguments) {
    Expression value = arguments.get(0);
    DataType type = value.dataType();
    Wide wide = new Wide(Wide.Kind.TIMESTAMP_ZONED, 9);
    if (type instanceof DecimalType) {
      return wide.named(
          invoke(WideMethods.class, "ofDecimalNanos", wide.spark(), Typed.plain(value), call("current_timezone")));
    }
    if (!TrinoTypes.isInteger(type) && !(type instanceof NullType)) {
      throw refused("from_unixtime_nanos", arguments);
    }
    Expression nanos = cast(Typed.plain(value), DataTypes.LongType);
    return wide.named(invoke(WideMethods.class, "ofNanos", wide.spark(), nanos, call("current_timezone")));
  }

  private static Expression fromUnixTime(List<Expression> arguments) {
    boolean numbers =
        !arguments.isEmpty()
            && (TrinoTypes.isNumber(arguments.get(0).dataType()) || arguments.get(0).dataType() instanceof NullType);
    if (!numbers || arguments.size() > 3) {
      throw refused("from_unixtime", arguments);
    }
    Expression instant =
        invoke(METHODS, "fromUnixTime", DataTypes.TimestampType, cast(Typed.plain(arguments.get(0)), DataTypes.DoubleType));
    if (arguments.size() == 1) {
      return zoned(instant, 3, null);
    }
    if (arguments.size() == 2) {
      if (!isText(arguments.get(1))) {
        throw refused("from_unixtime", arguments);
      }
      return zoned(instant, literal(0), 3, arguments.get(1));
    }
    Long hours = Expressions.constantNumber(arguments.get(1));
    Long minutes = Expressions.constantNumber(arguments.get(2));
    if (hours != null && minutes != null) {
      return zoned(instant, 3, DateTimeMethods.offsetName(hours * 60 + minutes));
    }
    boolean whole = TrinoTypes.isInteger(arguments.get(1).dataType()) && TrinoTypes.isInteger(arguments.get(2).dataType());
    if (!whole) {
      throw refused("from_unixtime", arguments);
    }
    Expression zone =
        invoke(WideMethods.class, "zoneOfHours", DataTypes.StringType,
            cast(Typed.plain(arguments.get(1)), DataTypes.LongType), cast(Typed.plain(arguments.get(2)), DataTypes.LongType));
    return Wide.zoned(instant, literal(0), zone, 3);
  }

  private static Expression toUnixTime(List<Expression> arguments) {
    Expression value = arguments.get(0);
    if (!isMoment(value)) {
      throw refused("to_unixtime", arguments);
    }
    Expression micros = cast(Wide.plain(value), DataTypes.TimestampType); // a local time is one of the session's zone
    if (Wide.of(value) != null) {
      return invoke(WideMethods.class, "toUnixTime", DataTypes.DoubleType, micros, Wide.picos(value));
    }
    return invoke(METHODS, "toUnixTime", DataTypes.DoubleType, micros);
  }

  private static Expression formatted(String name, String method, List<Expression> arguments) {
    Expression value = arguments.get(0);
    if (!isMoment(value) || !isText(arguments.get(1))) {
      throw refused(name, arguments);
    }
    Expression format = text(arguments.get(1));
    if (Wide.type(value) instanceof TimestampType) {
      return invoke(DateTimeTexts.class, method, DataTypes.StringType, Wide.plain(value), format, zone(value));
    }
    return invoke(DateTimeTexts.class, method + "OfLocal", DataTypes.StringType, local(value), format);
  }

  private static Expression parsed(List<Expression> arguments) {
    if (!isText(arguments.get(0)) || !isText(arguments.get(1))) {
      throw refused("date_parse", arguments);
    }
    Expression made =
        invoke(DateTimeTexts.class, "mysqlTime", DataTypes.TimestampNTZType, text(arguments.get(0)), text(arguments.get(1)));
    return Typed.as(made, "timestamp(3)");
  }

  private static Expression parsedZoned(List<Expression> arguments) {
    if (!isText(arguments.get(0)) || !isText(arguments.get(1))) {
      throw refused("parse_datetime", arguments);
    }
    String text = Expressions.constantText(arguments.get(0));
    String format = Expressions.constantText(arguments.get(1));
    DateFormat made = format == null ? null : DateFormat.joda(UTF8String.fromString(format));
    if (made == null || (made.readsZone() && text == null)) {
      Wide wide = new Wide(Wide.Kind.TIMESTAMP_ZONED, 3);
      return wide.named(
          invoke(WideMethods.class, "ofJoda", wide.spark(), text(arguments.get(0)), text(arguments.get(1)),
              call("current_timezone")));
    }
    String zone = made.readsZone() ? DateTimeMethods.zoneName(made.parse(text).zone().getId()) : null;
    Expression instant =
        invoke(DateTimeTexts.class, "jodaTime", DataTypes.TimestampType, text(arguments.get(0)), text(arguments.get(1)),
            call("current_timezone"));
    return zoned(instant, 3, zone);
  }

  // Called for each row.

  public static UTF8String timestampText(long micros, int digits) {
    return UTF8String.fromString(CastMethods.timestamp(micros, digits));
  }

  public static UTF8String zonedText(long micros, int digits, UTF8String zone) {
    return UTF8String.fromString(CastMethods.timestamp(micros, digits) + " " + DateTimeMethods.zone(zone));
  }

  /** Formats have milliseconds, to which Trino rounds. */
  private static long millis(long micros) {
    return CastMethods.rounded(micros, 3);
  }

  public static UTF8String mysqlText(long micros, UTF8String format, UTF8String zone) {
    return UTF8String.fromString(DateFormat.mysql(format).format(DateTimeMethods.zoned(millis(micros), DateTimeMethods.zone(zone))));
  }

  public static UTF8String mysqlTextOfLocal(long micros, UTF8String format) {
    return UTF8String.fromString(DateFormat.mysql(format).format(DateTimeMethods.clock(millis(micros)).atZone(ZoneOffset.UTC)));
  }

  public static UTF8String jodaText(long micros, UTF8String format, UTF8String zone) {
    return UTF8String.fromString(DateFormat.joda(format).format(DateTimeMethods.zoned(millis(micros), DateTimeMethods.zone(zone))));
  }

  public static UTF8String jodaTextOfLocal(long micros, UTF8String format) {
    DateFormat joda = DateFormat.joda(format);
    if (joda.showsZone()) {
      throw TrinoFailure.argument(
          "format_datetime for TIMESTAMP type, cannot use 'Z' nor 'z' in format, as this type does not contain TZ information");
    }
    return UTF8String.fromString(joda.format(DateTimeMethods.clock(millis(micros)).atZone(ZoneOffset.UTC)));
  }

  public static long mysqlTime(UTF8String text, UTF8String format) {
    return DateTimeMethods.micros(DateFormat.mysql(format).parse(text.toString()).time());
  }

  public static long jodaTime(UTF8String text, UTF8String format, UTF8String session) {
    DateFormat.Parsed parsed = DateFormat.joda(format).parse(text.toString());
    return DateTimeMethods.micros(parsed.time().atZone(parsed.zone() == null ? DateTimeMethods.zone(session) : parsed.zone()));
  }
}
