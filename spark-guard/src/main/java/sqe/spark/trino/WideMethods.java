package sqe.spark.trino;

import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * What is called for each row with values of {@link Wide} types: times are picoseconds of the day, and timestamps microseconds since
 * 1970 with the picoseconds of the last of them.
 */
public final class WideMethods {
  static final long PICOS = 1_000_000_000_000L;
  static final long PICOS_PER_DAY = 86_400 * PICOS;
  private static final long PICOS_PER_MINUTE = 60 * PICOS;
  private static final long PICOS_PER_MICRO = 1_000_000L;
  private static final long MICROS = 1_000_000L;
  private static final long MICROS_PER_DAY = 86_400 * MICROS;
  private static final int MAX_OFFSET = 14 * 60;
  private static final Pattern TIME =
      Pattern.compile("(\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{1,12}))?)?(?:\\s*([+-])(\\d{1,2}):(\\d{2}))?");

  private WideMethods() {}

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  private static UTF8String text(String value) {
    return UTF8String.fromString(value);
  }

  private static long unit(int digits) {
    long unit = 1;
    for (int i = digits; i < Wide.MAX_DIGITS; i++) {
      unit *= 10;
    }
    return unit;
  }

  /** Picoseconds rounded to so many digits of a second. */
  static long rounded(long picos, int digits) {
    long unit = unit(digits);
    long rest = Math.floorMod(picos, unit);
    return picos - rest + (unit > 1 && 2 * rest >= unit ? unit : 0);
  }

  // Values.

  /** A timestamp, rounded. */
  public static InternalRow timestamp(long micros, int picos, int digits) {
    if (digits <= Wide.SPARK_DIGITS) {
      return row(CastMethods.rounded(micros, picos, digits), 0);
    }
    long exact = rounded(picos, digits);
    return row(Math.addExact(micros, exact / PICOS_PER_MICRO), (int) (exact % PICOS_PER_MICRO));
  }

  public static InternalRow zoned(long micros, int picos, UTF8String zone, int digits) {
    InternalRow exact = timestamp(micros, picos, digits);
    return zonedRow(exact.getLong(0), exact.getInt(1), DateTimeMethods.zone(zone));
  }

  private static InternalRow zonedRow(long micros, int picos, ZoneId zone) {
    return row(micros, picos, text(zone.getId()), DateTimeMethods.zoned(micros, zone).getOffset().getTotalSeconds());
  }

  public static InternalRow time(long picos, int digits) {
    return row(rounded(picos, digits) % PICOS_PER_DAY);
  }

  /** A time of an offset in minutes; it is kept in UTC, which decides about its order. */
  public static InternalRow timeZoned(long local, int offset, int digits) {
    if (Math.abs(offset) > MAX_OFFSET) {
      throw TrinoFailure.argument("Invalid offset minutes: " + offset);
    }
    return row(Math.floorMod(rounded(local, digits) % PICOS_PER_DAY - offset * PICOS_PER_MINUTE, PICOS_PER_DAY), offset);
  }

  /** The local time of a time in UTC. */
  public static long localPicos(long picos, int offset) {
    return Math.floorMod(picos + offset * PICOS_PER_MINUTE, PICOS_PER_DAY);
  }

  // From text.

  public static InternalRow timestampOfText(UTF8String value, int digits) {
    CastMethods.Read read = CastMethods.timestamp(value.toString());
    if (read == null) {
      throw TrinoFailure.cast("Value cannot be cast to timestamp: " + value);
    }
    return exact(value, () -> timestamp(read.micros(), read.picos(), digits));
  }

  public static InternalRow zonedOfText(UTF8String value, int digits, UTF8String session) {
    CastMethods.Read read = CastMethods.timestamp(value.toString());
    if (read == null) {
      throw TrinoFailure.cast("Value cannot be cast to timestamp with time zone: " + value);
    }
    String zone = read.zone() == null ? DateTimeMethods.zoneName(session) : read.zone();
    return exact(
        value,
        () -> {
          InternalRow local = timestamp(read.micros(), read.picos(), digits);
          long micros = DateTimeMethods.micros(DateTimeMethods.clock(local.getLong(0)).atZone(ZoneId.of(zone)));
          return zonedRow(micros, local.getInt(1), ZoneId.of(zone));
        });
  }

