package sqe.spark.trino;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** What {@link Casts} calls for each row. */
public final class CastMethods {
  private static final long MICROS = 1_000_000L;
  private static final long MICROS_PER_DAY = 86_400 * MICROS;
  private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};
  private static final int MAX_DIGITS = 10_000;

  /** Of a REAL, in text. */
  private static final int REAL_DIGITS = 7;

  private static final Pattern DATE = Pattern.compile("\\s*([+-]?\\d{1,9})-(\\d{1,2})-(\\d{1,2})\\s*");
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "\\s*([+-]?\\d{4,9})-(\\d{1,2})-(\\d{1,2})(?: (\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{1,12}))?)?)?\\s*(\\S.*?)?\\s*");
  private static final Pattern TIME =
      Pattern.compile("(\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{1,12}))?)?\\s*([+-]\\d{2}:?\\d{2}|[+-]\\d{2})?");

  private CastMethods() {}

  private static TrinoFailure bad(UTF8String text, String type) {
    return TrinoFailure.cast("Cannot cast '" + text + "' to " + type);
  }

  public static boolean toBoolean(UTF8String text) {
    return switch (text.toString().toLowerCase(Locale.ROOT)) {
      case "t", "true", "1" -> true;
      case "f", "false", "0" -> false;
      default -> throw bad(text, "BOOLEAN");
    };
  }

  public static byte toTinyint(UTF8String text) {
    try {
      return Byte.parseByte(text.toString().trim());
    } catch (NumberFormatException e) {
      throw bad(text, "TINYINT");
    }
  }

  public static short toSmallint(UTF8String text) {
    try {
      return Short.parseShort(text.toString().trim());
    } catch (NumberFormatException e) {
      throw bad(text, "SMALLINT");
    }
  }

  public static int toInteger(UTF8String text) {
    try {
      return Integer.parseInt(text.toString().trim());
    } catch (NumberFormatException e) {
      throw bad(text, "INT");
    }
  }

  public static long toBigint(UTF8String text) {
    try {
      return Long.parseLong(text.toString().trim());
    } catch (NumberFormatException e) {
      throw bad(text, "BIGINT");
    }
  }

  public static float toReal(UTF8String text) {
    try {
      return Float.parseFloat(text.toString());
    } catch (NumberFormatException e) {
      throw bad(text, "REAL");
    }
  }

  public static double toDouble(UTF8String text) {
    try {
      return Double.parseDouble(text.toString());
    } catch (NumberFormatException e) {
      throw bad(text, "DOUBLE");
    }
  }

  public static Decimal textToDecimal(UTF8String text, int precision, int scale) {
    BigDecimal value;
    try {
      if (text.numBytes() > MAX_DIGITS) { // Java reads digits in the square of their time
        throw new NumberFormatException();
      }
      value = new BigDecimal(text.toString());
    } catch (NumberFormatException e) {
      throw TrinoFailure.cast("Cannot cast VARCHAR '" + text + "' to DECIMAL(" + precision + ", " + scale + "). Value is not a number.");
    }
    return decimal(value, precision, scale, "VARCHAR '" + text + "'");
  }

  public static Decimal toDecimal(double value, int precision, int scale) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw TrinoFailure.cast("Cannot cast DOUBLE '" + value + "' to DECIMAL(" + precision + ", " + scale + ")");
    }
    return decimal(BigDecimal.valueOf(value), precision, scale, "DOUBLE '" + value + "'");
  }

  /** Of the digits that the text of a REAL has. */
  public static Decimal realToDecimal(float value, int precision, int scale) {
    if (Float.isNaN(value) || Float.isInfinite(value)) {
      throw TrinoFailure.cast("Cannot cast REAL '" + value + "' to DECIMAL(" + precision + ", " + scale + ")");
    }
    return decimal(new BigDecimal(Float.toString(value)), precision, scale, "REAL '" + value + "'");
  }

  /** Trino divides decimals of up to 18 digits as REALs, which rounds twice. */
  public static float decimalToReal(Decimal value, int precision, int scale) {
    BigDecimal exact = value.toJavaBigDecimal();
    if (precision > Decimal.MAX_LONG_DIGITS()) {
      return exact.floatValue();
    }
    return (float) exact.movePointRight(scale).longValue() / (float) BigDecimal.TEN.pow(scale).longValue();
  }

  public static double decimalToDouble(Decimal value, int precision, int scale) {
    BigDecimal exact = value.toJavaBigDecimal();
    if (precision > Decimal.MAX_LONG_DIGITS()) {
      return exact.doubleValue();
    }
    return (double) exact.movePointRight(scale).longValue() / (double) BigDecimal.TEN.pow(scale).longValue();
  }

  /** The nearest integer; the largest or smallest one for what is beyond them. */
  public static long realToLong(float value) {
    if (Float.isNaN(value)) {
      throw TrinoFailure.cast("Cannot cast real NaN to bigint");
    }
    return (long) (value < 0 ? -Math.floor(-(double) value + 0.5) : Math.floor((double) value + 0.5));
  }

  private static Decimal decimal(BigDecimal value, int precision, int scale, String what) {
    // A huge exponent would make a huge number of zeros.
    if (value.signum() != 0 && (long) value.precision() - value.scale() > precision) {
      throw TrinoFailure.cast("Cannot cast " + what + " to DECIMAL(" + precision + ", " + scale + ")");
    }
    BigDecimal rounded = value.signum() == 0 ? BigDecimal.ZERO.setScale(scale)
        : (long) value.precision() - value.scale() < -scale - 1L ? BigDecimal.ZERO.setScale(scale)
        : value.setScale(scale, RoundingMode.HALF_UP);
    if (rounded.signum() != 0 && rounded.precision() > precision) {
      throw TrinoFailure.cast("Cannot cast " + what + " to DECIMAL(" + precision + ", " + scale + ")");
    }
    return Decimal.apply(rounded, precision, scale);
  }

  /** The nearest integer, away from zero when two are as near. */
  public static long toLong(double value, long most, UTF8String type) {
    double rounded = value < 0 ? -Math.floor(-value + 0.5) : Math.floor(value + 0.5);
    if (Math.abs(value) >= 1L << 52) {
      rounded = value; // it has no fraction, and the sum would be rounded
    } else if (Math.abs(value) == 0.49999999999999994) {
      rounded = 0;
    }
    boolean fits = most == Long.MAX_VALUE ? rounded >= -0x1p63 && rounded < 0x1p63 : rounded >= -most - 1.0 && rounded <= most;
    if (!fits) { // NaN, too
      throw TrinoFailure.cast("Cannot cast " + value + " to " + type);
    }
    return (long) rounded;
  }

  public static int toDate(UTF8String text) {
    Matcher found = DATE.matcher(text.toString().trim());
    try {
      if (found.matches()) {
        return Math.toIntExact(
            LocalDate.of(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)), Integer.parseInt(found.group(3)))
                .toEpochDay());
      }
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      // as below
    }
    throw TrinoFailure.cast("Value cannot be cast to date: " + text);
  }

  /** Microseconds since 1970, as a local time. */
  public static long toTimestamp(UTF8String text, int digits) {
    Matcher found = TIMESTAMP.matcher(text.toString());
    try {
      if (found.matches()) {
        if (found.group(8) != null) {
          zone(found.group(8)); // is dropped, but has to be one
        }
        return local(found, digits);
      }
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      // as below
    }
    throw TrinoFailure.cast("Value cannot be cast to timestamp: " + text);
  }

  /** Microseconds since 1970, in the zone of the text or of the session. */
  public static long toInstant(UTF8String text, int digits, UTF8String session) {
    Matcher found = TIMESTAMP.matcher(text.toString());
    try {
      if (found.matches()) {
        ZoneId zone = zone(found.group(8) == null ? session.toString() : found.group(8));
        long local = local(found, digits);
        LocalDateTime time =
            LocalDateTime.ofEpochSecond(
                Math.floorDiv(local, MICROS), (int) Math.floorMod(local, MICROS) * 1_000, ZoneOffset.UTC);
        return Math.addExact(Math.multiplyExact(time.atZone(zone).toEpochSecond(), MICROS), Math.floorMod(local, MICROS));
      }
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      // as below
    }
    throw TrinoFailure.cast("Value cannot be cast to timestamp with time zone: " + text);
  }

  static ZoneId zone(String name) {
    try {
      return ZoneId.of(DateTimeMethods.zoneName(name));
    } catch (TrinoFailure e) {
      throw new DateTimeException(name);
    }
  }

  /** The zone in the text of a timestamp; null when it has none. */
  static String zoneIn(String text) {
    Matcher found = TIMESTAMP.matcher(text);
    return found.matches() && found.group(8) != null ? DateTimeMethods.zoneName(found.group(8)) : null;
  }

  private static long local(Matcher found, int digits) {
    LocalDateTime time =
        LocalDateTime.of(
            number(found, 1), number(found, 2), number(found, 3), number(found, 4), number(found, 5), number(found, 6));
    long seconds = time.toEpochSecond(ZoneOffset.UTC);
    return Math.addExact(Math.multiplyExact(seconds, MICROS), micros(found.group(7), digits));
  }

  private static int number(Matcher found, int group) {
    return found.group(group) == null ? 0 : Integer.parseInt(found.group(group));
  }

  /** A second's fraction in microseconds, rounded to so many digits. */
  private static long micros(String fraction, int digits) {
    if (fraction == null) {
      return 0;
    }
    BigDecimal value = new BigDecimal("0." + fraction).setScale(Math.min(digits, 6), RoundingMode.HALF_UP);
    return value.movePointRight(6).longValueExact();
  }

  /** Microseconds rounded to so many digits of a second. */
  public static long rounded(long micros, int digits) {
    long unit = POWERS[6 - digits];
    long rest = Math.floorMod(micros, unit);
    return micros - rest + (2 * rest >= unit ? unit : 0);
  }

  /** Microseconds, with the picoseconds of the last of them, rounded to so many digits of a second. */
  public static long rounded(long micros, int picos, int digits) {
    return digits < 6 ? rounded(micros, digits) : micros + (picos >= 500_000 ? 1 : 0);
  }

  /**
   * A timestamp as text has it.
   *
   * @param zone null when the text has none
   */
  record Read(long micros, int picos, String zone) {}

  /** Read the text of a timestamp; null when it is none. */
  static Read timestamp(String text) {
    Matcher found = TIMESTAMP.matcher(text);
    try {
      if (!found.matches()) {
        return null;
      }
      String zone = found.group(8) == null ? null : zone(found.group(8)).getId();
      long fraction = WideMethods.fraction(found.group(7));
      long seconds = local(found, 0) - micros(found.group(7), 0);
      return new Read(Math.addExact(seconds, fraction / 1_000_000), (int) (fraction % 1_000_000), zone);
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return null;
    }
  }

  /** Nanoseconds of the day. */
  public static long toTime(UTF8String text, int digits) {
    Matcher found = TIME.matcher(text.toString().trim());
    try {
      if (found.matches()) {
        int hour = number(found, 1);
        int minute = number(found, 2);
        int second = number(found, 3);
        if (hour < 24 && minute < 60 && second < 60) {
          long micros = (hour * 3_600L + minute * 60 + second) * MICROS + micros(found.group(4), digits);
          return micros % MICROS_PER_DAY * 1_000;
        }
      }
    } catch (NumberFormatException | ArithmeticException e) {
      // as below
    }
    throw TrinoFailure.cast("Value cannot be cast to time: " + text);
  }

  /** The time of a local time; a second less before 1970, as Trino has it. */
  public static long timeOfTimestamp(long micros, int digits) {
    return WideMethods.timeOfPicos(WideMethods.picosOfTimestamp(micros, 0), digits);
  }

  public static long timeOf(long micros, int digits) {
    return rounded(Math.floorMod(micros, MICROS_PER_DAY), digits) % MICROS_PER_DAY * 1_000;
  }

  public static long roundedTime(long nanos, int digits) {
    return rounded(nanos / 1_000, digits) % MICROS_PER_DAY * 1_000;
  }

  public static UTF8String timeText(long nanos, int digits) {
    long micros = nanos / 1_000;
    return UTF8String.fromString(clock(micros, digits));
  }

  /** {@code 03:04:05.321}. */
  static String clock(long microsOfDay, int digits) {
    long seconds = microsOfDay / MICROS;
    String clock = String.format("%02d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    return digits == 0 ? clock : clock + "." + String.format("%06d", microsOfDay % MICROS).substring(0, digits);
  }

  /** {@code 2001-08-22 03:04:05.321}. */
  static String timestamp(long micros, int digits) {
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(micros, MICROS_PER_DAY));
    return date(date) + " " + clock(Math.floorMod(micros, MICROS_PER_DAY), digits);
  }

  private static String date(LocalDate date) {
    return date.toString();
  }

  public static UTF8String doubleText(double value) {
    return UTF8String.fromString(scientific(value, Double.toString(value)));
  }

  public static UTF8String realText(float value) {
    if (Float.isNaN(value) || Float.isInfinite(value) || value == 0) {
      return UTF8String.fromString(scientific(value, Float.toString(value)));
    }
    BigDecimal digits = new BigDecimal((double) value).round(new MathContext(REAL_DIGITS, RoundingMode.HALF_EVEN));
    return UTF8String.fromString(scientific(value, digits.toString()));
  }

  /** The shortest digits that are this number, as {@code 1.5E0}. */
  private static String scientific(double value, String shortest) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return shortest;
    }
    if (value == 0) {
      return shortest.startsWith("-") ? "-0E0" : "0E0";
    }
    BigDecimal digits = new BigDecimal(shortest).stripTrailingZeros();
    String unscaled = digits.unscaledValue().abs().toString();
    int exponent = unscaled.length() - 1 - digits.scale();
    String mantissa = unscaled.charAt(0) + "." + (unscaled.length() == 1 ? "0" : unscaled.substring(1));
    return (digits.signum() < 0 ? "-" : "") + mantissa + "E" + exponent;
  }

  public static UTF8String intervalText(long micros) {
    long millis = micros / 1_000;
    String sign = millis < 0 ? "-" : "";
    long all = Math.abs(millis);
    long seconds = all / 1_000;
    return UTF8String.fromString(
        String.format(
            "%s%d %02d:%02d:%02d.%03d", sign, seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60, all % 1_000));
  }

  public static UTF8String monthsText(int months) {
    String sign = months < 0 ? "-" : "";
    long all = Math.abs((long) months);
    return UTF8String.fromString(sign + all / 12 + "-" + all % 12);
  }

  /** The text, which has to be within a length. */
  public static UTF8String fitted(UTF8String text, int length, UTF8String type) {
    if (text.numChars() > length) {
      throw TrinoFailure.cast("Value " + text + " cannot be represented as " + type);
    }
    return text;
  }

  public static UTF8String uuid(UTF8String text) {
    String value = text.toString();
    try {
      UUID uuid = UUID.fromString(value);
      if (value.length() == 36) {
        return UTF8String.fromString(uuid.toString());
      }
    } catch (IllegalArgumentException e) {
      // as below
    }
    throw TrinoFailure.cast("Cannot cast value to UUID: " + value);
  }

  public static UTF8String uuidOfBytes(byte[] bytes) {
    if (bytes.length != 16) {
      throw TrinoFailure.cast("Invalid UUID binary length: " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return UTF8String.fromString(new UUID(buffer.getLong(), buffer.getLong()).toString());
  }

  private static final Pattern ADDRESS = Pattern.compile("[0-9a-fA-F:.]+");

  public static UTF8String address(UTF8String text) {
    String value = text.toString();
    boolean numeric = ADDRESS.matcher(value).matches() && (value.contains(":") || value.chars().filter(c -> c == '.').count() == 3);
    if (numeric) {
      try {
        return UTF8String.fromString(addressText(InetAddress.getByName(value).getAddress()));
      } catch (UnknownHostException e) {
        // as below
      }
    }
    throw TrinoFailure.cast("Cannot cast value to IPADDRESS: " + value);
  }

  public static UTF8String addressOfBytes(byte[] bytes) {
    if (bytes.length != 4 && bytes.length != 16) {
      throw TrinoFailure.cast("Invalid InetAddress binary length: " + bytes.length);
    }
    return UTF8String.fromString(addressText(bytes));
  }

  /** As RFC 5952 writes it. */
  static String addressText(byte[] bytes) {
    try {
      byte[] address = InetAddress.getByAddress(bytes).getAddress(); // of four bytes, where it is mapped
      if (address.length == 4) {
        return InetAddress.getByAddress(address).getHostAddress();
      }
      return compressed(address);
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static String compressed(byte[] address) {
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = (address[2 * i] & 0xff) << 8 | (address[2 * i + 1] & 0xff);
    }
    int best = -1;
    int longest = 1;
    for (int i = 0; i < 8; i++) {
      int end = i;
      while (end < 8 && groups[end] == 0) {
        end++;
      }
      if (end - i > longest) {
        best = i;
        longest = end - i;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == best) {
        text.append("::");
        i += longest - 1;
      } else {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }
}
