package sqe.spark.catalog;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.iceberg.spark.PathIdentifier;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which names of tables, views and namespaces are valid, so that each object has exactly one spelling.
 *
 * <p>Catalogs join the parts of a name: Iceberg's JDBC catalog with dots, REST catalogs with a control character, file systems with
 * slashes. A part that holds a separator is another spelling of something else, which the rules on that would not be asked about. So
 * every name is checked before a catalog, a policy or a file system sees it. Names are compared as they are: {@code T} is not
 * {@code t}, and there is nothing that Unicode would take for equal, because names are in its normal form C.
 */
public final class Names {
  private static final Logger LOG = LoggerFactory.getLogger(Names.class);
  private static final int LONGEST = 255;
  private static final int MOST_REPORTED = 1000;

  /** Letters, marks and symbols that are drawn as nothing. All other invisible characters are of a category that is refused. */
  private static final Set<Integer> BLANK =
      Set.of(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0);

  private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

  private Names() {}

  public static boolean isValid(Identifier ident) {
    return !(ident instanceof PathIdentifier) && fault(ident.name()) == null && isValid(ident.namespace());
  }

  /** Whether all parts are valid; having none is. */
  public static boolean isValid(String[] namespace) {
    return Arrays.stream(namespace).allMatch(part -> fault(part) == null);
  }

  /** Throws if nothing may have this name. */
  static void check(Identifier ident) {
    check(Stream.concat(Arrays.stream(ident.namespace()), Stream.of(ident.name())).toArray(String[]::new));
  }

  static void check(String[] parts) {
    for (String part : parts) {
      String fault = fault(part);
      if (fault != null) {
        throw NameRefusal.invalid(shown(part), fault);
      }
    }
  }

  /** Those of the names of a listing that are valid. Others cannot be used, and do not hide the rest. */
  static Identifier[] valid(String catalog, Identifier[] listed) {
    return Arrays.stream(listed)
        .filter(each -> isValid(each) || reported(catalog, each.toString()))
        .toArray(Identifier[]::new);
  }

  static String[][] valid(String catalog, String[][] listed) {
    return Arrays.stream(listed)
        .filter(each -> isValid(each) || reported(catalog, String.join(".", each)))
        .toArray(String[][]::new);
  }

  /** Logs it, once. */
  private static boolean reported(String catalog, String name) {
    if (REPORTED.size() < MOST_REPORTED && REPORTED.add(catalog + '.' + name)) {
      LOG.warn("the catalog {} holds an object whose name is not valid: {}; it is not listed", catalog, shown(name));
    }
    return false;
  }

  /** What is wrong with one part of a name, or null. */
  static String fault(String part) {
    if (part == null || part.isEmpty()) {
      return "it is empty";
    }
    if (part.length() > LONGEST) {
      return "it is longer than " + LONGEST + " characters";
    }
    for (char separator : new char[] {'.', '/', '\\'}) {
      if (part.indexOf(separator) >= 0) {
        return "it contains '" + separator + "'";
      }
    }
    if (part.charAt(0) == ' ' || part.charAt(part.length() - 1) == ' ') {
      return "it begins or ends with a blank";
    }
    if (part.codePoints().anyMatch(Names::isInvisible)) {
      return "it contains a character that is not visible";
    }
    return Normalizer.isNormalized(part, Normalizer.Form.NFC) ? null : "it is not in Unicode's normal form C";
  }

  private static boolean isInvisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR -> true;
      case Character.SPACE_SEPARATOR -> character != ' ';
      default -> BLANK.contains(character) || isVariation(character);
    };
  }

  /** Variation selectors, which change nothing but how the character before them is drawn. */
  private static boolean isVariation(int character) {
    return character >= 0xFE00 && character <= 0xFE0F || character >= 0xE0100 && character <= 0xE01EF;
  }

  /** For people: what cannot be seen is written as its number. */
  private static String shown(String part) {
    StringBuilder text = new StringBuilder();
    String given = part == null ? "" : part;
    given.codePoints().limit(LONGEST).forEach(
        character -> {
          if (character != ' ' && isInvisible(character)) {
            text.append(String.format("\\u%04X", character));
          } else {
            text.appendCodePoint(character);
          }
        });
    return text.toString();
  }
}
