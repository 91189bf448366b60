package sqe.spark.bounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.*;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateMutableProjection;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import scala.Some;
import sqe.spark.Plans;

/**
 * Evaluates Spark's expressions and ours on the same random values, interpreted and as generated code, and writes what differs.
 *
 * <p>The last line is the number of comparisons. With the argument {@code time} it writes how long LIKE takes instead.
 */
public final class BoundsComparison {
  private static final DataType TEXT = DataTypes.StringType;
  private static final DataType INT = DataTypes.IntegerType;
  private static final DataType TEXTS = DataTypes.createArrayType(TEXT);
  private static final DataType INTS = DataTypes.createArrayType(INT);
  private static final String[] LETTERS = {
    "a", "b", "c", "A", "%", "_", "\\", "é", "ß", "😀", "\n", ".", "*", "$", ",", " ", "(", "\u0000", "\uFFFD"
  };
  private static final String[] REGEXES = {
    "a", "a*", "", "(a|b)+", "[abc]", "^a.*c$", "\\w", "(?i)A", "a{2,3}", "(a)(b)?", "é", "😀", ".", "\\", "(", "b$",
    "(?s).", "\\b", "x*", ",", "[^a]", "(a*)*", "a|", "(?=b)"
  };
  private static final String[] REPLACEMENTS = {"", "x", "$0", "$1", "\\", "$9", "😀", "$", "\\$"};
  private static final String[] FORMATS = {"%s", "%d", "%5s|%-4s", "%2$s %1$s", "%x", "%", "%s %s %s", "%%", "%.1s", "%<s"};

  private static final Random RANDOM = new Random(11);
  private static int compared;

