package sqe.spark.trino;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;

/** What {@link DateTimes} calls for each row: dates are days and timestamps microseconds since 1970, times nanoseconds. */
public final class DateTimeMethods {
  static final long MICROS = 1_000_000L;
  static final long MICROS_PER_DAY = 86_400 * MICROS;
  private static final long NANOS_PER_DAY = MICROS_PER_DAY * 1_000;
  private static final int MAX_ZONES = 1_000;
  private static final int MAX_OFFSET_MINUTES = 14 * 60;

  private static final Map<UTF8String, ZoneId> ZONES = new ConcurrentHashMap<>();
  private static final Set<String> UTC_NAMES =
      Set.of("z", "utc", "ut", "uct", "gmt", "gmt0", "zulu", "greenwich", "universal");
  private static final Pattern OFFSET = Pattern.compile("(?:utc|gmt|ut)?([+-])(\\d{1,2})(?::?(\\d{2}))?", Pattern.CASE_INSENSITIVE);
  private static final Pattern DURATION = Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*([a-zA-Z]+)\\s*");
  private static final Pattern ISO_DATE = Pattern.compile("([+-]?\\d{4,9})(?:-(\\d{1,2})(?:-(\\d{1,2}))?|-[Ww](\\d{1,2})(?:-(\\d))?|-(\\d{3}))?");
  private static final Pattern ISO_TIME =
      Pattern.compile("(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:[.,](\\d+))?)?)?([Zz]|[+-]\\d{2}(?::?\\d{2})?)?");

  private DateTimeMethods() {}

  // Zones.

  /** The name that Trino shows for a zone; fails when there is none of that name. */
  static String zoneName(String text) {
    String name = text.trim();
    String lower = name.toLowerCase(Locale.ROOT);
    if (UTC_NAMES.contains(lower.startsWith("etc/") ? lower.substring(4) : lower)) {
      return "UTC";
    }
    Matcher offset = OFFSET.matcher(name);
    if (offset.matches()) {
      int hours = Integer.parseInt(offset.group(2));
      int minutes = offset.group(3) == null ? 0 : Integer.parseInt(offset.group(3));
      if (minutes > 59 || hours * 60 + minutes > MAX_OFFSET_MINUTES) {
        throw TrinoFailure.argument("Time zone not supported: " + text);
      }
      return hours == 0 && minutes == 0 ? "UTC" : String.format("%s%02d:%02d", offset.group(1), hours, minutes);
    }
    for (String known : List.of(name, lower)) {
      try {
        if (!known.isEmpty() && Character.isLetter(known.charAt(0))) {
          return ZoneId.of(known).getId();
        }
      } catch (DateTimeException e) {
        // the next
      }
    }
    throw TrinoFailure.argument("Time zone not supported: " + text);
  }

  /** The name that Trino shows for a zone, which is read once. */
  static String zoneName(UTF8String text) {
    return zone(text).getId();
  }

  static ZoneId zone(UTF8String name) {
    ZoneId known = ZONES.get(name);
    if (known == null) {
      if (ZONES.size() > MAX_ZONES) {
        ZONES.clear();
      }
      known = ZoneId.of(zoneName(name.toString()));
      ZONES.put(name.clone(), known);
    }
    return known;
  }

  /** The name of an offset in minutes. */
  static String offsetName(long minutes) {
    if (Math.abs(minutes) > MAX_OFFSET_MINUTES) {
      throw TrinoFailure.argument("Invalid offset minutes " + minutes);
    }
    return minutes == 0
        ? "UTC"
        : String.format("%s%02d:%02d", minutes < 0 ? "-" : "+", Math.abs(minutes) / 60, Math.abs(minutes) % 60);
  }

