package sqe.spark.trino;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.apache.commons.codec.language.Soundex;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.bounds.Allocation;
import sqe.spark.bounds.Interrupts;

/** Functions of text. */
public final class StringFunctions {
  private static final long MAX_DISTANCE_STEPS = 1_000_000;

  /** Steps of a search that compares a part with the text at each place. */
  private static final long MAX_SEARCH_STEPS = 10_000_000_000L;

  private static final int EVERY = 0xFFF;

  private StringFunctions() {}

  private static UTF8String text(String value) {
    return UTF8String.fromString(value);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw TrinoFailure.argument(message);
    }
  }

  /** Refuse a search that could take very long in one row. */
  private static void searchable(UTF8String text, UTF8String part) {
    if ((long) text.numBytes() * part.numBytes() > MAX_SEARCH_STEPS) {
      throw TrinoFailure.unsupportedValue("Both texts of a search are too long.");
    }
  }

  @Scalar
  public static UTF8String chr(long codePoint) {
    boolean valid = codePoint >= 0 && codePoint <= Character.MAX_CODE_POINT;
    require(valid && !(codePoint >= 0xD800 && codePoint <= 0xDFFF), "Not a valid Unicode code point: " + codePoint);
    return text(Character.toString((int) codePoint));
  }

  @Scalar
  public static int codepoint(UTF8String text) {
    String value = text.toString();
    require(value.codePointCount(0, value.length()) == 1, "Input string must be a single character string");
    return value.codePointAt(0);
  }

  /** Each character by itself: the result has as many. */
  public static UTF8String lower(UTF8String text) {
    return text.isFullAscii() ? text.toLowerCase() : mapped(text, Character::toLowerCase);
  }

  public static UTF8String upper(UTF8String text) {
    return text.isFullAscii() ? text.toUpperCase() : mapped(text, Character::toUpperCase);
  }

  private static UTF8String mapped(UTF8String text, IntUnaryOperator change) {
    int[] changed = text.toString().codePoints().map(change).toArray();
    return text(new String(changed, 0, changed.length));
  }

  public static UTF8String substring(UTF8String text, long start, long length) {
    if (start == 0 || length <= 0) {
      return UTF8String.EMPTY_UTF8;
    }
    long from = start - 1;
    if (start < 0) {
      from = text.numChars() + start;
      if (from < 0) {
        return UTF8String.EMPTY_UTF8;
      }
    }
    if (from >= text.numBytes()) {
      return UTF8String.EMPTY_UTF8;
    }
    long until = length > Integer.MAX_VALUE - from ? Integer.MAX_VALUE : from + length;
    return text.substring((int) from, (int) until);
  }

  private static UTF8String trimmed(UTF8String text, boolean left, boolean right, IntPredicate removed) {
    String value = text.toString();
    int start = 0;
    int end = value.length();
    while (left && start < end && removed.test(value.codePointAt(start))) {
      start += Character.charCount(value.codePointAt(start));
    }
    while (right && end > start && removed.test(value.codePointBefore(end))) {
      end -= Character.charCount(value.codePointBefore(end));
    }
    return start == 0 && end == value.length() ? text : text(value.substring(start, end));
  }

  public static UTF8String trim(UTF8String text, boolean left, boolean right) {
    return trimmed(text, left, right, Character::isWhitespace);
  }

  public static UTF8String trim(UTF8String text, UTF8String characters, boolean left, boolean right) {
    searchable(text, characters);
    String all = characters.toString();
    return trimmed(text, left, right, codePoint -> all.indexOf(codePoint) >= 0);
  }

  /** Text without the spaces that fill a CHAR. */
  public static UTF8String unpadded(UTF8String text) {
    return trimmed(text, false, true, codePoint -> codePoint == ' ');
  }

  /** Which of two CHARs comes first: the shorter one is filled with spaces. */
  public static int comparePadded(UTF8String left, UTF8String right) {
    byte[] one = left.getBytes();
    byte[] other = right.getBytes();
    for (int i = 0; i < Math.max(one.length, other.length); i++) {
      int order = Integer.compare(i < one.length ? one[i] & 0xff : ' ', i < other.length ? other[i] & 0xff : ' ');
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Scalar
  public static UTF8String replace(UTF8String text, UTF8String search) {
    return replace(text, search, UTF8String.EMPTY_UTF8);
  }

  @Scalar
  public static UTF8String replace(UTF8String text, UTF8String search, UTF8String replacement) {
    if (search.numBytes() == 0) {
      long size = text.numBytes() + (text.numChars() + 1L) * replacement.numBytes();
      Allocation.bytes("replace", size);
      String between = replacement.toString();
      StringBuilder made = new StringBuilder(between);
      text.toString().codePoints().forEach(each -> made.appendCodePoint(each).append(between));
      return text(made.toString());
    }
    searchable(text, search);
    long most = text.numBytes() + (long) text.numBytes() / search.numBytes() * replacement.numBytes();
    if (most > 1 << 20) {
      long found = occurrences(text.toString(), search.toString());
      Allocation.bytes("replace", text.numBytes() + found * (replacement.numBytes() - search.numBytes()));
    }
    return text(text.toString().replace(search.toString(), replacement.toString()));
  }

  private static long occurrences(String text, String search) {
    long found = 0;
    for (int at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length())) {
      found++;
    }
    return found;
  }

  @Scalar
  public static long strpos(UTF8String text, UTF8String part) {
    return strpos(text, part, 1);
  }

  @Scalar
  public static long strpos(UTF8String text, UTF8String part, long instance) {
    require(instance != 0, "'instance' must be a positive or negative number.");
    searchable(text, part);
    String value = text.toString();
    String wanted = part.toString();
    if (wanted.isEmpty()) {
      return 1;
    }
    int at = instance > 0 ? -1 : value.length();
    for (long count = 0; count < Math.abs(instance); count++) {
      at = instance > 0 ? value.indexOf(wanted, at + 1) : value.lastIndexOf(wanted, at - 1);
      if (at < 0) {
        return 0;
      }
    }
    return value.codePointCount(0, at) + 1;
  }

  @Scalar
  public static long index(UTF8String text, UTF8String part) {
    return strpos(text, part, 1);
  }

  @Scalar("starts_with")
  public static boolean startsWith(UTF8String text, UTF8String start) {
    return text.startsWith(start);
  }

  @Scalar(returns = "array<string>")
  public static ArrayData split(UTF8String text, UTF8String delimiter) {
    return split(text, delimiter, Integer.MAX_VALUE);
  }

  @Scalar(returns = "array<string>")
  public static ArrayData split(UTF8String text, UTF8String delimiter, long limit) {
    require(limit > 0, "Limit must be positive");
    require(limit <= Integer.MAX_VALUE, "Limit is too large");
    require(delimiter.numBytes() > 0, "The delimiter may not be the empty string");
    searchable(text, delimiter);
    String value = text.toString();
    String between = delimiter.toString();
    List<UTF8String> parts = new ArrayList<>();
    int at = 0;
    while (parts.size() < limit - 1) {
      int found = value.indexOf(between, at);
      if (found < 0) {
        break;
      }
      parts.add(text(value.substring(at, found)));
      Allocation.elements("split", parts.size());
      at = found + between.length();
    }
    parts.add(text(value.substring(at)));
    return new GenericArrayData(parts.toArray());
  }

  @Scalar("split_part")
  public static UTF8String splitPart(UTF8String text, UTF8String delimiter, long index) {
    require(index > 0, "Index must be greater than zero");
    searchable(text, delimiter);
    String value = text.toString();
    String between = delimiter.toString();
    if (between.isEmpty()) {
      return index > text.numChars() ? null : substring(text, index, 1);
    }
    int at = 0;
    for (long part = 1; ; part++) {
      int found = value.indexOf(between, at);
      if (part == index) {
        return text(found < 0 ? value.substring(at) : value.substring(at, found));
      }
      if (found < 0) {
        return null;
      }
      at = found + between.length();
    }
  }

  private static void delimiters(UTF8String entries, UTF8String values) {
    require(entries.numBytes() > 0, "entryDelimiter is empty");
    require(values.numBytes() > 0, "keyValueDelimiter is empty");
    require(!entries.equals(values), "entryDelimiter and keyValueDelimiter must not be the same");
  }

  /** The keys and values of text such as {@code a=1,b=2}; a delimiter at the end begins no entry. */
  private static List<String[]> pairs(UTF8String text, UTF8String entries, UTF8String values) {
    delimiters(entries, values);
    searchable(text, entries);
    searchable(text, values);
    List<String[]> pairs = new ArrayList<>();
    String all = text.toString();
    String between = values.toString();
    int at = 0;
    while (at < all.length()) {
      int end = all.indexOf(entries.toString(), at);
      String entry = end < 0 ? all.substring(at) : all.substring(at, end);
      int key = entry.indexOf(between);
      String value = key < 0 ? between : entry.substring(key + between.length());
      require(
          !value.contains(between), "Key-value delimiter must appear exactly once in each entry. Bad input: '" + entry + "'");
      pairs.add(new String[] {entry.substring(0, key), value});
      Allocation.elements("split_to_map", pairs.size());
      if (end < 0) {
        break;
      }
      at = end + entries.toString().length();
    }
    return pairs;
  }

  @Scalar(value = "split_to_map", returns = "map<string, string>")
  public static MapData splitToMap(UTF8String text, UTF8String entries, UTF8String values) {
    Map<String, UTF8String> map = new LinkedHashMap<>();
    for (String[] pair : pairs(text, entries, values)) {
      require(map.put(pair[0], text(pair[1])) == null, "Duplicate keys (" + pair[0] + ") are not allowed");
    }
    return map(map);
  }

  @Scalar(value = "split_to_multimap", returns = "map<string, array<string>>")
  public static MapData splitToMultimap(UTF8String text, UTF8String entries, UTF8String values) {
    Map<String, List<UTF8String>> lists = new LinkedHashMap<>();
    for (String[] pair : pairs(text, entries, values)) {
      lists.computeIfAbsent(pair[0], none -> new ArrayList<>()).add(text(pair[1]));
    }
    Map<String, ArrayData> map = new LinkedHashMap<>();
    lists.forEach((key, list) -> map.put(key, new GenericArrayData(list.toArray())));
    return map(map);
  }

  private static MapData map(Map<String, ?> map) {
    Object[] keys = map.keySet().stream().map(StringFunctions::text).toArray();
    return new ArrayBasedMapData(new GenericArrayData(keys), new GenericArrayData(map.values().toArray()));
  }

  public static UTF8String pad(UTF8String text, long length, UTF8String padding, boolean left) {
    require(0 <= length && length <= Integer.MAX_VALUE, "Target length must be in the range [0.." + Integer.MAX_VALUE + "]");
    require(padding.numBytes() > 0, "Padding string must not be empty");
    long each = (padding.numBytes() + padding.numChars() - 1) / padding.numChars();
    Allocation.bytes(left ? "lpad" : "rpad", length * each);
    return left ? text.lpad((int) length, padding) : text.rpad((int) length, padding);
  }

  @Scalar("levenshtein_distance")
  public static long levenshtein(UTF8String left, UTF8String right) {
    int[] one = left.toString().codePoints().toArray();
    int[] other = right.toString().codePoints().toArray();
    if (one.length == 0 || other.length == 0) {
      return Math.max(one.length, other.length);
    }
    long steps = (long) Math.max(one.length, other.length) * (Math.min(one.length, other.length) - 1);
    require(steps <= MAX_DISTANCE_STEPS, "The combined inputs for Levenshtein distance are too large");
    return left.levenshteinDistance(right);
  }

  @Scalar("hamming_distance")
  public static long hamming(UTF8String left, UTF8String right) {
    int[] one = left.toString().codePoints().toArray();
    int[] other = right.toString().codePoints().toArray();
    require(one.length == other.length, "The input strings to hamming_distance function must have the same length");
    int distance = 0;
    for (int i = 0; i < one.length; i++) {
      distance += one[i] == other[i] ? 0 : 1;
    }
    return distance;
  }

  @Scalar("luhn_check")
  public static boolean luhn(UTF8String digits) {
    byte[] bytes = digits.getBytes();
    int sum = 0;
    for (int i = 0; i < bytes.length; i++) {
      int digit = bytes[bytes.length - 1 - i] - '0';
      require(digit >= 0 && digit <= 9, "Input contains non-digit character");
      sum += i % 2 == 0 ? digit : 2 * digit - (digit > 4 ? 9 : 0);
    }
    return bytes.length > 0 && sum % 10 == 0;
  }

  @Scalar
  public static UTF8String soundex(UTF8String text) {
    try {
      return text(new Soundex().soundex(text.toString()));
    } catch (IllegalArgumentException unmapped) {
      throw TrinoFailure.argument(unmapped.getMessage());
    }
  }

  @Scalar
  public static UTF8String translate(UTF8String text, UTF8String from, UTF8String to) {
    int[] old = from.toString().codePoints().toArray();
    int[] put = to.toString().codePoints().toArray();
    Map<Integer, Integer> changes = new HashMap<>();
    for (int i = 0; i < old.length; i++) {
      changes.putIfAbsent(old[i], i < put.length ? put[i] : -1);
    }
    StringBuilder made = new StringBuilder();
    text.toString()
        .codePoints()
        .map(each -> changes.getOrDefault(each, each))
        .filter(each -> each >= 0)
        .forEach(made::appendCodePoint);
    return text(made.toString());
  }

  @Scalar
  public static UTF8String normalize(UTF8String text) {
    return normalize(text, text("NFC"));
  }

  @Scalar
  public static UTF8String normalize(UTF8String text, UTF8String form) {
    Allocation.bytes("normalize", text.numBytes() * 2L);
    try {
      return text(Normalizer.normalize(text.toString(), Normalizer.Form.valueOf(form.toString())));
    } catch (IllegalArgumentException unknown) {
      throw TrinoFailure.argument("Normalization form must be one of [NFD, NFC, NFKD, NFKC]");
    }
  }

  @Scalar("from_utf8")
  public static UTF8String fromUtf8(byte[] bytes) {
    return decoded(bytes, "\uFFFD");
  }

  @Scalar("from_utf8")
  public static UTF8String fromUtf8(byte[] bytes, UTF8String replacement) {
    require(replacement.numChars() <= 1, "Replacement character string must empty or a single character");
    return decoded(bytes, replacement.toString());
  }

  @Scalar("from_utf8")
  public static UTF8String fromUtf8(byte[] bytes, long replacement) {
    boolean surrogate = replacement >= 0xD800 && replacement <= 0xDFFF;
    require(replacement >= 0 && replacement <= Character.MAX_CODE_POINT && !surrogate, "Invalid replacement character");
    return decoded(bytes, Character.toString((int) replacement));
  }

  /** Text of bytes; what is no UTF-8 is replaced. */
  private static UTF8String decoded(byte[] bytes, String replacement) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(Math.min(bytes.length, 1 << 16) + 16);
    StringBuilder made = new StringBuilder(bytes.length);
    int replaced = 0;
    while (true) {
      CoderResult result = decoder.decode(in, out, true);
      made.append(out.flip());
      out.clear();
      if (result.isUnderflow()) {
        return text(made.toString());
      }
      if (result.isMalformed()) {
        in.position(in.position() + result.length());
        made.append(replacement);
        if ((++replaced & EVERY) == 0) {
          Interrupts.check();
        }
      }
    }
  }

  /** The texts between separators, without those that are NULL. */
  public static UTF8String joined(UTF8String separator, ArrayData texts) {
    long size = 0;
    List<UTF8String> parts = new ArrayList<>();
    for (int i = 0; i < texts.numElements(); i++) {
      if (!texts.isNullAt(i)) {
        UTF8String part = texts.getUTF8String(i);
        size += part.numBytes() + (long) separator.numBytes();
        parts.add(part);
      }
    }
    Allocation.bytes("concat_ws", size);
    return UTF8String.concatWs(separator, parts.toArray(new UTF8String[0]));
  }

  /** A pattern of LIKE. */
  public static UTF8String escaped(UTF8String pattern, UTF8String escape) {
    String text = pattern.toString();
    char sign = escape.toString().charAt(0);
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == sign) {
        i++;
        if (i == text.length() || (text.charAt(i) != '%' && text.charAt(i) != '_' && text.charAt(i) != sign)) {
          throw TrinoFailure.argument("Escape character must be followed by '%', '_' or the escape character itself");
        }
      }
    }
    return pattern;
  }
}
