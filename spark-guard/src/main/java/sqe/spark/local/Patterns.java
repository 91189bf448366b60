package sqe.spark.local;

/**
 * Regular expressions that mean the same to Java and to DuckDB's RE2: anchored at the beginning, of plain characters, classes, groups
 * and greedy quantifiers, on text of one line.
 */
final class Patterns {
  private static final String PLAIN = " /:_-,;=&%#@!~'\"<>";
  private static final String LINE_ENDS = "'[' || chr(10) || chr(13) || chr(133) || chr(8232) || chr(8233) || ']'";

  private final String regex;
  private int at;
  private int groups;

  private Patterns(String regex) {
    this.regex = regex;
  }

  /** All matches replaced, of which there is at most one. */
  static String replaced(String text, String regex, String replacement, Expressions expressions) {
    Patterns pattern = new Patterns(regex);
    pattern.check();
    expressions.canFail();
    return "CASE WHEN regexp_matches(" + text + ", " + LINE_ENDS + ") THEN error('lines') ELSE regexp_replace(" + text + ", "
        + Literals.quoted(regex) + ", " + Literals.quoted(pattern.replacement(replacement)) + ") END";
  }

  private static NotRendered other() {
    return new NotRendered("regular expression");
  }

  private void check() {
    if (!regex.startsWith("^")) {
      throw other();
    }
    at = 1;
    sequence();
    if (at < regex.length() && regex.charAt(at) == '$') {
      at++;
    }
    if (at != regex.length()) {
      throw other();
    }
  }

  /** Atoms up to the end, or to a character that is none. */
  private void sequence() {
    while (at < regex.length()) {
      char next = regex.charAt(at);
      if (next == '$' || next == ')') {
        return;
      }
      atom(next);
    }
  }

  private void atom(char first) {
    boolean group = first == '(';
    if (group) {
      if (regex.startsWith("(?:", at)) {
        at += 3;
      } else if (regex.startsWith("(?", at)) {
        throw other();
      } else {
        at++;
        groups++;
      }
      sequence();
      if (at == regex.length() || regex.charAt(at) != ')') {
        throw other();
      }
      at++;
    } else if (first == '[') {
      characters();
    } else if (first == '\\') {
      if (at + 1 == regex.length() || regex.charAt(at + 1) > 126 || isWord(regex.charAt(at + 1))) {
        throw other();
      }
      at += 2;
    } else if (first == '.' || isWord(first) || PLAIN.indexOf(first) >= 0) {
      at++;
    } else {
      throw other();
    }
    if (at < regex.length() && "?*+".indexOf(regex.charAt(at)) >= 0) {
      if (group && regex.charAt(at) != '?') {
        throw other(); // what a group of several rounds holds may differ
      }
      at++;
      if (at < regex.length() && "?*+{".indexOf(regex.charAt(at)) >= 0) {
        throw other();
      }
    }
  }

  private void characters() {
    int end = regex.indexOf(']', at);
    int from = at + (regex.startsWith("[^", at) ? 2 : 1);
    if (end <= from) {
      throw other();
    }
    for (int each = from; each < end; each++) {
      char one = regex.charAt(each);
      if (!isWord(one) && "/:.,;=%#@! -_".indexOf(one) < 0) {
        throw other();
      }
      boolean edge = each == from || each == end - 1;
      if (one == '-' && !edge && !(isWord(regex.charAt(each - 1)) && isWord(regex.charAt(each + 1)))) {
        throw other();
      }
    }
    at = end + 1;
  }

  private static boolean isWord(char one) {
    return one < 128 && Character.isLetterOrDigit(one);
  }

  /** Java's {@code $1} is {@code \1}. */
  private String replacement(String java) {
    StringBuilder made = new StringBuilder();
    for (int each = 0; each < java.length(); each++) {
      char one = java.charAt(each);
      if (one == '\\') {
        throw other();
      }
      if (one != '$') {
        made.append(one);
        continue;
      }
      int group = each + 1 < java.length() ? java.charAt(each + 1) - '0' : -1;
      boolean longer = each + 2 < java.length() && Character.isDigit(java.charAt(each + 2));
      if (group < 0 || group > Math.min(groups, 9) || longer) {
        throw other();
      }
      made.append('\\').append(group);
      each++;
    }
    return made.toString();
  }
}
