package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.bounds.Allocation;
import sqe.spark.bounds.Regexes;
import sqe.spark.bounds.WatchedText;

/**
 * Regular expressions in the syntax of Trino's library, Joni, where that and {@code java.util.regex} mean the same; what Java reads
 * in another way is translated or refused.
 */
public final class RegexFunctions {
  private static final int FLAGS = Pattern.UNIX_LINES | Pattern.UNICODE_CASE;
  private static final int MAX_KEPT = 1_000;
  private static final Map<UTF8String, Pattern> PATTERNS = new ConcurrentHashMap<>();

  /** The POSIX classes, which know all of Unicode in Joni and ASCII alone in Java. */
  private static final Map<String, String> CLASSES =
      Map.of(
          "alpha", "\\p{IsAlphabetic}",
          "lower", "\\p{IsLowercase}",
          "upper", "\\p{IsUppercase}",
          "digit", "\\p{IsDigit}",
          "alnum", "\\p{IsAlphabetic}\\p{IsDigit}",
          "space", "\\p{IsWhite_Space}",
          "xdigit", "0-9A-Fa-f");

  private static final String UNKNOWN_ESCAPES = "hHVRXNKGk";

  private RegexFunctions() {}

  private static Pattern pattern(UTF8String text) {
    Pattern known = PATTERNS.get(text);
    if (known == null) {
      if (PATTERNS.size() > MAX_KEPT) {
        PATTERNS.clear();
      }
      known = Regexes.within(() -> compiled(text.toString()));
      PATTERNS.put(text.clone(), known);
    }
    return known;
  }

  private static Pattern compiled(String text) {
    try {
      return Pattern.compile(translated(text), FLAGS);
    } catch (PatternSyntaxException invalid) {
      throw TrinoFailure.argument("Invalid regular expression: " + invalid.getDescription() + ": " + text);
    }
  }

  private static TrinoFailure unsupported(String what) {
    return TrinoFailure.unsupportedValue("Regular expressions with " + what + " are not supported.");
  }