  private static InternalRow exact(UTF8String value, java.util.function.Supplier<InternalRow> made) {
    try {
      return made.get();
    } catch (DateTimeException | ArithmeticException e) {
      throw TrinoFailure.cast("Value cannot be cast to timestamp: " + value);
    }
  }

  public static InternalRow timeOfText(UTF8String value, int digits) {
    return time(picosOfText(value, "time"), digits);
  }

  public static InternalRow timeZonedOfText(UTF8String value, int digits, int session) {
    long picos = picosOfText(value, "time with time zone");
    Matcher found = TIME.matcher(value.toString().trim());
    if (!found.matches()) {
      throw new IllegalStateException();
    }
    int offset = session;
    if (found.group(5) != null) {
      offset = Integer.parseInt(found.group(6)) * 60 + Integer.parseInt(found.group(7));
      offset = found.group(5).equals("-") ? -offset : offset;
      if (Integer.parseInt(found.group(7)) > 59 || Math.abs(offset) > MAX_OFFSET) {
        throw TrinoFailure.cast("Value cannot be cast to time with time zone: " + value);
      }
    }
    return timeZoned(picos, offset, digits);
  }

  private static long picosOfText(UTF8String value, String type) {
    Matcher found = TIME.matcher(value.toString().trim());
    if (found.matches()) {
      int hour = Integer.parseInt(found.group(1));
      int minute = Integer.parseInt(found.group(2));
      int second = found.group(3) == null ? 0 : Integer.parseInt(found.group(3));
      if (hour < 24 && minute < 60 && second < 60) {
        return (hour * 3_600L + minute * 60 + second) * PICOS + fraction(found.group(4));
      }
    }
    throw TrinoFailure.cast("Value cannot be cast to " + type + ": " + value);
  }

  /** The picoseconds of a second's digits. */
  static long fraction(String digits) {
    return digits == null ? 0 : Long.parseLong((digits + "000000000000").substring(0, Wide.MAX_DIGITS));
  }

  // Between types.

  public static long picosOfTime(long nanos) {
    return nanos * 1_000;
  }

  /** Spark's time: nanoseconds. */
  public static long timeOfPicos(long picos, int digits) {
    return rounded(picos, digits) % PICOS_PER_DAY / 1_000;
  }

  /** The time of day; of years before 1970 a second less, as Trino has it. */
  public static long picosOfTimestamp(long micros, int picos) {
    long seconds = Math.floorMod(Math.floorDiv(micros, MICROS), 86_400L);
    long time = seconds * PICOS + micros % MICROS * PICOS_PER_MICRO + picos;
    if (time < 0) {
      throw TrinoFailure.cast("value must be >= 0");
    }
    return time;
  }

  /** The time of day. */
  public static long picosOfDay(long micros, int picos) {
    return Math.floorMod(micros, MICROS_PER_DAY) * PICOS_PER_MICRO + picos;
  }

  /** A timestamp with a time of a day. */
  public static InternalRow timestampOfTime(long time, int day, int digits) {
    return timestamp(microsOfTime(time, day), (int) (time % PICOS_PER_MICRO), digits);
  }

  public static long microsOfTime(long time, int day) {
    return day * MICROS_PER_DAY + time / PICOS_PER_MICRO;
  }

  public static int picosOfMicro(long time) {
    return (int) (time % PICOS_PER_MICRO);
  }

  /** The instant of a local time, in the offset that a zone has now. */
  public static long instantNow(long local, long now, UTF8String zone) {
    return local - DateTimeMethods.zoned(now, DateTimeMethods.zone(zone)).getOffset().getTotalSeconds() * MICROS;
  }

  /** The minutes of a zone's offset at an instant. */
  public static int offset(long micros, UTF8String zone) {
    return DateTimeMethods.zoned(micros, DateTimeMethods.zone(zone)).getOffset().getTotalSeconds() / 60;
  }

  public static int offsetOfInterval(long micros) {
    if (micros % (60 * MICROS) != 0) {
      throw TrinoFailure.argument("Invalid time zone offset interval: interval contains seconds");
    }
    DateTimeMethods.offsetName(micros / (60 * MICROS));
    return (int) (micros / (60 * MICROS));
  }

