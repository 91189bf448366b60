package sqe.spark.bounds;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.TimeWindow;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** Short statements of which Spark would make enormous plans. */
class PlanBoundsTest {
  private static DataType nested(String kind, int depth) {
    DataType type = DataTypes.IntegerType;
    for (int level = 1; level < depth; level++) {
      type =
          switch (kind) {
            case "array" -> DataTypes.createArrayType(type);
            case "map" -> DataTypes.createMapType(DataTypes.IntegerType, type);
            default -> DataTypes.createStructType(List.of(DataTypes.createStructField("f", type, true)));
          };
    }
    return type;
  }

  @ParameterizedTest
  @ValueSource(strings = {"array", "map", "struct"})
  void typesMayBeNestedAHundredTimes(String kind) {
    DataType deep = nested(kind, 100);
    assertSame(deep, PlanBounds.checkType(deep));
    BoundRefusal refusal = assertThrows(BoundRefusal.TooComplex.class, () -> PlanBounds.checkType(nested(kind, 101)));
    assertEquals("A data type is nested more than 100 times.", refusal.getMessage());
    assertEquals("54001", refusal.getSqlState());
  }

  @Test
  void aWideTypeIsNotADeepOne() {
    StructField[] fields = new StructField[5_000];
    for (int each = 0; each < fields.length; each++) {
      fields[each] = DataTypes.createStructField("f" + each, DataTypes.IntegerType, true);
    }
    assertDoesNotThrow(() -> PlanBounds.checkType(DataTypes.createStructType(fields)));
  }

  @Test
  void theTypeOfACastCounts() {
    Literal nothing = new Literal(null, DataTypes.NullType);
    assertDoesNotThrow(() -> PlanBounds.check(new Cast(nothing, nested("array", 100), Option.empty())));
    Cast deep = new Cast(nothing, nested("array", 101), Option.empty());
    assertThrows(BoundRefusal.TooComplex.class, () -> PlanBounds.check(deep));
  }

  @ParameterizedTest
  @CsvSource({"1000, 1, false", "1001, 1, true", "1000000, 1000, false", "5, 10, false", "10, 0, false"})
  void aRowIsInAtMostAThousandWindows(long duration, long slide, boolean refused) {
    TimeWindow window = new TimeWindow(new Literal(null, DataTypes.TimestampType), duration, slide, 0);
    if (refused) {
      assertThrows(BoundRefusal.TooComplex.class, () -> PlanBounds.check(window));
    } else {
      assertDoesNotThrow(() -> PlanBounds.check(window));
    }
  }

  private static String columns(int count) {
    StringBuilder columns = new StringBuilder("c0");
    for (int each = 1; each < count; each++) {
      columns.append(", c").append(each);
    }
    return columns.toString();
  }

  @ParameterizedTest
  @CsvSource({"8, false", "9, true", "60, true"})
  void aCubeMakesAtMostTwoHundredAndFiftySixSets(int columns, boolean refused) {
    String sql = "SELECT 1 FROM t GROUP BY CUBE (" + columns(columns) + ")";
    LogicalPlan plan = (LogicalPlan) new CatalystSqlParser().parsePlan(sql);
    if (refused) {
      assertThrows(BoundRefusal.TooComplex.class, () -> PlanBounds.check(plan));
      assertThrows(BoundRefusal.TooComplex.class, () -> CubeText.check(sql));
    } else {
      assertDoesNotThrow(() -> PlanBounds.check(plan));
      assertDoesNotThrow(() -> CubeText.check(sql));
    }
  }

  @ParameterizedTest
  @CsvSource({"254, false", "256, true"})
  void aRollupHasOneSetMoreThanColumns(int columns, boolean refused) {
    LogicalPlan plan =
        (LogicalPlan) new CatalystSqlParser().parsePlan("SELECT 1 FROM t GROUP BY ROLLUP (" + columns(columns) + ")");
    assertEquals(refused, refuses(plan));
  }

  @Test
  void severalGroupingsMultiply() {
    String sql = "SELECT 1 FROM t GROUP BY CUBE (" + columns(6) + "), CUBE (d, e, f, g, h)";
    assertTrue(refuses((LogicalPlan) new CatalystSqlParser().parsePlan(sql)));
  }

  private static boolean refuses(LogicalPlan plan) {
    try {
      PlanBounds.check(plan);
      return false;
    } catch (BoundRefusal.TooComplex refusal) {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'CUBE (a,b,c,d,e,f,g,h,i,j,k,l)'",
        "SELECT 1 -- CUBE (a,b,c,d,e,f,g,h,i,j,k,l)",
        "SELECT 1 /* CUBE (a,b,c,d,e,f,g,h,i,j,k,l) */",
        "SELECT cube, (1,2,3,4,5,6,7,8,9,10,11,12)",
        "SELECT 1 FROM t GROUP BY CUBE (f(a,b,c,d,e,f,g,h,i,j,k,l), b)",
      })
  void onlyWhatIsInACubeCounts(String sql) {
    assertDoesNotThrow(() -> CubeText.check(sql));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GROUP BY GROUPING SETS (CUBE (a,b,c,d,e,f,g,h,i,j,k))",
        "group by cube(a,b,c,d,e,f,g,h,i,j,k)",
        "GROUP BY CUBE /* */ ((a,b),b,c,d,e,f,g,h,i,j,k)",
        "GROUP BY CUBE (a), CUBE (a,b,c,d,e,f,g,h,i,j,k)",
      })
  void aCubeIsFoundInAnySpelling(String sql) {
    assertThrows(BoundRefusal.TooComplex.class, () -> CubeText.check("SELECT 1 FROM t " + sql));
  }
}
