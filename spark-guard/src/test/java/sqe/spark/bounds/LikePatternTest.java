package sqe.spark.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.regex.Pattern;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.util.StringUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** LIKE without backtracking has the results of LIKE as Spark does it, with a regular expression. */
class LikePatternTest {
  @ParameterizedTest
  @CsvSource({
    "abc, abc, true",
    "abc, ABC, false",
    "a%, abc, true",
    "%c, abc, true",
    "%b%, abc, true",
    "a_c, abc, true",
    "a_c, ac, false",
    "%, '', true",
    "_, '', false",
    "'', '', true",
    "'', a, false",
    "%%a%%, bab, true",
    "a%b%c, a1b2b3c, true",
    "a%b%c, a1b2b3, false",
    "%ab, aab, true",
    "\\%, %, true",
    "\\%, a, false",
    "a\\_b, a_b, true",
    "a\\_b, axb, false",
    "\\\\, \\, true",
    "_, 𝒳, true",
    "__, 𝒳, false",
    "%𝒳, a𝒳, true",
    ".*, abc, false",
    "[a], a, false",
  })
  void aPatternMatches(String pattern, String text, boolean matches) {
    assertEquals(matches, new LikePattern(pattern, '\\').matches(text));
  }

  @Test
  void everyCharacterMatchesALineBreak() {
    assertTrue(new LikePattern("a_b", '\\').matches("a\nb"));
    assertTrue(new LikePattern("a%b", '\\').matches("a\n\nb"));
  }

  @ParameterizedTest
  @ValueSource(chars = {'#', '%', '_', '\\'})
  void anyCharacterCanEscape(char escape) {
    assertTrue(new LikePattern("a" + escape + "%", escape).matches("a%"));
    assertFalse(new LikePattern("a" + escape + "%", escape).matches("ab"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\", "a\\", "\\a", "a\\bc"})
  void anEscapeOfNothingFailsAsInSpark(String pattern) {
    Exception ours = assertThrows(Exception.class, () -> new LikePattern(pattern, '\\'));
    Exception sparks = assertThrows(Exception.class, () -> StringUtils.escapeLikeRegex(pattern, '\\'));
    assertEquals(sparks.getClass(), ours.getClass());
    assertEquals(AnalysisException.class, ours.getClass());
    assertEquals(sparks.getMessage(), ours.getMessage());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomPatternsMatchAsInSpark(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 5_000; round++) {
      String pattern = text(random, "ab%_", 8);
      String text = text(random, "ab\n", 10);
      boolean expected = Pattern.compile(StringUtils.escapeLikeRegex(pattern, '\\')).matcher(text).matches();
      assertEquals(expected, new LikePattern(pattern, '\\').matches(text), () -> pattern + " on " + text);
    }
  }

  private static String text(Random random, String alphabet, int longest) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(longest + 1); left > 0; left--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  @Test
  @Timeout(60)
  void aPatternThatARegularExpressionWouldNeverFinishEnds() {
    String text = "a".repeat(20_000);
    assertFalse(new LikePattern("%a".repeat(30) + "%b", '\\').matches(text));
  }
}
