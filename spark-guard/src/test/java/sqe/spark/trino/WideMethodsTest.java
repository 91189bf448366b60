package sqe.spark.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WideMethodsTest {
  private static final UTF8String UTC = UTF8String.fromString("UTC");

  private static UTF8String text(String value) {
    return UTF8String.fromString(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "01:02:03.456+02:00 | 3 | 01:02:03.456+02:00",
        "1:2 -08:30 | 0 | 01:02:00-08:30",
        "23:59:59.9999+02:00 | 3 | 00:00:00.000+02:00",
        "10:00:00 | 12 | 10:00:00.000000000000+01:00",
      })
  void timesWithOffsets(String read, int digits, String written) {
    InternalRow time = WideMethods.timeZonedOfText(text(read), digits, 60);
    assertEquals(written, WideMethods.timeZonedText(time.getLong(0), time.getInt(1), digits).toString());
  }

  @ParameterizedTest
  @CsvSource({"01:02+02", "01:02:03+15:00", "24:00:00", "10:00 Europe/Berlin"})
  void otherTextsAreNoTimes(String read) {
    assertThrows(TrinoFailure.class, () -> WideMethods.timeZonedOfText(text(read), 3, 0));
  }

  @Test
  void timesAreInTheOrderOfUtc() {
    InternalRow one = WideMethods.timeZonedOfText(text("10:00+00:00"), 0, 0);
    InternalRow same = WideMethods.timeZonedOfText(text("12:00+02:00"), 0, 0);
    assertEquals(one.getLong(0), same.getLong(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2020-01-01 00:00:00.123456789012 | 12 | 2020-01-01 00:00:00.123456789012",
        "2020-12-31 23:59:59.99999999 | 7 | 2021-01-01 00:00:00.0000000",
        "1969-12-31 23:59:59.9999999 | 7 | 1969-12-31 23:59:59.9999999",
      })
  void timestampsOfManyDigits(String read, int digits, String written) {
    InternalRow time = WideMethods.timestampOfText(text(read), digits);
    assertEquals(written, WideMethods.timestampText(time.getLong(0), time.getInt(1), digits).toString());
  }

  @Test
  void aTimestampKeepsItsZone() {
    InternalRow time = WideMethods.zonedOfText(text("2020-07-01 12:00:00 Europe/Berlin"), 3, UTC);
    assertEquals(1_593_597_600_000_000L, time.getLong(0));
    assertEquals("Europe/Berlin", time.getUTF8String(2).toString());
    assertEquals(7_200, time.getInt(3));
  }

  @Test
  void theTimeOfATimestampBefore1970IsTrinos() {
    assertEquals(86_398_999_000_000_000L, WideMethods.picosOfTimestamp(-1_000, 0));
    assertThrows(TrinoFailure.class, () -> WideMethods.picosOfTimestamp(-86_400_000_000L + 999_000, 0));
  }

  @ParameterizedTest
  @CsvSource({"123_500, 0, 124000", "0, 123_500, -123000"})
  void timestampsAreMillisecondsApart(String left, String right, long micros) {
    assertEquals(
        micros, WideMethods.timestampMinus(Long.parseLong(left.replace("_", "")), Long.parseLong(right.replace("_", ""))));
  }

  @Test
  void zonedTimestampsAreRoundedAwayFromZero() {
    assertEquals(-124_000, WideMethods.zonedMinus(0, 0, 123_500, 0));
    assertEquals(1_000_000, WideMethods.zonedMinus(56_000_222, 0, 55_000_555, 0));
  }
}
