package sqe.spark.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
  private static final UTF8String SIGN = UTF8String.fromString("#");

  @ParameterizedTest
  @ValueSource(strings = {"a", "#%", "##", "a#_b"})
  void patternsWithEscapes(String pattern) {
    UTF8String text = UTF8String.fromString(pattern);
    assertEquals(text, StringFunctions.escaped(text, SIGN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"#", "a#", "#a", "###"})
  void escapesOfNothing(String pattern) {
    UTF8String text = UTF8String.fromString(pattern);
    assertThrows(TrinoFailure.Argument.class, () -> StringFunctions.escaped(text, SIGN));
  }

  @Test
  void keysAndValuesOfAMap() {
    assertTrue(MapMethods.sameLength(2, 2));
    assertThrows(TrinoFailure.Argument.class, () -> MapMethods.sameLength(2, 1));
  }
}
