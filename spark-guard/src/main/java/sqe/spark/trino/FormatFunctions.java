package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.Plans;
import sqe.spark.bounds.Allocation;

/** Numbers and times as text. */
public final class FormatFunctions {
  private static final Pattern WIDTHS = Pattern.compile("%[-#+ 0,(<$\\d]*?(\\d+)?(?:\\.(\\d+))?[a-zA-Z%]");
  private static final int MAX_DIGITS = 9;
  private static final String[] UNITS = {"", "K", "M", "B", "T", "Q"};
  private static final List<String> SIZES = List.of("B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB");
  private static final Pattern SIZE = Pattern.compile("([0-9.]+)(.*)", Pattern.DOTALL);
  private static final int MAX_SIZE_TEXT = 1_000;
  private static final long MICROS = 1_000_000;

  private FormatFunctions() {}

  static void register(Map<String, Builder> functions) {
    functions.put("format", FormatFunctions::format);
  }

  private static Expression format(List<Expression> arguments) {
    if (arguments.size() < 2) {
      throw TrinoFailure.argument("There must be two or more arguments to format()");
    }
    if (!Texts.isText(arguments.get(0))) {
      throw TrinoFailure.types(
          "Type of first argument to format() must be VARCHAR (actual: " + TrinoTypes.text(arguments.get(0)) + ")");
    }
    List<Expression> fields = new ArrayList<>();
    for (Expression each : arguments.subList(1, arguments.size())) {
      fields.add(literal("f" + fields.size()));
      if (Wide.of(each) != null) {
        fields.add(WideCasts.javaText(each));
        continue;
      }
      fields.add(isFormatted(each) ? Typed.plain(each) : Typed.plain(Casts.to(each, TrinoType.of("varchar"))));
    }
    CreateNamedStruct values = new CreateNamedStruct(Plans.seq(fields));
    return invoke(FormatFunctions.class, "formatted", DataTypes.StringType,
        cast(Typed.plain(arguments.get(0)), DataTypes.StringType), values, literal(values.dataType().json()),
        call("current_timezone"));
  }

  /** Whether Java formats values of a type, and not their text. */
  private static boolean isFormatted(Expression value) {
    DataType type = value.dataType();
    return TrinoTypes.isNumber(type)
        || TrinoTypes.isTimestamp(type)
        || type instanceof BooleanType
        || type instanceof StringType
        || type instanceof DateType
        || type instanceof TimeType
        || type instanceof NullType;
  }

  // Called for each row.

  public static UTF8String formatted(UTF8String format, InternalRow values, UTF8String type, UTF8String zone) {
    StructType row = (StructType) Values.type(type);
    Object[] all = new Object[row.length()];
    for (int i = 0; i < all.length; i++) {
      DataType field = row.fields()[i].dataType();
      all[i] = java(Values.get(values, i, field), field, zone);
    }
    String pattern = format.toString();
    long longest = 0;
    for (Object each : all) {
      longest = each instanceof String text ? Math.max(longest, text.length()) : longest;
    }
    long size = pattern.length() + longest * pattern.chars().filter(c -> c == '%').count();
    Matcher widths = WIDTHS.matcher(pattern);
    while (widths.find()) {
      size += width(widths.group(1)) + width(widths.group(2));
    }
    Allocation.bytes("format", size);
    try {
      return UTF8String.fromString(String.format(Locale.ENGLISH, pattern, all));
    } catch (IllegalFormatException invalid) {
      throw TrinoFailure.argument("Invalid format string: " + pattern + " (" + invalid.getMessage() + ")");
    }
  }

  private static long width(String digits) {
    return digits == null ? 0 : digits.length() > MAX_DIGITS ? Integer.MAX_VALUE : Long.parseLong(digits);
  }

  private static Object java(Object value, DataType type, UTF8String zone) {
    if (value == null || type instanceof BooleanType || TrinoTypes.isFloating(type)) {
      return value;
    } else if (type instanceof DecimalType) {
      return ((Decimal) value).toJavaBigDecimal();
    } else if (type instanceof DateType) {
      return LocalDate.ofEpochDay((int) value);
    } else if (type instanceof TimeType) {
      return LocalTime.ofNanoOfDay((long) value);
    } else if (type instanceof TimestampNTZType) {
      return moment((long) value);
    } else if (type instanceof TimestampType) {
      return moment((long) value).atOffset(ZoneOffset.UTC).atZoneSameInstant(ZoneId.of(zone.toString()));
    }
    return value instanceof Number number ? number.longValue() : value.toString();
  }

  private static LocalDateTime moment(long micros) {
    int nanos = (int) Math.floorMod(micros, MICROS) * 1_000;
    return LocalDateTime.ofEpochSecond(Math.floorDiv(micros, MICROS), nanos, ZoneOffset.UTC);
  }

  @Scalar("format_number")
  public static UTF8String number(double value) {
    return number((long) value);
  }

  /** With three digits and a unit, such as {@code 1.23K}. */
  @Scalar("format_number")
  public static UTF8String number(long value) {
    double rest = value;
    int unit = 0;
    while (Math.abs(rest) >= 1_000 && unit < UNITS.length - 1) {
      rest /= 1_000;
      unit++;
    }
    String pattern = rest < 10 ? "#.##" : rest < 100 ? "#.#" : "#";
    DecimalFormat format = new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ENGLISH));
    format.setRoundingMode(RoundingMode.HALF_UP);
    return UTF8String.fromString(format.format(rest) + UNITS[unit]);
  }

  @Scalar("human_readable_seconds")
  public static UTF8String seconds(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw TrinoFailure.argument("Invalid argument found: " + value);
    }
    long rest = Math.round(Math.abs(value));
    long[] sizes = {604_800, 86_400, 3_600, 60, 1};
    String[] names = {"week", "day", "hour", "minute", "second"};
    StringJoiner text = new StringJoiner(", ");
    for (int i = 0; i < sizes.length; i++) {
      long count = rest / sizes[i];
      rest %= sizes[i];
      if (count > 0) {
        text.add(count + " " + names[i] + (count == 1 ? "" : "s"));
      }
    }
    return UTF8String.fromString(text.length() == 0 ? "0 seconds" : text.toString());
  }

  @Scalar(value = "parse_data_size", returns = "decimal(38,0)")
  public static Decimal dataSize(UTF8String text) {
    Matcher found = SIZE.matcher(text.toString());
    int unit = found.matches() ? SIZES.indexOf(found.group(2)) : -1;
    BigInteger bytes;
    try {
      if (unit < 0 || text.numBytes() > MAX_SIZE_TEXT) {
        throw new NumberFormatException();
      }
      bytes = new BigDecimal(found.group(1)).multiply(new BigDecimal(BigInteger.ONE.shiftLeft(10 * unit))).toBigInteger();
    } catch (NumberFormatException invalid) {
      throw TrinoFailure.argument("Invalid data size: '" + text + "'");
    }
    if (bytes.toString().length() > DecimalType.MAX_PRECISION()) {
      throw TrinoFailure.range("Value out of range: '" + text + "' ('" + bytes + "B')");
    }
    return Decimal.apply(new BigDecimal(bytes), DecimalType.MAX_PRECISION(), 0);
  }

  @Scalar(value = "parse_presto_data_size", returns = "decimal(38,0)")
  public static Decimal prestoDataSize(UTF8String text) {
    return dataSize(text);
  }
}