  public static void main(String[] arguments) {
    if (arguments.length > 0) {
      time();
      return;
    }
    Supplier<Object> text = BoundsComparison::text;
    Supplier<Object> regex = () -> of(REGEXES);
    Supplier<Object> number = () -> RANDOM.nextInt(10) == 0 ? null : (Object) (RANDOM.nextInt(7) - 2);
    Supplier<Object> texts = () -> array(RANDOM.nextInt(4), BoundsComparison::text);
    Supplier<Object> numbers = () -> array(RANDOM.nextInt(5), number);

    for (char escape : new char[] {'\\', '_', '%', 'a'}) {
      compare(600, operands -> new Like(operands[0], operands[1], escape), types(TEXT, TEXT), text, text);
    }
    compare(300, operands -> new ILike(operands[0], operands[1], '\\'), types(TEXT, TEXT), text, text);
    for (int round = 0; round < 20; round++) {
      List<UTF8String> patterns = new ArrayList<>(Arrays.asList(likely(), likely(), RANDOM.nextInt(4) == 0 ? null : likely()));
      compare(8, each -> new LikeAny(each[0], Plans.seq(patterns)), types(TEXT), text);
      compare(8, each -> new LikeAll(each[0], Plans.seq(patterns)), types(TEXT), text);
      compare(8, each -> new NotLikeAny(each[0], Plans.seq(patterns)), types(TEXT), text);
      compare(8, each -> new NotLikeAll(each[0], Plans.seq(patterns)), types(TEXT), text);
    }
    compare(700, each -> new RLike(each[0], each[1]), types(TEXT, TEXT), text, regex);
    compare(700, each -> new StringSplit(each[0], each[1], each[2]), types(TEXT, TEXT, INT), text, regex, number);
    for (int position : new int[] {1, 2, 3}) {
      compare(
          400,
          each -> new RegExpReplace(each[0], each[1], each[2], Literal.create(position, INT)),
          types(TEXT, TEXT, TEXT), text, regex, () -> of(REPLACEMENTS));
    }
    compare(400, each -> new RegExpExtract(each[0], each[1], each[2]), types(TEXT, TEXT, INT), text, regex, number);
    compare(400, each -> new RegExpExtractAll(each[0], each[1], each[2]), types(TEXT, TEXT, INT), text, regex, number);
    compare(400, each -> new RegExpInStr(each[0], each[1], each[2]), types(TEXT, TEXT, INT), text, regex, number);
    compare(300, each -> new RegExpCount(each[0], each[1]), types(TEXT, TEXT), text, regex);
    compare(300, each -> new SplitPart(each[0], each[1], each[2]), types(TEXT, TEXT, INT), text, text, number);

    compare(500, each -> new Contains(each[0], each[1]), types(TEXT, TEXT), text, text);
    compare(500, each -> new StringReplace(each[0], each[1], each[2]), types(TEXT, TEXT, TEXT), text, text, text);
    compare(300, each -> new Levenshtein(each[0], each[1], Option.empty()), types(TEXT, TEXT), text, text);
    compare(300, each -> new Levenshtein(each[0], each[1], new Some<>(Literal.create(2, INT))), types(TEXT, TEXT), text, text);
    compare(300, each -> new StringInstr(each[0], each[1]), types(TEXT, TEXT), text, text);
    compare(300, each -> new StringLocate(each[0], each[1], each[2]), types(TEXT, TEXT, INT), text, text, number);
    compare(300, each -> new SubstringIndex(each[0], each[1], each[2]), types(TEXT, TEXT, INT), text, text, number);
    compare(300, each -> new StringToMap(each[0], each[1], each[2]), types(TEXT, TEXT, TEXT), text, text, text);
    compare(300, each -> new StringTrim(each[0], new Some<>(each[1])), types(TEXT, TEXT), text, text);
    compare(300, each -> new StringTrimLeft(each[0], new Some<>(each[1])), types(TEXT, TEXT), text, text);
    compare(300, each -> new StringTrimRight(each[0], Option.empty()), types(TEXT), text);
    compare(300, each -> new ArrayDistinct(each[0]), types(INTS), numbers);
    compare(300, each -> new ArrayUnion(each[0], each[1]), types(INTS, INTS), numbers, numbers);
    compare(300, each -> new ArrayExcept(each[0], each[1]), types(TEXTS, TEXTS), texts, texts);
    compare(300, each -> new ArrayIntersect(each[0], each[1]), types(TEXTS, TEXTS), texts, texts);
    compare(300, each -> new ArraysOverlap(each[0], each[1]), types(INTS, INTS), numbers, numbers);

    compare(300, each -> new StringRepeat(each[0], each[1]), types(TEXT, INT), text, number);
    compare(50, each -> new StringSpace(each[0]), types(INT), number);
    compare(500, each -> new StringLPad(each[0], each[1], each[2]), types(TEXT, INT, TEXT), text, number, text);
    compare(500, each -> new StringRPad(each[0], each[1], each[2]), types(TEXT, INT, TEXT), text, number, text);
    compare(300, each -> new Concat(Plans.seq(List.of(each))), types(TEXT, TEXT, TEXT), text, text, text);
    compare(
        300,
        each -> new Concat(Plans.seq(List.of(new Concat(Plans.seq(List.of(each[0], each[1]))), each[2]))),
        types(TEXTS, TEXTS, TEXTS), texts, texts, texts);
    compare(
        300,
        each -> new Concat(Plans.seq(List.of(each))),
        types(DataTypes.BinaryType, DataTypes.BinaryType), BoundsComparison::binary, BoundsComparison::binary);
    compare(300, each -> new ConcatWs(Plans.seq(List.of(each))), types(TEXT, TEXT, TEXTS), text, text, texts);
    compare(300, each -> new ArrayJoin(each[0], each[1], Option.empty()), types(TEXTS, TEXT), texts, text);
    compare(300, each -> new ArrayJoin(each[0], each[1], new Some<>(each[2])), types(TEXTS, TEXT, TEXT), texts, text, text);
    compare(300, each -> new ArrayRepeat(each[0], each[1]), types(TEXT, INT), text, number);
    compare(
        300,
        each -> new Flatten(each[0]),
        types(DataTypes.createArrayType(INTS)), () -> array(RANDOM.nextInt(4), numbers));
    compare(300, each -> new Sequence(each[0], each[1], Option.empty(), new Some<>("UTC")), types(INT, INT), number, number);
    compare(
        500,
        each -> new Sequence(each[0], each[1], new Some<>(each[2]), new Some<>("UTC")),
        types(INT, INT, INT), number, number, number);
    compare(
        300,
        each -> new Sequence(each[0], each[1], new Some<>(each[2]), new Some<>("UTC")),
        types(DataTypes.DateType, DataTypes.DateType, DataTypes.CalendarIntervalType),
        () -> RANDOM.nextInt(400), () -> RANDOM.nextInt(400),
        () -> new CalendarInterval(RANDOM.nextInt(3) - 1, RANDOM.nextInt(30) - 10, 0));
    compare(
        500,
        each -> new FormatString(Plans.seq(List.of(each))),
        types(TEXT, TEXT, INT), () -> of(FORMATS), text, number);
    compare(
        300,
        each -> new Overlay(each[0], each[1], each[2], each[3]),
        types(TEXT, TEXT, INT, INT), text, text, number, number);
    algorithms();
    System.out.println(compared);
  }

  /** What only large values are given to. */
  private static void algorithms() {
    for (int round = 0; round < 2_000; round++) {
      UTF8String one = (UTF8String) some();
      UTF8String other = (UTF8String) some();
      expect("distance", one.levenshteinDistance(other), SearchBounds.distance(points(one), points(other)), one, other);
      expect("holds", one.contains(other), SearchBounds.holds(one.getBytes(), other.getBytes()), one, other);
    }
  }

