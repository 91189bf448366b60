package sqe.spark.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Rand;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;
import sqe.spark.Plans;

/** Expressions of thousands of parts, which Spark would take long to plan or to compile. */
class LargeExpressionsTest {
  private static Expression number(long number) {
    return new Literal(number, DataTypes.LongType);
  }

  private static List<Expression> numbers(int count) {
    return new ArrayList<>(IntStream.range(0, count).mapToObj(LargeExpressionsTest::number).toList());
  }

  private static In in(Expression value, List<Expression> list) {
    return new In(value, Plans.seq(list));
  }

  @AfterEach
  void leaveNoInterrupt() {
    Thread.interrupted();
  }

  @ParameterizedTest
  @CsvSource({"7, true", "5000, false"})
  void aLongListIsASet(long value, boolean found) {
    Expression made = LongLists.asSet(in(number(value), numbers(2_000)));
    assertInstanceOf(InSet.class, made);
    assertEquals(found, made.eval(null));
  }

  @Test
  void aNullInTheListIsNotForgotten() {
    List<Expression> list = numbers(2_000);
    list.add(new Literal(null, DataTypes.LongType));
    assertEquals(true, LongLists.asSet(in(number(7), list)).eval(null));
    assertNull(LongLists.asSet(in(number(5_000), list)).eval(null));
  }

  @Test
  void valuesMayBeCastToTheType() {
    List<Expression> list = numbers(2_000);
    list.replaceAll(each -> new Cast(new Literal(((Long) each.eval(null)).intValue(), DataTypes.IntegerType), DataTypes.LongType, Option.empty()));
    assertInstanceOf(InSet.class, LongLists.asSet(in(number(7), list)));
  }

  @Test
  void whatIsNoConstantOrHasNoTypeYetIsLeftToSpark() {
    List<Expression> list = numbers(2_000);
    list.add(new Cast(new Rand(number(1)), DataTypes.LongType, Option.empty()));
    In computed = in(number(7), list);
    assertSame(computed, LongLists.asSet(computed));
    In mixed = in(new Literal(UTF8String.fromString("7"), DataTypes.StringType), numbers(2_000));
    assertSame(mixed, LongLists.asSet(mixed));
  }

  @Test
  void aComparisonOfArraysLooksForACancel() {
    Expression array = new BoundReference(0, DataTypes.createArrayType(DataTypes.LongType), true);
    Expression compared = Bounds.within((Expression) new LessThan(array, array));
    InternalRow row = new GenericInternalRow(new Object[] {new GenericArrayData(new Object[] {1L})});
    assertEquals(false, compared.eval(row));
    assertEquals(compared, Bounds.within(compared));
    Thread.currentThread().interrupt();
    assertThrows(BoundRefusal.Canceled.class, () -> compared.eval(row));
  }

  @Test
  void aComparisonOfNumbersIsSparks() {
    Expression number = new BoundReference(0, DataTypes.LongType, true);
    Expression compared = new LessThan(number, number);
    assertEquals(compared, Bounds.within(compared));
  }

  private static Expression coalesce(int parts) {
    return new Coalesce(Plans.seq(numbers(parts)));
  }

  @Test
  void aLargeExpressionIsNotCompiled() {
    Expression small = coalesce(Interpreted.MAX_COMPILED - 1);
    assertSame(small, Interpreted.large(small));
    Expression large = Interpreted.large(coalesce(Interpreted.MAX_COMPILED));
    assertInstanceOf(Interpreted.class, large);
    assertEquals(0L, large.eval(null));
    assertSame(large, Interpreted.large(large));
  }

  @Test
  void sparkStillFindsNamesAndAggregates() {
    Expression large = coalesce(Interpreted.MAX_COMPILED);
    Alias alias =
        new Alias(large, "a", NamedExpression.newExprId(), Plans.seq(List.of()), Option.empty(), Plans.seq(List.of()));
    assertInstanceOf(Interpreted.class, assertInstanceOf(Alias.class, Interpreted.large(alias)).child());
    assertInstanceOf(Interpreted.class, assertInstanceOf(Max.class, Interpreted.large(new Max(large))).child());
  }
}
