package sqe.spark.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrinoTypeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "integer | INT",
        "decimal(10, 2) | DECIMAL(10,2)",
        "decimal(5) | DECIMAL(5,0)",
        "varchar(3) | STRING",
        "timestamp(3) with time zone | TIMESTAMP",
        "timestamp(6) | TIMESTAMP_NTZ",
        "array(map(varchar, double)) | ARRAY<MAP<STRING, DOUBLE>>",
        "row(\"a\" bigint, \"b c\" array(date)) | STRUCT<a: BIGINT, b c: ARRAY<DATE>>",
        "interval day to second | INTERVAL DAY TO SECOND",
        "json | STRING",
      })
  void sparksTypeOfATypeOfTrinos(String text, String spark) {
    assertEquals(spark.replace(" ", ""), TrinoType.of(text).spark().sql().replace(" ", "").replace("`", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timestamp | timestamp(3)",
        "timestamp with time zone | timestamp(3) with time zone",
        "row(\"a\"\"b\" bigint, integer) | row(\"a\"\"b\" bigint, integer)",
        "map(varchar(2), array(char(1))) | map(varchar(2), array(char(1)))",
      })
  void theTextOfAType(String text, String again) {
    assertEquals(again, TrinoType.of(text).toString());
  }

  @Test
  void someTypesNeedTheirNames() {
    assertTrue(TrinoType.of("json").needsName());
    assertTrue(TrinoType.of("array(timestamp(3))").needsName());
    assertFalse(TrinoType.of("varchar").needsName());
    assertFalse(TrinoType.of("map(varchar, row(\"a\" double))").needsName());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time(7) | time(7)",
        "time with time zone | time(3) with time zone",
        "timestamp(9) | timestamp(9)",
        "timestamp(12) with time zone | timestamp(12) with time zone",
      })
  void wideTypesAreStructsThatSayWhichTheyAre(String text, String name) {
    assertEquals(name, Wide.of(TrinoType.of(text).spark()).toString());
  }

  @Test
  void sparksOwnTypesAreNotWide() {
    assertNull(Wide.of(TrinoType.of("timestamp(6)").spark()));
    assertNull(Wide.of(TrinoType.of("row(\"trino time(7)\" varchar)").spark()));
  }

  @Test
  void moreThanTwelveDigitsAreRefused() {
    assertThrows(TrinoFailure.class, () -> TrinoType.of("timestamp(13)").spark());
  }
}
