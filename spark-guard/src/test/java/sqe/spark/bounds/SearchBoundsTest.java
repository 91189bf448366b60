package sqe.spark.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches within bounds have the results of the plain ones. */
class SearchBoundsTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void textIsFoundWhereJavaFindsIt(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 5_000; round++) {
      String text = random(random, 12);
      String part = random(random, 5);
      assertEquals(text.contains(part), SearchBounds.holds(bytes(text), bytes(part)), () -> part + " in " + text);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "kitten, sitting, 3", "'', abc, 3", "abc, '', 3", "abc, abc, 0", "flaw, lawn, 2", "ab, ba, 2", "é, e, 1", "𝒳, y, 1"
  })
  void theDistanceOfTwoTextsIsTheNumberOfChanges(String one, String other, int distance) {
    int[] left = one.codePoints().toArray();
    int[] right = other.codePoints().toArray();
    assertEquals(distance, SearchBounds.distance(left, right));
    assertEquals(distance, SearchBounds.distance(right, left));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void theDistanceIsThatOfTheRecursiveDefinition(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      int[] one = random(random, 6).codePoints().toArray();
      int[] other = random(random, 6).codePoints().toArray();
      assertEquals(naive(one, other), SearchBounds.distance(one, other));
    }
  }

  private static int naive(int[] one, int[] other) {
    if (one.length == 0 || other.length == 0) {
      return one.length + other.length;
    }
    int[] shorter = Arrays.copyOf(one, one.length - 1);
    int[] otherShorter = Arrays.copyOf(other, other.length - 1);
    int replaced = one[one.length - 1] == other[other.length - 1] ? 0 : 1;
    return Math.min(
        naive(shorter, otherShorter) + replaced, 1 + Math.min(naive(shorter, other), naive(one, otherShorter)));
  }

  private static String random(Random random, int longest) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(longest + 1); left > 0; left--) {
      text.append((char) ('a' + random.nextInt(2)));
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "'a,b,c', ',', -1", "'a,b,c', ',', 2", "',a,', ',', -1", "abc, '', -1", "'', ',', -1", "abc, x, 0", "a1b22c, '[0-9]+', -1",
    "aaa, 'a*', -1", "abc, '(?=b)', -1"
  })
  void textIsSplitAsByJava(String text, String regex, int limit) {
    List<String> parts = new Regexes("split", 0).split(text, UTF8String.fromString(regex), limit);
    assertEquals(List.of(Pattern.compile(regex).split(text, limit == 0 ? -1 : limit)), parts);
  }

  @Test
  void aRegularExpressionThatWouldEndTheThreadIsRefused() {
    Regexes regexes = new Regexes("rlike", 0);
    UTF8String regex = UTF8String.fromString("(a|b)*c");
    BoundRefusal refusal =
        assertThrows(BoundRefusal.TooExpensive.class, () -> regexes.find(regexes.matcher("ab".repeat(500_000), regex)));
    assertEquals("SQE_EXPRESSION_TOO_EXPENSIVE", refusal.getCondition());
  }

  @Test
  void aRegularExpressionEndsWhenItsThreadIsInterrupted() {
    Regexes regexes = new Regexes("rlike", 0);
    UTF8String regex = UTF8String.fromString("(x+x+)+y");
    Thread.currentThread().interrupt();
    try {
      assertThrows(
          BoundRefusal.Canceled.class, () -> regexes.find(regexes.matcher("x".repeat(5_000), regex)));
    } finally {
      Thread.interrupted();
    }
  }
}
