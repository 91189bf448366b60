package sqe.spark.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.spark.sql.types.DataType;
import org.junit.jupiter.api.Test;

class AssignmentsTest {
  private static DataType type(String text) {
    return DataType.fromDDL(text);
  }

  @Test
  void fieldsGetTheNamesOfTheColumn() {
    assertEquals(
        type("a BIGINT, b STRUCT<c: STRING>"),
        Assignments.named(type("b BIGINT, a STRUCT<field0: STRING>"), type("a INT, b STRUCT<c: STRING>")));
  }

  @Test
  void fieldsInArraysAndMapsToo() {
    assertEquals(
        type("ARRAY<MAP<STRUCT<a: INT>, STRUCT<b: DATE>>>"),
        Assignments.named(
            type("ARRAY<MAP<STRUCT<x: INT>, STRUCT<y: DATE>>>"), type("ARRAY<MAP<STRUCT<a: INT>, STRUCT<b: DATE>>>")));
  }

  @Test
  void otherNumbersOfFieldsAreRefused() {
    assertNull(Assignments.named(type("a INT"), type("a INT, b INT")));
    assertNull(Assignments.named(type("ARRAY<STRUCT<a: INT>>"), type("ARRAY<STRUCT<a: INT, b: INT>>")));
  }

  @Test
  void whatIsNoRowStaysAsItIs() {
    assertEquals(type("INT"), Assignments.named(type("INT"), type("BIGINT")));
    assertEquals(type("a INT"), Assignments.named(type("a INT"), type("INT")));
  }
}