  public static UTF8String zoneOfInterval(long micros) {
    return text(DateTimeMethods.offsetName(offsetOfInterval(micros)));
  }

  public static UTF8String zoneOfOffset(int minutes) {
    return text(DateTimeMethods.offsetName(minutes));
  }

  public static UTF8String zoneOfHours(long hours, long minutes) {
    return text(DateTimeMethods.offsetName(hours * 60 + minutes));
  }

  // Texts.

  static String clock(long picos, int digits) {
    long seconds = picos / PICOS;
    String clock = String.format("%02d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    return digits == 0 ? clock : clock + "." + String.format("%012d", picos % PICOS).substring(0, digits);
  }

  public static UTF8String timeText(long picos, int digits) {
    return text(clock(picos, digits));
  }

  public static UTF8String timeZonedText(long picos, int offset, int digits) {
    return text(clock(localPicos(picos, offset), digits) + offsetText(offset));
  }

  public static UTF8String offsetText(int offset) {
    int minutes = Math.abs(offset);
    return text(String.format("%s%02d:%02d", offset < 0 ? "-" : "+", minutes / 60, minutes % 60));
  }

  private static String timestampOf(long micros, int picos, int digits) {
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(micros, MICROS_PER_DAY));
    return date + " " + clock(picosOfDay(micros, picos), digits);
  }

  public static UTF8String timestampText(long micros, int picos, int digits) {
    return text(timestampOf(micros, picos, digits));
  }

  public static UTF8String zonedText(long local, int picos, int digits, UTF8String zone) {
    return text(timestampOf(local, picos, digits) + " " + DateTimeMethods.zone(zone));
  }

  public static UTF8String isoTimestamp(long micros, int picos, int digits) {
    return text(timestampOf(micros, picos, digits).replace(' ', 'T'));
  }

  public static UTF8String isoZoned(long micros, int picos, int digits, UTF8String zone) {
    ZoneOffset offset = DateTimeMethods.zoned(micros, DateTimeMethods.zone(zone)).getOffset();
    long local = micros + offset.getTotalSeconds() * MICROS;
    return text(timestampOf(local, picos, digits).replace(' ', 'T') + offset.getId());
  }

  /** As Java's times have it, of nine digits. */
  public static UTF8String javaText(long local, int picos) {
    LocalDateTime clock = DateTimeMethods.clock(local);
    return text(clock.plusNanos(picos / 1_000).toString());
  }

  public static UTF8String javaZonedText(long micros, int picos, UTF8String zone) {
    return text(DateTimeMethods.zoned(micros, DateTimeMethods.zone(zone)).plusNanos(picos / 1_000).toString());
  }

  public static UTF8String javaTimeText(long picos) {
    return text(java.time.LocalTime.ofNanoOfDay(picos / 1_000).toString());
  }

  // Functions of times.

  private static long picosOf(UTF8String unit) {
    return switch (unit.toString().toLowerCase(Locale.ROOT)) {
      case "millisecond" -> PICOS / 1_000;
      case "second" -> PICOS;
      case "minute" -> PICOS_PER_MINUTE;
      case "hour" -> 60 * PICOS_PER_MINUTE;
      default ->
          throw TrinoFailure.argument("'" + unit.toString().toLowerCase(Locale.ROOT) + "' is not a valid TIME field");
    };
  }

  public static long truncate(UTF8String unit, long picos) {
    return picos / picosOf(unit) * picosOf(unit);
  }

  public static long add(UTF8String unit, long count, long picos, int digits) {
    long length = picosOf(unit);
    return rounded(Math.floorMod(picos + count % (PICOS_PER_DAY / length) * length, PICOS_PER_DAY), digits) % PICOS_PER_DAY;
  }

  public static long difference(UTF8String unit, long start, long end) {
    return (end - start) / picosOf(unit);
  }

  public static long addMicros(long picos, long micros) {
    return Math.floorMod(picos + micros % MICROS_PER_DAY * PICOS_PER_MICRO, PICOS_PER_DAY);
  }

