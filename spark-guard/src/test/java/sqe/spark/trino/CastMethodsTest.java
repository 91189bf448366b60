package sqe.spark.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CastMethodsTest {
  private static UTF8String text(String value) {
    return UTF8String.fromString(value);
  }

  @ParameterizedTest
  @CsvSource({"2.5, 3", "-2.5, -3", "0.49999999999999994, 0", "-0.5, -1", "4503599627370497.0, 4503599627370497", "1e15, 1000000000000000"})
  void aNumberBecomesTheNearestInteger(double value, long expected) {
    assertEquals(expected, CastMethods.toLong(value, Long.MAX_VALUE, text("bigint")));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, 127.5, -128.51})
  void aNumberBeyondTheTypeIsRefused(double value) {
    assertThrows(TrinoFailure.class, () -> CastMethods.toLong(value, Byte.MAX_VALUE, text("tinyint")));
  }

  @ParameterizedTest
  @CsvSource({"1.5, 1.5E0", "123.456, 1.23456E2", "1e10, 1.0E10", "-0.001, -1.0E-3", "100.0, 1.0E2", "NaN, NaN", "Infinity, Infinity", "0.0, 0E0"})
  void theTextOfADouble(double value, String expected) {
    assertEquals(expected, CastMethods.doubleText(value).toString());
  }

  @ParameterizedTest
  @CsvSource({"0.1, 1.0E-1", "16777216, 1.677722E7", "1.17549435E-38, 1.175494E-38", "-0.0, -0E0"})
  void theTextOfAReal(float value, String expected) {
    assertEquals(expected, CastMethods.realText(value).toString());
  }

  @ParameterizedTest
  @CsvSource({"12.345, 12.35", "1e-400, 0.00", "-0.005, -0.01", "9999999.994, 9999999.99"})
  void textBecomesADecimal(String value, String expected) {
    assertEquals(expected, CastMethods.textToDecimal(text(value), 9, 2).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e9", "x", "", "99999999.999", "1e999999999"})
  void textThatIsNoDecimalOfThisTypeIsRefused(String value) {
    assertThrows(TrinoFailure.class, () -> CastMethods.textToDecimal(text(value), 9, 2));
  }

  @Test
  void textBecomesADate() {
    assertEquals(0, CastMethods.toDate(text(" 1970-1-1 ")));
    assertEquals(-1, CastMethods.toDate(text("1969-12-31")));
    assertThrows(TrinoFailure.class, () -> CastMethods.toDate(text("2021-02-29")));
    assertThrows(TrinoFailure.class, () -> CastMethods.toDate(text("2021-02")));
  }

  @Test
  void theFractionOfASecondIsRoundedHalfUp() {
    assertEquals(1_000, CastMethods.toTimestamp(text("1970-01-01 00:00:00.0005"), 3));
    assertEquals(0, CastMethods.toTimestamp(text("1970-01-01 00:00:00.0004999"), 3));
    assertEquals(-1_000_000, CastMethods.rounded(-500_001, 0));
  }

  @ParameterizedTest
  @CsvSource({"2001:DB8:0:0:0:0:2:1, 2001:db8::2:1", "::ffff:1.2.3.4, 1.2.3.4", "10.0.0.1, 10.0.0.1", "::, ::", "1:0:0:2:0:0:0:3, 1:0:0:2::3"})
  void theTextOfAnAddress(String value, String expected) {
    assertEquals(expected, CastMethods.address(text(value)).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "1.2.3", "256.1.1.1", "example.com", "12345"})
  void aNameIsNoAddress(String value) {
    assertThrows(TrinoFailure.class, () -> CastMethods.address(text(value)));
  }
}
