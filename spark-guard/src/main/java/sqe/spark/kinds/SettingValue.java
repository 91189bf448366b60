package sqe.spark.kinds;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;

/** Checks the value of a setting against its type and range, which the first lines of {@code settings.txt} explain. */
final class SettingValue {
  private static final Pattern SIZE = Pattern.compile("(-?[0-9]{1,18})\\s*([a-z]{0,2})");
  private static final Map<String, Integer> UNITS =
      Map.ofEntries(
          Map.entry("", 0), Map.entry("b", 0), Map.entry("k", 10), Map.entry("kb", 10), Map.entry("m", 20), Map.entry("mb", 20),
          Map.entry("g", 30), Map.entry("gb", 30), Map.entry("t", 40), Map.entry("tb", 40), Map.entry("p", 50), Map.entry("pb", 50));

  private SettingValue() {}

  /** Throws {@link BadValue} unless the value is of the type and in the range. */
  static void check(String key, String value, String type, String range) {
    String given = value.strip();
    boolean good =
        switch (type) {
          case "boolean" -> given.equalsIgnoreCase("true") || given.equalsIgnoreCase("false");
          case "number", "size" -> within(given, range, type.equals("size"));
          case "word" -> List.of(range.split("\\|")).contains(given.toUpperCase(Locale.ROOT));
          case "zone" -> isZone(given);
          default -> throw new IllegalStateException(type);
        };
    if (!good) {
      throw new BadValue(key, value, words(type, range));
    }
  }

  private static boolean within(String value, String range, boolean units) {
    BigDecimal number = number(value, units);
    String[] ends = range.split("\\.\\.");
    return number != null && number.compareTo(number(ends[0], true)) >= 0 && number.compareTo(number(ends[1], true)) <= 0;
  }

  private static BigDecimal number(String text, boolean units) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches() || !UNITS.containsKey(matcher.group(2)) || (!units && !matcher.group(2).isEmpty())) {
      return null;
    }
    return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(2).pow(UNITS.get(matcher.group(2))));
  }

  private static boolean isZone(String value) {
    try {
      DateTimeUtils.getZoneId(value);
      return true;
    } catch (DateTimeException unknown) {
      return false;
    }
  }

  private static String words(String type, String range) {
    return switch (type) {
      case "boolean" -> "true or false";
      case "number" -> "a whole number from " + range.replace("..", " to ");
      case "size" -> "a size from " + range.replace("..", " to ");
      case "word" -> range.replace("|", " or ");
      default -> "the name of a time zone or an offset such as +01:00";
    };
  }
}