  public static long field(UTF8String field, long picos) {
    return switch (field.toString()) {
      case "hour" -> picos / (60 * PICOS_PER_MINUTE);
      case "minute" -> picos / PICOS_PER_MINUTE % 60;
      case "second" -> picos / PICOS % 60;
      default -> picos / (PICOS / 1_000) % 1_000;
    };
  }

  public static long offsetHour(int offset) {
    return offset / 60;
  }

  public static long offsetMinute(int offset) {
    return offset % 60;
  }

  // Differences, in microseconds of whole milliseconds.

  /** Of times: the nearest millisecond, away from zero when two are as near. */
  public static long timeMinus(long left, long right) {
    return nearest(left - right, PICOS / 1_000) * 1_000;
  }

  private static long nearest(long value, long unit) {
    long sign = value < 0 ? -1 : 1;
    return sign * ((Math.abs(value) + unit / 2) / unit);
  }

  /** Of timestamps: the nearest millisecond, the later one when two are as near. */
  public static long timestampMinus(long left, long right) {
    return CastMethods.rounded(Math.subtractExact(left, right), 3);
  }

  /** Of timestamps with zones: the nearest millisecond, away from zero when two are as near. */
  public static long zonedMinus(long left, int leftPicos, long right, int rightPicos) {
    long millis = Math.subtractExact(Math.floorDiv(left, 1_000L), Math.floorDiv(right, 1_000L));
    long rest =
        (Math.floorMod(left, 1_000L) - Math.floorMod(right, 1_000L)) * PICOS_PER_MICRO + leftPicos - rightPicos;
    return Math.multiplyExact(millis + nearest(rest, PICOS / 1_000), 1_000L);
  }

  // Instants.

  public static double toUnixTime(long micros, int picos) {
    return Math.floorDiv(micros, 1_000L) * 1.0 / 1_000
        + (Math.floorMod(micros, 1_000L) * PICOS_PER_MICRO + picos) * 1.0 / PICOS;
  }

  /** An instant of nanoseconds since 1970. */
  public static InternalRow ofNanos(long nanos, UTF8String zone) {
    return zoned(Math.floorDiv(nanos, 1_000L), (int) Math.floorMod(nanos, 1_000L) * 1_000, zone, 9);
  }

  public static InternalRow ofDecimalNanos(Decimal nanos, UTF8String zone) {
    BigInteger whole = nanos.toJavaBigDecimal().setScale(0, RoundingMode.HALF_UP).toBigInteger();
    BigInteger[] parts = whole.divideAndRemainder(BigInteger.valueOf(1_000));
    if (parts[1].signum() < 0) {
      parts[0] = parts[0].subtract(BigInteger.ONE);
      parts[1] = parts[1].add(BigInteger.valueOf(1_000));
    }
    try {
      return zoned(parts[0].longValueExact(), parts[1].intValueExact() * 1_000, zone, 9);
    } catch (ArithmeticException e) {
      throw TrinoFailure.argument("long overflow");
    }
  }

  /** A time of ISO 8601, of nine digits. */
  public static InternalRow ofIso(UTF8String value, UTF8String session, int digits) {
    DateTimeMethods.Iso read = DateTimeMethods.iso(value, session);
    if (digits <= 3) {
      return zonedRow(read.micros() - Math.floorMod(read.micros(), 1_000L), 0, ZoneId.of(read.zone()));
    }
    int picos = (int) (read.picos() / 1_000 * 1_000); // whole nanoseconds
    return zonedRow(read.micros(), picos, ZoneId.of(read.zone()));
  }

  /** A time that Joda's format reads, with the zone in it or the session's. */
  public static InternalRow ofJoda(UTF8String value, UTF8String format, UTF8String session) {
    DateFormat.Parsed parsed = DateFormat.joda(format).parse(value.toString());
    String zone = parsed.zone() == null ? DateTimeMethods.zoneName(session) : DateTimeMethods.zoneName(text(parsed.zone().getId()));
    return zonedRow(DateTimeMethods.micros(parsed.time().atZone(ZoneId.of(zone))), 0, ZoneId.of(zone));
  }

  /** A zone's name as Trino has it. */
  public static UTF8String zoneText(UTF8String zone) {
    return text(DateTimeMethods.zoneName(zone));
  }
}