  static LocalDateTime clock(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, MICROS), (int) Math.floorMod(micros, MICROS) * 1_000, ZoneOffset.UTC);
  }

  static long micros(LocalDateTime time) {
    return Math.addExact(Math.multiplyExact(time.toEpochSecond(ZoneOffset.UTC), MICROS), time.getNano() / 1_000);
  }

  static ZonedDateTime zoned(long micros, ZoneId zone) {
    return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000).atZone(zone);
  }

  static long micros(ZonedDateTime time) {
    return Math.addExact(Math.multiplyExact(time.toEpochSecond(), MICROS), time.getNano() / 1_000);
  }

  /** The local time of an instant. */
  public static long local(long micros, UTF8String zone) {
    return micros(zoned(micros, zone(zone)).toLocalDateTime());
  }

  /** The instant of a local time. */
  public static long instant(long local, UTF8String zone) {
    return micros(clock(local).atZone(zone(zone)));
  }

  /** The minutes that a zone's clock is ahead of UTC. */
  private static long offset(long micros, UTF8String zone) {
    return zoned(micros, zone(zone)).getOffset().getTotalSeconds() / 60;
  }

  public static long timezoneHour(long micros, UTF8String zone) {
    return offset(micros, zone) / 60;
  }

  public static long timezoneMinute(long micros, UTF8String zone) {
    return offset(micros, zone) % 60;
  }

  public static UTF8String zoneText(UTF8String zone) {
    return UTF8String.fromString(zoneName(zone.toString()));
  }

  // Parts.

  public static long dateField(UTF8String field, int days) {
    LocalDate date = LocalDate.ofEpochDay(days);
    return switch (field.toString()) {
      case "year" -> date.getYear();
      case "quarter" -> date.get(IsoFields.QUARTER_OF_YEAR);
      case "month" -> date.getMonthValue();
      case "week" -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
      case "day" -> date.getDayOfMonth();
      case "day_of_week" -> date.getDayOfWeek().getValue();
      case "day_of_year" -> date.getDayOfYear();
      case "year_of_week" -> date.get(IsoFields.WEEK_BASED_YEAR);
      default -> 0; // of the time, which a date begins with
    };
  }

  public static long timestampField(UTF8String field, long micros) {
    String name = field.toString();
    return switch (name) {
      case "hour", "minute", "second", "millisecond" -> clockField(name, Math.floorMod(micros, MICROS_PER_DAY));
      default -> dateField(field, Math.toIntExact(Math.floorDiv(micros, MICROS_PER_DAY)));
    };
  }

  public static long timeField(UTF8String field, long nanos) {
    return clockField(field.toString(), nanos / 1_000);
  }

  private static long clockField(String field, long micros) {
    return switch (field) {
      case "hour" -> micros / (3_600 * MICROS);
      case "minute" -> micros / (60 * MICROS) % 60;
      case "second" -> micros / MICROS % 60;
      default -> micros / 1_000 % 1_000;
    };
  }

  public static long intervalField(UTF8String field, long micros) {
    return switch (field.toString()) {
      case "day" -> micros / MICROS_PER_DAY;
      case "hour" -> micros / (3_600 * MICROS) % 24;
      default -> clockField(field.toString(), micros);
    };
  }

  public static long monthsField(UTF8String field, int months) {
    return field.toString().equals("year") ? months / 12 : months % 12;
  }

  // The beginning of a unit.

  private static LocalDate truncated(LocalDate date, String unit, String kind) {
    return switch (unit) {
      case "day" -> date;
      case "week" -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case "month" -> date.withDayOfMonth(1);
      case "quarter" -> date.withDayOfMonth(1).withMonth((date.getMonthValue() - 1) / 3 * 3 + 1);
      case "year" -> date.withDayOfYear(1);
      default -> throw noField(unit, kind);
    };
  }

  private static TrinoFailure noField(String unit, String kind) {
    return TrinoFailure.argument("'" + unit + "' is not a valid " + kind + " field");
  }

  /** Microseconds of a unit of the clock; 0 for a longer one. */
  private static long unit(String name) {
    return switch (name) {
      case "millisecond" -> 1_000;
      case "second" -> MICROS;
      case "minute" -> 60 * MICROS;
      case "hour" -> 3_600 * MICROS;
      default -> 0;
    };
  }

  private static String lower(UTF8String unit) {
    return unit.toString().toLowerCase(Locale.ROOT);
  }

  public static int truncateDate(UTF8String unit, int days) {
    return (int) truncated(LocalDate.ofEpochDay(days), lower(unit), "DATE").toEpochDay();
  }

  public static long truncateTimestamp(UTF8String unit, long micros) {
    long length = unit(lower(unit));
    if (length > 0) {
      return Math.floorDiv(micros, length) * length;
    }
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(micros, MICROS_PER_DAY));
    return truncated(date, lower(unit), "TIMESTAMP").toEpochDay() * MICROS_PER_DAY;
  }

  public static long truncateZoned(UTF8String unit, long micros, UTF8String zone) {
    ZonedDateTime time = zoned(micros, zone(zone));
    long length = unit(lower(unit));
    if (length > 0) {
      // In the same offset: an hour that a zone has twice stays the one that it is.
      long shift = time.getOffset().getTotalSeconds() * MICROS;
      return Math.floorDiv(micros + shift, length) * length - shift;
    }
    return micros(truncated(time.toLocalDate(), lower(unit), "TIMESTAMP").atStartOfDay(time.getZone()));
  }

  public static long truncateTime(UTF8String unit, long nanos) {
    long length = unit(lower(unit)) * 1_000;
    if (length == 0) {
      throw noField(lower(unit), "TIME");
    }
    return nanos / length * length;
  }

  // Sums.

  private static long months(String unit) {
    return switch (unit) {
      case "month" -> 1;
      case "quarter" -> 3;
      case "year" -> 12;
      default -> 0;
    };
  }

  private static long days(String unit) {
    return unit.equals("day") ? 1 : unit.equals("week") ? 7 : 0;
  }

  private static LocalDate moved(LocalDate date, String unit, long count, String kind) {
    try {
      if (months(unit) > 0) {
        return date.plusMonths(Math.multiplyExact(count, months(unit)));
      }
      if (days(unit) > 0) {
        return date.plusDays(Math.multiplyExact(count, days(unit)));
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw TrinoFailure.argument("Value out of range: " + count + " " + unit);
    }
    throw noField(unit, kind);
  }

  private static <T> T inRange(java.util.function.Supplier<T> sum) {
    try {
      return sum.get();
    } catch (DateTimeException | ArithmeticException e) {
      throw TrinoFailure.argument("Timestamp out of range");
    }
  }

  public static int addToDate(UTF8String unit, long count, int days) {
    return inRange(() -> Math.toIntExact(moved(LocalDate.ofEpochDay(days), lower(unit), count, "DATE").toEpochDay()));
  }

  public static long addToTimestamp(UTF8String unit, long count, long micros, int digits) {
    String name = lower(unit);
    long length = unit(name);
    if (length > 0) {
      return inRange(() -> CastMethods.rounded(Math.addExact(micros, Math.multiplyExact(count, length)), digits));
    }
    LocalDateTime time = clock(micros);
    return inRange(() -> micros(moved(time.toLocalDate(), name, count, "TIMESTAMP").atTime(time.toLocalTime())));
  }

  public static long addToZoned(UTF8String unit, long count, long micros, int digits, UTF8String zone) {
    String name = lower(unit);
    long length = unit(name);
    if (length > 0) {
      return inRange(() -> CastMethods.rounded(Math.addExact(micros, Math.multiplyExact(count, length)), digits));
    }
    ZonedDateTime time = zoned(micros, zone(zone));
    return inRange(
        () -> {
          LocalDateTime local = moved(time.toLocalDate(), name, count, "TIMESTAMP").atTime(time.toLocalTime());
          return micros(ZonedDateTime.ofLocal(local, time.getZone(), time.getOffset()));
        });
  }

  public static long addToTime(UTF8String unit, long count, long nanos, int digits) {
    long length = unit(lower(unit)) * 1_000;
    if (length == 0) {
      throw noField(lower(unit), "TIME");
    }
    long moved = Math.floorMod(nanos + count % (NANOS_PER_DAY / length) * length, NANOS_PER_DAY);
    return CastMethods.rounded(moved / 1_000, digits) % MICROS_PER_DAY * 1_000;
  }

  public static long addMonths(long micros, int months) {
    return inRange(() -> micros(clock(micros).plusMonths(months)));
  }

  public static long addMonthsZoned(long micros, int months, UTF8String zone) {
    ZonedDateTime time = zoned(micros, zone(zone));
    return inRange(
        () -> micros(ZonedDateTime.ofLocal(time.toLocalDateTime().plusMonths(months), time.getZone(), time.getOffset())));
  }

  // Differences.

  /** Whole months: the last day of a month is as late as any later day of a longer one. */
  private static long months(LocalDateTime start, LocalDateTime end) {
    if (end.isBefore(start)) {
      return -months(end, start);
    }
    int day = end.getDayOfMonth();
    LocalDateTime from = start;
    if (day == end.toLocalDate().lengthOfMonth() && start.getDayOfMonth() > day) {
      from = start.withDayOfMonth(Math.min(day, start.toLocalDate().lengthOfMonth()));
    }
    long count = (end.getYear() - from.getYear()) * 12L + end.getMonthValue() - from.getMonthValue();
    int order = Integer.compare(day, from.getDayOfMonth());
    boolean less = order < 0 || (order == 0 && end.toLocalTime().isBefore(from.toLocalTime()));
    return less ? count - 1 : count;
  }

  private static long between(String unit, LocalDateTime start, LocalDateTime end, String kind) {
    if (months(unit) > 0) {
      return months(start, end) / months(unit);
    }
    if (days(unit) > 0) {
      return ChronoUnit.DAYS.between(start, end) / days(unit);
    }
    throw noField(unit, kind);
  }

  public static long dateDiff(UTF8String unit, int start, int end) {
    return between(
        lower(unit), LocalDate.ofEpochDay(start).atStartOfDay(), LocalDate.ofEpochDay(end).atStartOfDay(), "DATE");
  }

  private static long wholeMillis(long micros) {
    return Math.floorDiv(micros, 1_000) * 1_000;
  }

  public static long timestampDiff(UTF8String unit, long start, long end) {
    long first = wholeMillis(start);
    long last = wholeMillis(end);
    long length = unit(lower(unit));
    return length > 0 ? (last - first) / length : between(lower(unit), clock(first), clock(last), "TIMESTAMP");
  }

  /** In the zone of the first. */
  public static long zonedDiff(UTF8String unit, long start, long end, UTF8String zone) {
    long first = wholeMillis(start);
    long last = wholeMillis(end);
    long length = unit(lower(unit));
    if (length > 0) {
      return (last - first) / length;
    }
    ZoneId at = zone(zone);
    return between(lower(unit), zoned(first, at).toLocalDateTime(), zoned(last, at).toLocalDateTime(), "TIMESTAMP");
  }

  public static long timeDiff(UTF8String unit, long start, long end) {
    long length = unit(lower(unit));
    if (length == 0) {
      throw noField(lower(unit), "TIME");
    }
    return (end / 1_000_000 * 1_000 - start / 1_000_000 * 1_000) / length;
  }

  public static int lastDayOfMonth(int days) {
    return (int) LocalDate.ofEpochDay(days).with(TemporalAdjusters.lastDayOfMonth()).toEpochDay();
  }

  // Texts.

  public static UTF8String isoDate(int days) {
    return UTF8String.fromString(LocalDate.ofEpochDay(days).toString());
  }

  public static UTF8String isoTimestamp(long micros, int digits) {
    return UTF8String.fromString(CastMethods.timestamp(micros, digits).replace(' ', 'T'));
  }

  public static UTF8String isoZoned(long micros, int digits, UTF8String zone) {
    ZonedDateTime time = zoned(micros, zone(zone));
    String text = CastMethods.timestamp(micros(time.toLocalDateTime()), digits).replace(' ', 'T');
    return UTF8String.fromString(text + time.getOffset().getId());
  }

  /** A date of ISO 8601, in one of its forms. */
  public static int fromIsoDate(UTF8String text) {
    LocalDate date = isoDate(text.toString());
    if (date == null) {
      throw TrinoFailure.argument("Invalid format: \"" + text + "\"");
    }
    return Math.toIntExact(date.toEpochDay());
  }

  private static LocalDate isoDate(String text) {
    Matcher found = ISO_DATE.matcher(text);
    try {
      if (!found.matches()) {
        return null;
      }
      int year = Integer.parseInt(found.group(1));
      if (found.group(4) != null) {
        int day = found.group(5) == null ? 1 : Integer.parseInt(found.group(5));
        int week = Integer.parseInt(found.group(4));
        LocalDate date = LocalDate.of(year, 1, 4).with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, week);
        return date.with(java.time.temporal.ChronoField.DAY_OF_WEEK, day);
      }
      if (found.group(6) != null) {
        return LocalDate.ofYearDay(year, Integer.parseInt(found.group(6)));
      }
      int month = found.group(2) == null ? 1 : Integer.parseInt(found.group(2));
      return LocalDate.of(year, month, found.group(3) == null ? 1 : Integer.parseInt(found.group(3)));
    } catch (DateTimeException | NumberFormatException e) {
      return null;
    }
  }

  /** The zone in a text of ISO 8601; null when it has none. */
  static String isoZone(String text) {
    int at = text.indexOf('T');
    Matcher time = at < 0 ? null : ISO_TIME.matcher(text.substring(at + 1));
    return time != null && time.matches() && time.group(5) != null ? zoneName(time.group(5)) : null;
  }

  /** A time of ISO 8601, with the picoseconds of its last microsecond. */
  record Iso(long micros, int picos, String zone) {}

  public static long fromIsoTimestamp(UTF8String text, UTF8String session) {
    long micros = iso(text, session).micros();
    return micros - Math.floorMod(micros, 1_000L); // whole milliseconds
  }

  static Iso iso(UTF8String text, UTF8String session) {
    String all = text.toString();
    int at = all.indexOf('T');
    LocalDate date = isoDate(at < 0 ? all : all.substring(0, at));
    Matcher time = at < 0 || at == all.length() - 1 ? null : ISO_TIME.matcher(all.substring(at + 1));
    if (date == null || (time != null && !time.matches())) {
      throw TrinoFailure.argument("Invalid format: \"" + text + "\"");
    }
    try {
      long micros = 0;
      long fraction = 0;
      ZoneId zone = zone(session);
      if (time != null) {
        int hour = Integer.parseInt(time.group(1));
        int minute = time.group(2) == null ? 0 : Integer.parseInt(time.group(2));
        int second = time.group(3) == null ? 0 : Integer.parseInt(time.group(3));
        if (hour > 23 || minute > 59 || second > 59) {
          throw new DateTimeException(all);
        }
        fraction = WideMethods.fraction(time.group(4));
        micros = (hour * 3_600L + minute * 60 + second) * MICROS + fraction / 1_000_000;
        zone = time.group(5) == null ? zone : ZoneId.of(zoneName(time.group(5)));
      }
      long local = Math.addExact(Math.multiplyExact(date.toEpochDay(), MICROS_PER_DAY), micros);
      return new Iso(micros(clock(local).atZone(zone)), (int) (fraction % 1_000_000), zone.getId());
    } catch (DateTimeException | ArithmeticException e) {
      throw TrinoFailure.argument("Cannot parse \"" + text + "\"");
    }
  }

  public static long fromUnixTime(double seconds) {
    double millis = seconds * 1_000;
    if (Double.isNaN(millis)) {
      return 0;
    }
    if (Math.abs(millis) > Long.MAX_VALUE / 8_192.0) {
      throw TrinoFailure.argument("Millis overflow: " + Math.round(millis));
    }
    return Math.round(millis) * 1_000;
  }

  public static double toUnixTime(long micros) {
    return micros / 1_000_000.0;
  }

  public static long toMilliseconds(long micros) {
    return micros / 1_000;
  }

  /** Such as {@code 3.5h}, rounded to milliseconds. */
  public static long parseDuration(UTF8String text) {
    Matcher found = DURATION.matcher(text.toString());
    if (!found.matches()) {
      throw TrinoFailure.argument("duration is not a valid data duration string: " + text);
    }
    BigDecimal millis =
        switch (found.group(2)) {
          case "ns" -> new BigDecimal("0.000001");
          case "us" -> new BigDecimal("0.001");
          case "ms" -> BigDecimal.ONE;
          case "s" -> BigDecimal.valueOf(1_000);
          case "m" -> BigDecimal.valueOf(60_000);
          case "h" -> BigDecimal.valueOf(3_600_000);
          case "d" -> BigDecimal.valueOf(86_400_000);
          default -> throw TrinoFailure.argument("Unknown time unit: " + found.group(2));
        };
    double value = Double.parseDouble(found.group(1));
    double product = value * millis.doubleValue();
    if (product > Long.MAX_VALUE / 1_000.0) {
      throw TrinoFailure.argument("Duration is too long: " + text);
    }
    return BigDecimal.valueOf(product).setScale(0, RoundingMode.HALF_UP).longValueExact() * 1_000;
  }

}
