package sqe.spark.kinds;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The types and ranges of settings. */
class SettingValueTest {
  @ParameterizedTest
  @CsvSource({
    "true, boolean, ''",
    "FALSE, boolean, ''",
    "' true ', boolean, ''",
    "1, number, 1..10000",
    "10000, number, 1..10000",
    "-1, number, -1..10",
    "64m, size, 1k..1g",
    "64 MB, size, 1k..1g",
    "1024, size, 1k..1g",
    "1024b, size, 1k..1g",
    "1g, size, 1k..1g",
    "-1, size, -1..1g",
    "legacy, word, LEGACY|EXCEPTION",
    "EXCEPTION, word, LEGACY|EXCEPTION",
    "UTC, zone, ''",
    "Europe/Amsterdam, zone, ''",
    "+01:00, zone, ''",
  })
  void aValueOfTheTypeInTheRangePasses(String value, String type, String range) {
    assertDoesNotThrow(() -> SettingValue.check("k", value, type, range));
  }

  @ParameterizedTest
  @CsvSource({
    "yes, boolean, '', true or false",
    "'', boolean, '', true or false",
    "0, number, 1..10000, a whole number from 1 to 10000",
    "10001, number, 1..10000, a whole number from 1 to 10000",
    "10k, number, 1..10000, a whole number from 1 to 10000",
    "1.5, number, 1..10000, a whole number from 1 to 10000",
    "1e3, number, 1..10000, a whole number from 1 to 10000",
    "+5, number, 1..10000, a whole number from 1 to 10000",
    "1023, size, 1k..1g, a size from 1k to 1g",
    "2g, size, 1k..1g, a size from 1k to 1g",
    "1x, size, 1k..1g, a size from 1k to 1g",
    "1mbb, size, 1k..1g, a size from 1k to 1g",
    "9999999999999999999, size, 1k..1g, a size from 1k to 1g",
    "999999999999999999p, size, 1k..1g, a size from 1k to 1g",
    "other, word, LEGACY|EXCEPTION, LEGACY or EXCEPTION",
    "LEGACY|EXCEPTION, word, LEGACY|EXCEPTION, LEGACY or EXCEPTION",
    "Nowhere/At_all, zone, '', the name of a time zone or an offset such as +01:00",
  })
  void anotherValueIsRefusedWithWhatIsAllowed(String value, String type, String range, String allowed) {
    BadValue refusal = assertThrows(BadValue.class, () -> SettingValue.check("k", value, type, range));
    assertEquals("k cannot be '" + value + "'. It has to be " + allowed + ".", refusal.getMessage());
    assertEquals("SQE_BAD_VALUE", refusal.getCondition());
  }

  @Test
  void aTypeThatIsNotKnownIsAnErrorOfTheList() {
    assertThrows(IllegalStateException.class, () -> SettingValue.check("k", "1", "colour", ""));
  }

  @Test
  void aLongValueIsShownInPart() {
    String message = assertThrows(BadValue.class, () -> SettingValue.check("k", "x".repeat(500), "boolean", "")).getMessage();
    assertTrue(message.contains("'" + "x".repeat(100) + "...'"));
  }
}