  private static int[] points(UTF8String text) {
    return text.toString().codePoints().toArray();
  }

  private static DataType[] types(DataType... types) {
    return types;
  }

  @SafeVarargs
  private static void compare(
      int rounds, Function<Expression[], Expression> made, DataType[] types, Supplier<Object>... values) {
    Expression[] operands = new Expression[types.length];
    for (int each = 0; each < types.length; each++) {
      operands[each] = new BoundReference(each, types[each], true);
    }
    for (int round = 0; round < rounds; round++) {
      Expression spark = made.apply(operands);
      Expression ours = Bounds.in(made.apply(operands), List.of()); // which shares no state with it
      if (!(ours instanceof Bounded)) {
        throw new IllegalStateException(spark + " is not within bounds");
      }
      Object[] row = Arrays.stream(values).map(Supplier::get).toArray();
      Expression evaluated = SearchBounds.asEvaluated(spark);
      Object expected = outcome(() -> evaluated.eval(new GenericInternalRow(row)));
      expect(spark.toString(), expected, outcome(() -> ours.eval(new GenericInternalRow(row))), row);
      if (round % 200 == 7) {
        expect(spark + " in generated code", expected, outcome(() -> generated(ours, row)), row);
      }
    }
  }

  private static Object generated(Expression expression, Object[] row) {
    InternalRow made =
        GenerateMutableProjection.generate(Plans.seq(List.of(expression)), false).apply(new GenericInternalRow(row));
    return made.get(0, expression.dataType());
  }

  private static Object outcome(Callable<Object> work) {
    try {
      return work.call();
    } catch (Exception failure) {
      if (failure instanceof PatternSyntaxException || String.valueOf(failure.getMessage()).contains("_VALUE.PATTERN]")) {
        return "an invalid pattern"; // Spark's split has no words of its own for it
      }
      return failure.getClass().getName() + ": " + failure.getMessage();
    }
  }

  private static void expect(String what, Object expected, Object actual, Object... row) {
    compared++;
    boolean same = expected instanceof byte[] ? Objects.deepEquals(expected, actual) : text(expected).equals(text(actual));
    if (!same) {
      System.out.println(what + " of " + Arrays.deepToString(row) + ": " + text(expected) + " is not " + text(actual));
    }
  }

  private static String text(Object value) {
    if (value instanceof UnsafeArrayData numbers) {
      return Arrays.toString(numbers.toIntArray());
    }
    return value instanceof ArrayData array ? Arrays.deepToString(array.array()) : String.valueOf(value);
  }

  private static Object text() {
    return RANDOM.nextInt(12) == 0 ? null : some();
  }

  private static Object some() {
    StringBuilder text = new StringBuilder();
    for (int left = RANDOM.nextInt(7); left > 0; left--) {
      text.append(RANDOM.nextInt(3) > 0 ? LETTERS[RANDOM.nextInt(6)] : LETTERS[RANDOM.nextInt(LETTERS.length)]);
    }
    return UTF8String.fromString(text.toString());
  }

  /** A pattern in which nothing is escaped. */
  private static UTF8String likely() {
    return UTF8String.fromString(some().toString().replace("\\", ""));
  }

  private static Object binary() {
    return RANDOM.nextInt(12) == 0 ? null : ((UTF8String) some()).getBytes();
  }

  private static UTF8String of(String[] texts) {
    return UTF8String.fromString(texts[RANDOM.nextInt(texts.length)]);
  }

  private static Object array(int size, Supplier<Object> element) {
    Object[] elements = new Object[size];
    for (int each = 0; each < size; each++) {
      elements[each] = element.get();
    }
    return new GenericArrayData(elements);
  }

  /** Nanoseconds for each row of LIKE in generated code, Spark's and ours in turns. */
  private static void time() {
    Object[] rows = new Object[200_000];
    for (int each = 0; each < rows.length; each++) {
      rows[each] = UTF8String.fromString("customer " + each + " of the region " + each % 17 + ", special requests");
    }
    Literal pattern = Literal.create("%9%region 1_%requests", TEXT);
    Expression spark = new Like(new BoundReference(0, TEXT, true), pattern, '\\');
    Expression ours = Bounds.in(spark, List.of());
    for (int round = 0; round < 6; round++) {
      System.out.printf("spark %d ns, ours %d ns%n", nanoseconds(spark, rows), nanoseconds(ours, rows));
    }
  }

  private static long nanoseconds(Expression expression, Object[] rows) {
    var projection = GenerateMutableProjection.generate(Plans.seq(List.of(expression)), false);
    long start = System.nanoTime();
    for (Object each : rows) {
      projection.apply(new GenericInternalRow(new Object[] {each}));
    }
    return (System.nanoTime() - start) / rows.length;
  }
}
