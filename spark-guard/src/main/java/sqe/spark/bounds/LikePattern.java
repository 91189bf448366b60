package sqe.spark.bounds;

import org.apache.spark.sql.catalyst.util.StringUtils;

/**
 * A pattern of LIKE, matched without backtracking into more than the last {@code %}: at most length of the text times length of
 * the pattern steps. Spark makes a regular expression of it, which may take as many steps as there are ways to match.
 */
final class LikePattern {
  private static final int ONE = -1;
  private static final int MANY = -2;
  private static final int EVERY = 0xFFF;

  private final int[] parts;

  LikePattern(String pattern, char escape) {
    StringUtils.escapeLikeRegex(pattern, escape); // fails where Spark does, in the same words
    int[] codePoints = pattern.codePoints().toArray();
    int[] found = new int[codePoints.length];
    int size = 0;
    for (int at = 0; at < codePoints.length; at++) {
      int each = codePoints[at];
      if (each == escape) {
        found[size++] = codePoints[++at];
      } else if (each == '%') {
        if (size == 0 || found[size - 1] != MANY) {
          found[size++] = MANY;
        }
      } else {
        found[size++] = each == '_' ? ONE : each;
      }
    }
    parts = java.util.Arrays.copyOf(found, size);
  }

  boolean matches(String text) {
    int length = text.length();
    int at = 0;
    int part = 0;
    int many = -1; // the last % that was met, and where the text after it begins
    int after = 0;
    int steps = 0;
    while (at < length) {
      if ((++steps & EVERY) == 0) {
        Interrupts.check();
      }
      int wanted = part < parts.length ? parts[part] : 0;
      if (part < parts.length && wanted == MANY) {
        many = part++;
        after = at;
        continue;
      }
      int each = text.codePointAt(at);
      if (part < parts.length && (wanted == ONE || wanted == each)) {
        at += Character.charCount(each);
        part++;
      } else if (many >= 0) {
        after += Character.charCount(text.codePointAt(after));
        at = after;
        part = many + 1;
      } else {
        return false;
      }
    }
    while (part < parts.length && parts[part] == MANY) {
      part++;
    }
    return part == parts.length;
  }
}
