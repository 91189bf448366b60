package sqe.spark.trino;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A format of dates, as {@code date_format} (with MySQL's letters) and {@code format_datetime} (with Joda's) take it.
 *
 * <p>Both know milliseconds, and no more digits of a second.
 */
final class DateFormat {
  private static final int MAX_KEPT = 1_000;
  private static final Map<UTF8String, DateFormat> MYSQL = new ConcurrentHashMap<>();
  private static final Map<UTF8String, DateFormat> JODA = new ConcurrentHashMap<>();
  private static final int DEFAULT_YEAR = 2000;

  /** What a part of a format stands for, and the most digits that it reads. */
  private enum Field {
    LITERAL(0), YEAR(9), SHORT_YEAR(2), CENTURY(9), ERA(0), WEEK_YEAR(9), WEEK(2), MONTH(2), SHORT_MONTH(0), LONG_MONTH(0),
    DAY(2), DAY_OF_YEAR(3), WEEKDAY(1), SHORT_WEEKDAY(0), LONG_WEEKDAY(0), HOUR(2), CLOCK_HOUR(2), HALF_HOUR(2),
    HALF_CLOCK_HOUR(2), MINUTE(2), SECOND(2), FRACTION(9), HALF(0), OFFSET(0), COLON_OFFSET(0), ZONE(0), SHORT_ZONE(0), LONG_ZONE(0);

    final int most;

    Field(int most) {
      this.most = most;
    }
  }

  private record Part(Field field, int width, int most, String text) {}

  private final List<Part> parts;
  private final int pivot;

  private DateFormat(List<Part> parts, int pivot) {
    this.parts = parts;
    this.pivot = pivot;
  }

  static DateFormat mysql(UTF8String pattern) {
    return kept(MYSQL, pattern, true);
  }

  static DateFormat joda(UTF8String pattern) {
    return kept(JODA, pattern, false);
  }

  private static DateFormat kept(Map<UTF8String, DateFormat> all, UTF8String pattern, boolean mysql) {
    DateFormat known = all.get(pattern);
    if (known == null) {
      if (all.size() > MAX_KEPT) {
        all.clear();
      }
      String text = pattern.toString();
      known = mysql ? new DateFormat(mysqlParts(text), 2020) : new DateFormat(jodaParts(text), Year.now().getValue() - 30);
      all.put(pattern.clone(), known);
    }
    return known;
  }

  private static Part part(Field field, int width) {
    return new Part(field, width, field.most, "");
  }

  private static Part text(String text) {
    return new Part(Field.LITERAL, 0, 0, text);
  }

  private static List<Part> mysqlParts(String pattern) {
    List<Part> made = new ArrayList<>();
    boolean escaped = false;
    for (int at = 0; at < pattern.length(); ) {
      int letter = pattern.codePointAt(at);
      at += Character.charCount(letter);
      if (!escaped) {
        escaped = letter == '%';
        if (!escaped) {
          made.add(text(Character.toString(letter)));
        }
        continue;
      }
      escaped = false;
      switch (letter) {
        case 'a' -> made.add(part(Field.SHORT_WEEKDAY, 0));
        case 'b' -> made.add(part(Field.SHORT_MONTH, 0));
        case 'c' -> made.add(part(Field.MONTH, 1));
        case 'd' -> made.add(part(Field.DAY, 2));
        case 'e' -> made.add(part(Field.DAY, 1));
        case 'f' -> made.add(part(Field.FRACTION, 6));
        case 'H' -> made.add(part(Field.HOUR, 2));
        case 'h', 'I' -> made.add(part(Field.HALF_CLOCK_HOUR, 2));
        case 'i' -> made.add(part(Field.MINUTE, 2));
        case 'j' -> made.add(part(Field.DAY_OF_YEAR, 3));
        case 'k' -> made.add(part(Field.HOUR, 1));
        case 'l' -> made.add(part(Field.HALF_CLOCK_HOUR, 1));
        case 'M' -> made.add(part(Field.LONG_MONTH, 0));
        case 'm' -> made.add(part(Field.MONTH, 2));
        case 'p' -> made.add(part(Field.HALF, 0));
        case 'r' -> {
          clock(made, Field.HALF_CLOCK_HOUR);
          made.add(text(" "));
          made.add(part(Field.HALF, 0));
        }
        case 'S', 's' -> made.add(part(Field.SECOND, 2));
        case 'T' -> clock(made, Field.HOUR);
        case 'v' -> made.add(part(Field.WEEK, 2));
        case 'x' -> made.add(new Part(Field.WEEK_YEAR, 4, 4, ""));
        case 'W' -> made.add(part(Field.LONG_WEEKDAY, 0));
        case 'Y' -> made.add(new Part(Field.YEAR, 4, 4, ""));
        case 'y' -> made.add(part(Field.SHORT_YEAR, 2));
        case 'w', 'U', 'u', 'V', 'X', 'D' ->
            throw TrinoFailure.argument("%" + Character.toString(letter) + " not supported in date format string");
        default -> made.add(text(Character.toString(letter)));
      }
    }
    return made;
  }