  /** The pattern as Java writes it. */
  static String translated(String text) {
    StringBuilder made = new StringBuilder();
    int depth = 0; // of character classes
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\\' && at + 1 < text.length()) {
        at = escape(text, at, depth > 0, made);
      } else if (c == '[' && text.startsWith("[:", at) && depth > 0) {
        at = posix(text, at, made);
      } else if (c == '[') {
        depth++;
        made.append(c);
        if (text.startsWith("^", at + 1)) {
          made.append('^');
          at++;
        }
        if (text.startsWith("]", at + 1)) {
          throw unsupported("a ] first in a class");
        }
      } else if (c == ']' && depth > 0) {
        depth--;
        made.append(c);
      } else if (c == '{' && depth == 0 && !isRepetition(text, at)) {
        made.append("\\{");
      } else if (c == '(' && depth == 0 && text.startsWith("(?#", at)) {
        throw unsupported("comments");
      } else {
        made.append(c);
      }
    }
    return made.toString();
  }

  /** Whether braces have numbers that repeat what is before; Java takes no others. */
  private static boolean isRepetition(String text, int at) {
    int end = text.indexOf('}', at);
    return end > 0 && text.substring(at + 1, end).matches("\\d+(,\\d*)?");
  }

  private static int escape(String text, int at, boolean inClass, StringBuilder made) {
    char next = text.charAt(at + 1);
    if (next == 'Q') {
      int end = text.indexOf("\\E", at + 2);
      int until = end < 0 ? text.length() : end + 2;
      made.append(text, at, until);
      return until - 1;
    }
    if (next == 'v') {
      made.append("\\x0B");
      return at + 1;
    }
    boolean property = (next == 'p' || next == 'P') && text.startsWith("{", at + 2);
    if (property) {
      int end = text.indexOf('}', at);
      String name = end < 0 ? "" : text.substring(at + 3, end);
      boolean negated = next == 'P' || name.startsWith("^");
      String known = CLASSES.get((name.startsWith("^") ? name.substring(1) : name).toLowerCase(java.util.Locale.ROOT));
      if (known != null) {
        made.append(negated ? "[^" : "[").append(known).append(']');
        return end;
      }
      if (name.startsWith("^") || name.matches("(?i)punct|graph|print|cntrl|blank|word|ascii|java.*|In.*")) {
        throw unsupported("\\p{" + name + "}");
      }
    }
    if (UNKNOWN_ESCAPES.indexOf(next) >= 0) {
      throw unsupported("\\" + next);
    }
    made.append('\\').append(next);
    return at + 1;
  }

  private static int posix(String text, int at, StringBuilder made) {
    int end = text.indexOf(":]", at);
    String name = end < 0 ? "" : text.substring(at + 2, end);
    boolean negated = name.startsWith("^");
    String known = CLASSES.get(negated ? name.substring(1) : name);
    if (known == null) {
      throw unsupported("[:" + name + ":]");
    }
    made.append(negated ? "[^" : "[").append(known).append(']');
    return end + 1;
  }

  /** The matches in a text, one after the other. */
  private static final class Matches {
    private final String text;
    private final Matcher matcher;

    Matches(String text, UTF8String regex) {
      this.text = text;
      matcher = pattern(regex).matcher(new WatchedText(text));
    }

    boolean next() {
      while (Regexes.within(matcher::find)) {
        if (!isWithin(matcher.start())) {
          return true;
        }
      }
      return false;
    }

    /** Whether a match of nothing is between the two parts of one character. */
    private boolean isWithin(int at) {
      return matcher.end() == at
          && at > 0
          && at < text.length()
          && Character.isLowSurrogate(text.charAt(at))
          && Character.isHighSurrogate(text.charAt(at - 1));
    }

    /** The group, which may be absent from the match. */
    UTF8String group(int group) {
      String found = matcher.group(group);
      return found == null ? null : UTF8String.fromString(found);
    }

    int checkedGroup(long group) {
      if (group < 0) {
        throw TrinoFailure.argument("Group cannot be negative");
      }
      if (group > matcher.groupCount()) {
        throw TrinoFailure.argument("Pattern has " + matcher.groupCount() + " groups. Cannot access group " + group);
      }
      return (int) group;
    }
  }

  private static void add(String function, List<Object> parts, Object part) {
    Allocation.elements(function, parts.size() + 1L);
    parts.add(part);
  }

  @Scalar("regexp_like")
  public static boolean like(UTF8String text, UTF8String regex) {
    return new Matches(text.toString(), regex).next();
  }

  @Scalar("regexp_count")
  public static long count(UTF8String text, UTF8String regex) {
    Matches matches = new Matches(text.toString(), regex);
    long count = 0;
    while (matches.next()) {
      count++;
    }
    return count;
  }

  @Scalar("regexp_extract")
  public static UTF8String extract(UTF8String text, UTF8String regex) {
    return extract(text, regex, 0);
  }

  @Scalar("regexp_extract")
  public static UTF8String extract(UTF8String text, UTF8String regex, long group) {
    Matches matches = new Matches(text.toString(), regex);
    int wanted = matches.checkedGroup(group);
    return matches.next() ? matches.group(wanted) : null;
  }

  @Scalar(value = "regexp_extract_all", returns = "array<string>")
  public static ArrayData extractAll(UTF8String text, UTF8String regex) {
    return extractAll(text, regex, 0);
  }

  @Scalar(value = "regexp_extract_all", returns = "array<string>")
  public static ArrayData extractAll(UTF8String text, UTF8String regex, long group) {
    Matches matches = new Matches(text.toString(), regex);
    int wanted = matches.checkedGroup(group);
    List<Object> parts = new ArrayList<>();
    while (matches.next()) {
      add("regexp_extract_all", parts, matches.group(wanted));
    }
    return new GenericArrayData(parts.toArray());
  }

  @Scalar(value = "regexp_split", returns = "array<string>")
  public static ArrayData split(UTF8String text, UTF8String regex) {
    String value = text.toString();
    Matches matches = new Matches(value, regex);
    List<Object> parts = new ArrayList<>();
    int last = 0;
    while (matches.next()) {
      add("regexp_split", parts, UTF8String.fromString(value.substring(last, matches.matcher.start())));
      last = matches.matcher.end();
    }
    parts.add(UTF8String.fromString(value.substring(last)));
    return new GenericArrayData(parts.toArray());
  }

  @Scalar("regexp_position")
  public static int position(UTF8String text, UTF8String regex) {
    return position(text, regex, 1, 1);
  }

  @Scalar("regexp_position")
  public static int position(UTF8String text, UTF8String regex, int start) {
    return position(text, regex, start, 1);
  }

  @Scalar("regexp_position")
  public static int position(UTF8String text, UTF8String regex, int start, int occurrence) {
    if (start < 1) {
      throw TrinoFailure.argument("start position cannot be smaller than 1");
    }
    if (occurrence < 1) {
      throw TrinoFailure.argument("occurrence cannot be smaller than 1");
    }
    String value = text.toString();
    Matches matches = new Matches(value, regex);
    if (start > text.numChars()) {
      return -1;
    }
    int from = value.offsetByCodePoints(0, start - 1);
    // find(int) forgets the bounds of words before it, which is what a search from there would see too.
    boolean found = Regexes.within(() -> matches.matcher.find(from));
    for (int count = 1; found && count < occurrence; count++) {
      found = matches.next();
    }
    return found ? value.codePointCount(0, matches.matcher.start()) + 1 : -1;
  }

  @Scalar("regexp_replace")
  public static UTF8String replace(UTF8String text, UTF8String regex) {
    return replace(text, regex, UTF8String.EMPTY_UTF8);
  }

  @Scalar("regexp_replace")
  public static UTF8String replace(UTF8String text, UTF8String regex, UTF8String replacement) {
    String value = text.toString();
    String put = replacement.toString();
    Matches matches = new Matches(value, regex);
    StringBuilder made = new StringBuilder();
    int last = 0;
    while (matches.next()) {
      made.append(value, last, matches.matcher.start());
      last = matches.matcher.end();
      append(made, matches.matcher, put);
      Allocation.bytes("regexp_replace", made.length());
    }
    return UTF8String.fromString(made.append(value, last, value.length()).toString());
  }

  private static TrinoFailure illegal(String why) {
    return TrinoFailure.argument("Illegal replacement sequence: " + why);
  }

  /** Append a replacement, in which {@code $1} and <code>${name}</code> are groups. */
  private static void append(StringBuilder made, Matcher matcher, String put) {
    for (int at = 0; at < put.length(); at++) {
      char c = put.charAt(at);
      if (c != '\\' && c != '$') {
        made.append(c);
        continue;
      }
      if (++at == put.length()) {
        throw illegal(put);
      }
      char next = put.charAt(at);
      if (c == '\\') {
        made.append(next);
      } else if (next == '{') {
        int end = put.indexOf('}', at);
        String name = put.substring(at + 1, end < 0 ? put.length() : end);
        put(made, named(matcher, name));
        at = end < 0 ? put.length() : end;
      } else {
        int group = next - '0';
        if (group < 0 || group > 9) {
          throw illegal(put);
        }
        if (group > matcher.groupCount()) {
          throw illegal("unknown group " + group);
        }
        while (at + 1 < put.length() && Character.digit(put.charAt(at + 1), 10) >= 0 && put.charAt(at + 1) <= '9') {
          int longer = group * 10 + put.charAt(at + 1) - '0';
          if (longer > matcher.groupCount()) {
            break;
          }
          group = longer;
          at++;
        }
        put(made, matcher.group(group) == null ? "" : matcher.group(group));
      }
    }
  }

  private static void put(StringBuilder made, String group) {
    Allocation.bytes("regexp_replace", (long) made.length() + group.length());
    made.append(group);
  }

  private static String named(Matcher matcher, String name) {
    try {
      String found = matcher.group(name);
      return found == null ? "" : found;
    } catch (IllegalArgumentException unknown) {
      throw illegal("unknown group { " + name + " }");
    }
  }

  /** The groups of each match, for a function that makes the replacements of them. */
  @Scalar(value = "regexp_groups", returns = "array<array<string>>")
  public static ArrayData groups(UTF8String text, UTF8String regex) {
    Matches matches = new Matches(text.toString(), regex);
    List<Object> all = new ArrayList<>();
    while (matches.next()) {
      Object[] groups = new Object[matches.matcher.groupCount()];
      for (int i = 0; i < groups.length; i++) {
        groups[i] = matches.group(i + 1);
      }
      add("regexp_replace", all, new GenericArrayData(groups));
    }
    return new GenericArrayData(all.toArray());
  }

  /** The text with each match replaced; NULL when a replacement is. */
  @Scalar(value = "regexp_replaced", takes = {"", "", "array<string>"})
  public static UTF8String replaced(UTF8String text, UTF8String regex, ArrayData replacements) {
    String value = text.toString();
    Matches matches = new Matches(value, regex);
    StringBuilder made = new StringBuilder();
    int last = 0;
    for (int i = 0; matches.next(); i++) {
      if (replacements.isNullAt(i)) {
        return null;
      }
      made.append(value, last, matches.matcher.start());
      put(made, replacements.getUTF8String(i).toString());
      last = matches.matcher.end();
    }
    return UTF8String.fromString(made.append(value, last, value.length()).toString());
  }
}
