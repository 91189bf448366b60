package sqe.spark.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.connector.catalog.DefaultValue;
import org.apache.spark.sql.types.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sqe.spark.statements.NotSupported;

class ColumnDefaultsTest {
  private static Object value(String type, String sql) {
    DataType spark = DataType.fromDDL(type);
    var literal = ColumnDefaults.value("c", spark, SparkSchemaUtil.convert(spark), new DefaultValue(sql), "CREATE TABLE");
    return literal == null ? null : literal.value();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INT | 1 + 1 | 2",
        "BIGINT | -7 | -7",
        "TINYINT | 3 | 3",
        "DOUBLE | 1.5 | 1.5",
        "BOOLEAN | true | true",
        "DECIMAL(10,2) | 1.5 | 1.50",
        "STRING | \"x y\" | x y",
        "DATE | DATE '1970-01-03' | 2",
        "TIMESTAMP_NTZ | TIMESTAMP_NTZ '1970-01-01 00:00:01' | 1000000",
        "STRING | CAST(1 AS STRING) | 1"
      },
      quoteCharacter = '`')
  void aConstantIsStoredInTheTypeOfTheColumn(String type, String sql, String expected) {
    assertEquals(expected, String.valueOf(value(type, sql)));
  }

  @Test
  void nullIsNoDefault() {
    assertNull(value("INT", "NULL"));
    assertNull(value("ARRAY<INT>", "NULL"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"current_timestamp()", "now()", "rand()", "current_user()", "x", "(SELECT 1)"})
  void whatIsNoConstantIsRefused(String sql) {
    assertThrows(NotSupported.class, () -> value("STRING", sql));
  }
}