  private static void clock(List<Part> made, Field hour) {
    made.add(part(hour, 2));
    made.add(text(":"));
    made.add(part(Field.MINUTE, 2));
    made.add(text(":"));
    made.add(part(Field.SECOND, 2));
  }

  private static List<Part> jodaParts(String pattern) {
    if (pattern.isEmpty()) {
      throw TrinoFailure.argument("Invalid pattern specification");
    }
    List<Part> made = new ArrayList<>();
    for (int at = 0; at < pattern.length(); ) {
      char letter = pattern.charAt(at);
      int end = at + 1;
      if (letter == '\'') {
        StringBuilder quoted = new StringBuilder();
        if (end < pattern.length() && pattern.charAt(end) == '\'') {
          quoted.append('\'');
          end++;
        } else {
          while (end < pattern.length()) {
            char c = pattern.charAt(end++);
            if (c != '\'') {
              quoted.append(c);
            } else if (end < pattern.length() && pattern.charAt(end) == '\'') {
              quoted.append('\'');
              end++;
            } else {
              break;
            }
          }
        }
        made.add(text(quoted.toString()));
      } else if ((letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z')) {
        while (end < pattern.length() && pattern.charAt(end) == letter) {
          end++;
        }
        made.add(jodaPart(letter, end - at, digitsFollow(pattern, end)));
      } else {
        made.add(text(String.valueOf(letter)));
      }
      at = end;
    }
    return made;
  }

  private static boolean digitsFollow(String pattern, int at) {
    if (at >= pattern.length()) {
      return false;
    }
    char next = pattern.charAt(at);
    if (next == 'M') {
      return !pattern.startsWith("MMM", at);
    }
    return "cCxyYdhHmsSeDFwWkK".indexOf(next) >= 0;
  }

  private static Part jodaPart(char letter, int count, boolean digitsFollow) {
    return switch (letter) {
      case 'G' -> part(Field.ERA, 0);
      case 'C' -> part(Field.CENTURY, count);
      case 'x', 'y', 'Y' -> {
        Field field = letter == 'x' ? Field.WEEK_YEAR : Field.YEAR;
        if (count == 2 && letter == 'x') {
          throw TrinoFailure.unsupportedValue("The format xx is not supported.");
        }
        yield count == 2 ? part(Field.SHORT_YEAR, digitsFollow ? 2 : 1) : new Part(field, count, digitsFollow ? count : 9, "");
      }
      case 'M' -> count >= 4 ? part(Field.LONG_MONTH, 0) : count == 3 ? part(Field.SHORT_MONTH, 0) : part(Field.MONTH, count);
      case 'd' -> part(Field.DAY, count);
      case 'D' -> part(Field.DAY_OF_YEAR, count);
      case 'w' -> part(Field.WEEK, count);
      case 'e' -> part(Field.WEEKDAY, count);
      case 'E' -> part(count >= 4 ? Field.LONG_WEEKDAY : Field.SHORT_WEEKDAY, 0);
      case 'a' -> part(Field.HALF, 0);
      case 'h' -> part(Field.HALF_CLOCK_HOUR, count);
      case 'H' -> part(Field.HOUR, count);
      case 'k' -> part(Field.CLOCK_HOUR, count);
      case 'K' -> part(Field.HALF_HOUR, count);
      case 'm' -> part(Field.MINUTE, count);
      case 's' -> part(Field.SECOND, count);
      case 'S' -> new Part(Field.FRACTION, count, count, "");
      case 'z' -> part(count >= 4 ? Field.LONG_ZONE : Field.SHORT_ZONE, 0);
      case 'Z' -> part(count == 1 ? Field.OFFSET : count == 2 ? Field.COLON_OFFSET : Field.ZONE, 0);
      default -> throw TrinoFailure.argument("Illegal pattern component: " + String.valueOf(letter).repeat(Math.min(count, 9)));
    };
  }

  /** Whether a text of this format has a zone. */
  boolean readsZone() {
    return parts.stream()
        .anyMatch(part -> part.field == Field.OFFSET || part.field == Field.COLON_OFFSET || part.field == Field.ZONE);
  }

  /** Whether a text of this format shows a zone. */
  boolean showsZone() {
    return readsZone() || parts.stream().anyMatch(part -> part.field == Field.SHORT_ZONE || part.field == Field.LONG_ZONE);
  }

  String format(ZonedDateTime time) {
    StringBuilder made = new StringBuilder();
    for (Part part : parts) {
      made.append(written(part, time));
    }
    return made.toString();
  }

  private String written(Part part, ZonedDateTime time) {
    int hour = time.getHour();
    int half = hour % 12;
    return switch (part.field) {
      case LITERAL -> part.text;
      case YEAR -> padded(time.getYear(), part.width);
      case SHORT_YEAR -> padded(Math.abs(time.getYear()) % 100, 2);
      case CENTURY -> padded(Math.abs(time.getYear()) / 100, part.width);
      case ERA -> time.getYear() > 0 ? "AD" : "BC";
      case WEEK_YEAR -> padded(time.get(IsoFields.WEEK_BASED_YEAR), part.width);
      case WEEK -> padded(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), part.width);
      case MONTH -> padded(time.getMonthValue(), part.width);
      case SHORT_MONTH -> time.getMonth().getDisplayName(TextStyle.SHORT, Locale.US);
      case LONG_MONTH -> time.getMonth().getDisplayName(TextStyle.FULL, Locale.US);
      case DAY -> padded(time.getDayOfMonth(), part.width);
      case DAY_OF_YEAR -> padded(time.getDayOfYear(), part.width);
      case WEEKDAY -> padded(time.getDayOfWeek().getValue(), part.width);
      case SHORT_WEEKDAY -> time.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.US);
      case LONG_WEEKDAY -> time.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.US);
      case HOUR -> padded(hour, part.width);
      case CLOCK_HOUR -> padded(hour == 0 ? 24 : hour, part.width);
      case HALF_HOUR -> padded(half, part.width);
      case HALF_CLOCK_HOUR -> padded(half == 0 ? 12 : half, part.width);
      case MINUTE -> padded(time.getMinute(), part.width);
      case SECOND -> padded(time.getSecond(), part.width);
      case FRACTION -> fraction(time.getNano() / 1_000_000, part.width);
      case HALF -> hour < 12 ? "AM" : "PM";
      case OFFSET -> offset(time).replace(":", "");
      case COLON_OFFSET -> offset(time);
      case ZONE -> time.getZone().getId();
      case SHORT_ZONE -> zoneText(time, "zzz");
      case LONG_ZONE -> zoneText(time, "zzzz");
    };
  }

  private static String zoneText(ZonedDateTime time, String pattern) {
    String id = time.getZone().getId();
    if (id.startsWith("+") || id.startsWith("-")) {
      return id;
    }
    return java.time.format.DateTimeFormatter.ofPattern(pattern, Locale.US).format(time);
  }

  private static String offset(ZonedDateTime time) {
    int minutes = time.getOffset().getTotalSeconds() / 60;
    return String.format("%s%02d:%02d", minutes < 0 ? "-" : "+", Math.abs(minutes) / 60, Math.abs(minutes) % 60);
  }

  private static String fraction(int millis, int digits) {
    String three = padded(millis, 3);
    return digits <= 3 ? three.substring(0, digits) : three + "0".repeat(Math.min(digits, 1_000) - 3);
  }

  private static String padded(int value, int width) {
    String digits = Integer.toString(Math.abs(value));
    String zeros = "0".repeat(Math.max(0, Math.min(width, 1_000) - digits.length()));
    return (value < 0 ? "-" : "") + zeros + digits;
  }

  /** A time that was read, with the zone of the text; null: it has none. */
  record Parsed(LocalDateTime time, ZoneId zone) {}

  Parsed parse(String text) {
    Map<Field, Integer> found = new EnumMap<>(Field.class);
    ZoneId zone = null;
    int at = 0;
    for (Part part : parts) {
      switch (part.field) {
        case LITERAL -> {
          if (!text.regionMatches(true, at, part.text, 0, part.text.length())) {
            throw invalid(text, at);
          }
          at += part.text.length();
        }
        case SHORT_MONTH, LONG_MONTH -> {
          int month = 0;
          int length = 0;
          for (Month each : Month.values()) {
            for (TextStyle style : List.of(TextStyle.FULL, TextStyle.SHORT)) {
              String name = each.getDisplayName(style, Locale.US);
              if (name.length() > length && text.regionMatches(true, at, name, 0, name.length())) {
                month = each.getValue();
                length = name.length();
              }
            }
          }
          if (month == 0) {
            throw invalid(text, at);
          }
          found.put(Field.MONTH, month);
          at += length;
        }
        case SHORT_WEEKDAY, LONG_WEEKDAY -> {
          int day = 0;
          int length = 0;
          for (DayOfWeek each : DayOfWeek.values()) {
            for (TextStyle style : List.of(TextStyle.FULL, TextStyle.SHORT)) {
              String name = each.getDisplayName(style, Locale.US);
              if (name.length() > length && text.regionMatches(true, at, name, 0, name.length())) {
                day = each.getValue();
                length = name.length();
              }
            }
          }
          if (day == 0) {
            throw invalid(text, at);
          }
          found.put(Field.WEEKDAY, day);
          at += length;
        }
        case HALF -> {
          boolean morning = text.regionMatches(true, at, "AM", 0, 2);
          if (!morning && !text.regionMatches(true, at, "PM", 0, 2)) {
            throw invalid(text, at);
          }
          found.put(Field.HALF, morning ? 0 : 1);
          at += 2;
        }
        case FRACTION -> {
          int end = digits(text, at, part.most);
          if (end == at) {
            throw invalid(text, at);
          }
          found.put(Field.FRACTION, Integer.parseInt((text.substring(at, end) + "000").substring(0, 3)));
          at = end;
        }
        case OFFSET, COLON_OFFSET, ZONE -> {
          int end = at;
          while (end < text.length() && (Character.isLetterOrDigit(text.charAt(end)) || "/_+-:".indexOf(text.charAt(end)) >= 0)) {
            end++;
          }
          String name = text.substring(at, end);
          boolean offset = name.matches("[+-]\\d{2}(:?\\d{2})?");
          if (part.field == Field.ZONE ? offset || name.isEmpty() : !offset) {
            throw invalid(text, at);
          }
          zone = ZoneId.of(DateTimeMethods.zoneName(name));
          at = end;
        }
        case SHORT_ZONE, LONG_ZONE, ERA, CENTURY ->
            throw TrinoFailure.unsupportedValue("A format with z, G or C is not supported for reading.");
        default -> at = number(part, text, at, found);
      }
    }
    if (at < text.length()) {
      throw TrinoFailure.argument("Invalid format: \"" + text + "\" is malformed at \"" + text.substring(at) + "\"");
    }
    try {
      return new Parsed(date(found).atTime(time(found)), zone);
    } catch (DateTimeException e) {
      throw TrinoFailure.argument("Cannot parse \"" + text + "\": " + e.getMessage());
    }
  }

  private int number(Part part, String text, int start, Map<Field, Integer> found) {
    boolean signed = (part.field == Field.YEAR || part.field == Field.WEEK_YEAR)
        && start < text.length() && (text.charAt(start) == '-' || text.charAt(start) == '+');
    int from = signed ? start + 1 : start;
    boolean lenient = part.field == Field.SHORT_YEAR && part.width == 1;
    int end = digits(text, from, lenient ? 9 : part.most);
    if (end == from || (part.field == Field.SHORT_YEAR && !lenient && end - from != 2)) {
      throw invalid(text, start);
    }
    int value = Integer.parseInt(text.substring(from, end));
    if (part.field == Field.SHORT_YEAR) {
      int first = pivot - 50;
      found.put(Field.YEAR, end - from == 2 ? first + Math.floorMod(value - first, 100) : value);
    } else {
      found.put(part.field, signed && text.charAt(start) == '-' ? -value : value);
    }
    return end;
  }

  private static int digits(String text, int start, int most) {
    int end = start;
    while (end < text.length() && end - start < most && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  private static LocalDate date(Map<Field, Integer> found) {
    boolean year = found.containsKey(Field.YEAR);
    boolean smaller = found.containsKey(Field.MONTH) || found.containsKey(Field.DAY) || found.containsKey(Field.WEEK)
        || found.containsKey(Field.WEEKDAY) || found.containsKey(Field.DAY_OF_YEAR);
    LocalDate date;
    if (found.containsKey(Field.WEEK_YEAR) || (found.containsKey(Field.WEEK) && !found.containsKey(Field.MONTH))) {
      int weekYear = found.getOrDefault(Field.WEEK_YEAR, found.getOrDefault(Field.YEAR, DEFAULT_YEAR));
      int week = found.getOrDefault(Field.WEEK, 1);
      date = LocalDate.of(weekYear, 1, 4).with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, week).with(ChronoField.DAY_OF_WEEK, 1);
    } else {
      int base = year ? found.get(Field.YEAR) : smaller ? DEFAULT_YEAR : 1970;
      date = found.containsKey(Field.DAY_OF_YEAR)
          ? LocalDate.ofYearDay(base, found.get(Field.DAY_OF_YEAR))
          : LocalDate.of(base, found.getOrDefault(Field.MONTH, 1), found.getOrDefault(Field.DAY, 1));
    }
    return found.containsKey(Field.WEEKDAY) ? date.with(ChronoField.DAY_OF_WEEK, found.get(Field.WEEKDAY)) : date;
  }

  private static LocalTime time(Map<Field, Integer> found) {
    int hour = found.getOrDefault(Field.HOUR, 0);
    if (found.containsKey(Field.CLOCK_HOUR)) {
      hour = in(found.get(Field.CLOCK_HOUR), 1, 24) % 24;
    }
    if (found.containsKey(Field.HALF_CLOCK_HOUR)) {
      hour = in(found.get(Field.HALF_CLOCK_HOUR), 1, 12) % 12;
    } else if (found.containsKey(Field.HALF_HOUR)) {
      hour = in(found.get(Field.HALF_HOUR), 0, 11);
    }
    if (found.containsKey(Field.HALF)) {
      hour = hour % 12 + 12 * found.get(Field.HALF);
    }
    return LocalTime.of(
        hour,
        found.getOrDefault(Field.MINUTE, 0),
        found.getOrDefault(Field.SECOND, 0),
        found.getOrDefault(Field.FRACTION, 0) * 1_000_000);
  }

  private static int in(int value, int least, int most) {
    if (value < least || value > most) {
      throw new DateTimeException("Value " + value + " must be in the range [" + least + "," + most + "]");
    }
    return value;
  }

  private static TrinoFailure invalid(String text, int at) {
    String where = at == 0 ? "" : at >= text.length() ? " is too short" : " is malformed at \"" + text.substring(at) + "\"";
    return TrinoFailure.argument("Invalid format: \"" + text + "\"" + where);
  }
}
