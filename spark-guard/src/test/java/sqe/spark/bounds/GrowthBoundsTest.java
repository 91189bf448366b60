package sqe.spark.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.ArrayRepeat;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.ConcatWs;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FormatString;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Sequence;
import org.apache.spark.sql.catalyst.expressions.StringLPad;
import org.apache.spark.sql.catalyst.expressions.StringRepeat;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
import org.apache.spark.sql.catalyst.expressions.StringSpace;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Option;
import sqe.spark.Plans;

/** Functions whose results can be large: within bounds they are Spark's, beyond they are refused before they are made. */
class GrowthBoundsTest {
  private static final int MB = 1 << 20;

  private static Expression text(String text) {
    return new Literal(text == null ? null : UTF8String.fromString(text), DataTypes.StringType);
  }

  private static Expression number(int number) {
    return new Literal(number, DataTypes.IntegerType);
  }

  private static Expression sequence(long from, long to, Long step) {
    Expression by = step == null ? null : new Literal(step, DataTypes.LongType);
    return new Sequence(
        new Literal(from, DataTypes.LongType), new Literal(to, DataTypes.LongType), Option.apply(by), Option.apply("UTC"));
  }

  private static Expression concat(Expression... parts) {
    return new Concat(Plans.seq(Arrays.asList(parts)));
  }

  private static Expression format(String format, Expression... values) {
    List<Expression> all = new ArrayList<>(List.of(text(format)));
    all.addAll(Arrays.asList(values));
    return new FormatString(Plans.seq(all));
  }

  private static Object evaluate(Expression expression) {
    assertTrue(BoundTable.has(expression));
    return new Bounded(expression).eval(null);
  }

  static Stream<Arguments> results() {
    return Stream.of(
        Arguments.of(new StringRepeat(text("ab"), number(3)), "ababab"),
        Arguments.of(new StringRepeat(text("ab"), number(-1)), ""),
        Arguments.of(new StringRepeat(text(""), number(Integer.MAX_VALUE)), ""),
        Arguments.of(new StringSpace(number(2)), "  "),
        Arguments.of(new StringLPad(text("a"), number(4), text("xy")), "xyxa"),
        Arguments.of(new StringLPad(text("abc"), number(2), text("x")), "ab"),
        Arguments.of(concat(text("a"), text("b"), concat(text("c"), text("d"))), "abcd"),
        Arguments.of(new ConcatWs(Plans.seq(List.of(text("-"), text("a"), text(null), text("b")))), "a-b"),
        Arguments.of(new StringReplace(text("aXbX"), text("X"), text("yy")), "ayybyy"),
        Arguments.of(format("%s-%05d", text("a"), number(7)), "a-00007"));
  }

  @ParameterizedTest
  @MethodSource("results")
  void aSmallResultIsSparksOwn(Expression expression, String expected) {
    assertEquals(expected, evaluate(expression).toString());
  }

  static Stream<Arguments> refused() {
    String mega = "x".repeat(MB);
    return Stream.of(
        Arguments.of(new StringRepeat(text("ab"), number(33 * MB)), "repeat would make a value of 69,206,016 bytes"),
        Arguments.of(new StringRepeat(text(mega), number(Integer.MAX_VALUE)), "repeat would make"),
        Arguments.of(new StringSpace(number(65 * MB)), "space would make"),
        Arguments.of(new StringLPad(text("a"), number(65 * MB), text("x")), "lpad would make"),
        Arguments.of(new StringLPad(text("a"), number(40 * MB), text("é")), "lpad would make"),
        Arguments.of(concat(Stream.generate(() -> text(mega)).limit(65).toArray(Expression[]::new)), "concat would make"),
        Arguments.of(new StringReplace(text(mega), text("x"), text("y".repeat(100))), "replace would make"),
        Arguments.of(new ArrayRepeat(number(1), number(10_000_001)), "array_repeat would make a value of 10,000,001 elements"),
        Arguments.of(new ArrayRepeat(text(mega), number(257)), "array_repeat would make a value of 269,484,032 bytes"),
        Arguments.of(sequence(1, 10_000_001, null), "sequence would make a value of 10,000,001 elements"),
        Arguments.of(sequence(0, Long.MAX_VALUE, 1L), "sequence would make"),
        Arguments.of(sequence(10_000_001, 1, -1L), "sequence would make"),
        Arguments.of(format("%99999999d", number(1)), "format_string would make"),
        Arguments.of(format("%1$s%1$s%<s".repeat(30), text(mega)), "format_string would make"),
        Arguments.of(format("%.99999999f", new Literal(1.0, DataTypes.DoubleType)), "format_string would make"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aLargeResultIsRefusedBeforeItIsMade(Expression expression, String beginning) {
    BoundRefusal refusal = assertThrows(BoundRefusal.TooLarge.class, () -> evaluate(expression));
    assertTrue(refusal.getMessage().startsWith(beginning), refusal.getMessage());
    assertTrue(refusal.getMessage().endsWith(" are allowed."), refusal.getMessage());
    assertEquals("54000", refusal.getSqlState());
  }

  static Stream<Expression> nulls() {
    return Stream.of(
        new StringRepeat(text(null), number(1)),
        new StringRepeat(text("a"), new Literal(null, DataTypes.IntegerType)),
        concat(text("a"), text(null)),
        new StringLPad(text("a"), number(3), text(null)));
  }

  @ParameterizedTest
  @MethodSource("nulls")
  void nullStaysNull(Expression expression) {
    assertNull(evaluate(expression));
  }

  @Test
  void aSequenceThatFitsIsMade() {
    assertEquals(5_000, ((ArrayData) evaluate(sequence(1, 10_000, 2L))).numElements());
  }

  @AfterEach
  void watchNothing() {
    Allocation.watchedBy(bytes -> {});
  }

  @Test
  void theHeapIsAskedAboutEachLargeValue() {
    List<Long> asked = new ArrayList<>();
    Allocation.watchedBy(asked::add);
    evaluate(new StringRepeat(text("x"), number(MB - 1)));
    evaluate(new StringRepeat(text("x"), number(MB)));
    assertEquals(List.of((long) MB), asked);
  }
}
