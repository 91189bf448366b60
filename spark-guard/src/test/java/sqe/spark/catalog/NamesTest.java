package sqe.spark.catalog;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names: each object has one spelling, and whatever would be a second one is refused. */
class NamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"t", "T", "a b", "a-b", "a$b", "über", "表", "ℵ", "a'b", "a\"b", "a`b", "%", "1", "files", "𝒳", "a:b"})
  void aVisibleNameWithoutSeparatorsIsValid(String part) {
    assertNull(Names.fault(part));
  }

  @ParameterizedTest
  @NullAndEmptySource
  void anEmptyPartIsRefused(String part) {
    assertEquals("it is empty", Names.fault(part));
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "a.b", "a/b", "a\\b", "..", "/", "a.", ".a"})
  void aSeparatorIsRefused(String part) {
    assertTrue(Names.fault(part).startsWith("it contains '"), part);
  }

  @ParameterizedTest
  @ValueSource(strings = {" a", "a ", " ", "  a  "})
  void aBlankAtAnEndIsRefused(String part) {
    assertEquals("it begins or ends with a blank", Names.fault(part));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x00, 0x1F, 0x7F, 0x85, 0xA0, 0xAD, 0x034F, 0x115F, 0x180E, 0x2003, 0x200B, 0x200D, 0x202E, 0x2028, 0x2029, 0x2060,
        0x2800, 0x3000, 0x3164, 0xE000, 0xFE0F, 0xFEFF, 0xFFA0, 0xE0020, 0xE0100, 0x10FFFF, 0xD800
      })
  void anInvisibleCharacterIsRefused(int character) {
    String part = "a" + new String(Character.toChars(character)) + "b";
    assertEquals("it contains a character that is not visible", Names.fault(part));
  }

  @ParameterizedTest
  @ValueSource(strings = {"e\u0301", "u\u0308ber", "\u212B", "\u2126"})
  void aNameThatUnicodeTakesForAnotherIsRefused(String part) {
    assertEquals("it is not in Unicode's normal form C", Names.fault(part));
  }

  @Test
  void theLengthIsLimited() {
    assertNull(Names.fault("x".repeat(255)));
    assertEquals("it is longer than 255 characters", Names.fault("x".repeat(256)));
  }

  @Test
  void everyPartOfAnIdentifierCounts() {
    assertTrue(Names.isValid(Identifier.of(new String[] {"a", "b"}, "t")));
    assertTrue(Names.isValid(Identifier.of(new String[0], "t")));
    assertFalse(Names.isValid(Identifier.of(new String[] {"a", "b.c"}, "t")));
    assertFalse(Names.isValid(Identifier.of(new String[] {"a"}, "t.files")));
    assertTrue(Names.isValid(new String[0]));
    assertFalse(Names.isValid(new String[] {"a", ""}));
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("a.b", "The name 'a.b' is not valid: it contains '.'."),
        Arguments.of("a\u200Bb", "The name 'a\\u200Bb' is not valid: it contains a character that is not visible."),
        Arguments.of("", "The name '' is not valid: it is empty."));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aRefusalShowsWhatCannotBeSeen(String part, String message) {
    NameRefusal refusal = assertThrows(NameRefusal.class, () -> Names.check(new String[] {"a", part}));
    assertEquals(message, refusal.getMessage());
    assertEquals("SQE_INVALID_NAME", refusal.getCondition());
    assertEquals("42602", refusal.getSqlState());
  }

  @Test
  void aListingLeavesOutWhatCannotBeUsedAndKeepsTheRestInItsOrder() {
    Identifier good = Identifier.of(new String[] {"a"}, "t");
    Identifier other = Identifier.of(new String[] {"a"}, "T");
    Identifier bad = Identifier.of(new String[] {"a"}, "t.files");
    assertArrayEquals(new Identifier[] {other, good}, Names.valid("c", new Identifier[] {other, bad, good}));
    assertArrayEquals(
        new String[][] {{"a"}, {"a", "b"}}, Names.valid("c", new String[][] {{"a"}, {"a/b"}, {"a", "b"}}));
  }
}
