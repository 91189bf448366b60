package sqe.spark.local;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.*;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StringType$;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.bounds.Bounded;
import sqe.spark.bounds.CheckedValue;
import sqe.spark.bounds.ValueCheck;

/**
 * Writes expressions in DuckDB's SQL: those of {@link #FORMS} only, each with the same value there for all values of its operands.
 *
 * <p>What Spark refuses to compute, DuckDB has to refuse, too: the statement is then run by Spark, which says why.
 */
final class Expressions {
  /** Writes one kind of expression. */
  private interface Form {
    String of(Expression expression, Expressions expressions);
  }

  private static final Map<Class<?>, Form> FORMS =
      Map.ofEntries(
          entry(AttributeReference.class, (e, r) -> column((Attribute) e)),
          entry(Alias.class, (e, r) -> r.render(((Alias) e).child())),
          entry(Literal.class, (e, r) -> Literals.of(((Literal) e).value(), e.dataType())),
          entry(Bounded.class, (e, r) -> r.render(Bounded.inner(e))),
          entry(CheckedValue.class, (e, r) -> r.checked((CheckedValue) e)),
          entry(Cast.class, (e, r) -> Casts.render((Cast) e, r)),
          entry(ScalarSubquery.class, (e, r) -> r.plans.scalar((ScalarSubquery) e)),
          entry(DynamicPruningSubquery.class, (e, r) -> "true"), // it leaves out what a join leaves out as well
          // Logic
          entry(And.class, (e, r) -> r.infix(e, "AND")),
          entry(Or.class, (e, r) -> r.infix(e, "OR")),
          entry(Not.class, (e, r) -> "(NOT " + r.child(e) + ")"),
          entry(IsNull.class, (e, r) -> "(" + r.child(e) + " IS NULL)"),
          entry(IsNotNull.class, (e, r) -> "(" + r.child(e) + " IS NOT NULL)"),
          entry(IsNaN.class, (e, r) -> "coalesce(isnan(" + r.child(e) + "), false)"),
          entry(EqualTo.class, (e, r) -> r.comparison(e, "=")),
          entry(EqualNullSafe.class, (e, r) -> r.comparison(e, "IS NOT DISTINCT FROM")),
          entry(LessThan.class, (e, r) -> r.comparison(e, "<")),
          entry(LessThanOrEqual.class, (e, r) -> r.comparison(e, "<=")),
          entry(GreaterThan.class, (e, r) -> r.comparison(e, ">")),
          entry(GreaterThanOrEqual.class, (e, r) -> r.comparison(e, ">=")),
          entry(In.class, (e, r) -> r.in((In) e)),
          entry(InSet.class, (e, r) -> r.inSet((InSet) e)),
          // Choice
          entry(CaseWhen.class, (e, r) -> r.caseWhen((CaseWhen) e)),
          entry(If.class, (e, r) -> r.ifElse((If) e)),
          entry(Coalesce.class, (e, r) -> r.call("coalesce", e)),
          entry(Greatest.class, (e, r) -> r.extreme("greatest", ">", e)),
          entry(Least.class, (e, r) -> r.extreme("least", "<", e)),
          entry(KnownNotNull.class, (e, r) -> r.child(e)),
          entry(KnownNullable.class, (e, r) -> r.child(e)),
          entry(KnownFloatingPointNormalized.class, (e, r) -> r.child(e)),
          entry(
              org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero.class,
              (e, r) -> normalized(r.child(e), e.dataType())),
          // Numbers
          entry(Add.class, (e, r) -> r.arithmetic((BinaryArithmetic) e, "+")),
          entry(Subtract.class, (e, r) -> r.arithmetic((BinaryArithmetic) e, "-")),
          entry(Multiply.class, (e, r) -> r.arithmetic((BinaryArithmetic) e, "*")),
          entry(Divide.class, (e, r) -> r.divide((Divide) e)),
          entry(IntegralDivide.class, (e, r) -> r.integralDivide((IntegralDivide) e)),
          entry(Remainder.class, (e, r) -> r.remainder((Remainder) e)),
          entry(UnaryMinus.class, (e, r) -> r.minus((UnaryMinus) e)),
          entry(Abs.class, (e, r) -> r.abs((Abs) e)),
          entry(Round.class, (e, r) -> Rounding.round((Round) e, r)),
          entry(Floor.class, (e, r) -> Rounding.floor((Floor) e, r)),
          entry(Ceil.class, (e, r) -> Rounding.ceil((Ceil) e, r)),
          entry(BitwiseAnd.class, (e, r) -> r.bits(e, "&")),
          entry(BitwiseOr.class, (e, r) -> r.bits(e, "|")),
          entry(ShiftRight.class, (e, r) -> r.shifted((ShiftRight) e)),
          // Dates
          entry(Year.class, (e, r) -> r.part("year", e)),
          entry(Quarter.class, (e, r) -> r.part("quarter", e)),
          entry(Month.class, (e, r) -> r.part("month", e)),
          entry(DayOfMonth.class, (e, r) -> r.part("day", e)),
          entry(DayOfYear.class, (e, r) -> r.part("dayofyear", e)),
          entry(WeekOfYear.class, (e, r) -> r.part("weekofyear", e)),
          entry(DayOfWeek.class, (e, r) -> "(" + r.part("dayofweek", e) + " + 1)"),
          entry(WeekDay.class, (e, r) -> "(" + r.part("isodow", e) + " - 1)"),
          entry(Hour.class, (e, r) -> r.part("hour", e)),
          entry(Minute.class, (e, r) -> r.part("minute", e)),
          entry(Second.class, (e, r) -> r.part("second", e)),
          entry(DateAdd.class, (e, r) -> r.days(e, "+")),
          entry(DateSub.class, (e, r) -> r.days(e, "-")),
          entry(DateDiff.class, (e, r) -> "CAST(" + r.infix(e, "-") + " AS INTEGER)"),
          entry(AddMonths.class, (e, r) -> r.addMonths((AddMonths) e)),
          entry(TruncDate.class, (e, r) -> r.truncDate((TruncDate) e)),
          entry(TruncTimestamp.class, (e, r) -> r.truncTimestamp((TruncTimestamp) e)),
          // Texts
          entry(Length.class, (e, r) -> "CAST(length(" + r.text(r.first(e)) + ") AS INTEGER)"),
          entry(Upper.class, (e, r) -> r.ascii("upper", e)),
          entry(Lower.class, (e, r) -> r.ascii("lower", e)),
          entry(Concat.class, (e, r) -> r.concat((Concat) e)),
          entry(Substring.class, (e, r) -> Texts.substring((Substring) e, r)),
          entry(StringTrim.class, (e, r) -> r.trim("trim", e)),
          entry(StringTrimLeft.class, (e, r) -> r.trim("ltrim", e)),
          entry(StringTrimRight.class, (e, r) -> r.trim("rtrim", e)),
          entry(StartsWith.class, (e, r) -> r.texts("starts_with", e)),
          entry(EndsWith.class, (e, r) -> r.texts("suffix", e)),
          entry(Contains.class, (e, r) -> r.texts("contains", e)),
          entry(Like.class, (e, r) -> Texts.like((Like) e, r)),
          entry(StringInstr.class, (e, r) -> Texts.instr((StringInstr) e, r)),
          entry(StringLocate.class, (e, r) -> Texts.locate((StringLocate) e, r)),
          entry(StringReplace.class, (e, r) -> Texts.replace((StringReplace) e, r)),
          entry(RegExpReplace.class, (e, r) -> r.regexpReplace((RegExpReplace) e)),
          // SQE's own
          entry(StaticInvoke.class, (e, r) -> TrinoForms.render((StaticInvoke) e, r)),
          // Rows, which only Spark's merged subqueries have here
          entry(CreateNamedStruct.class, (e, r) -> r.struct((CreateNamedStruct) e)),
          entry(GetStructField.class, (e, r) -> r.field((GetStructField) e)));

  private static final Map<String, String> DATE_UNITS =
      Map.ofEntries(
          entry("YEAR", "year"), entry("YYYY", "year"), entry("YY", "year"),
          entry("QUARTER", "quarter"),
          entry("MONTH", "month"), entry("MON", "month"), entry("MM", "month"),
          entry("WEEK", "week"));
  private static final Map<String, String> TIME_UNITS =
      Map.of("DAY", "day", "DD", "day", "HOUR", "hour", "MINUTE", "minute", "SECOND", "second");

  private static final int EXACT_DIGITS = 34; // Spark negates decimals with as many
  private static final int MOST_EXTREMES = 3; // each makes the text three times as long

  private final PlanRenderer plans;
  private final String zone;
  private Function<Expression, String> parts = none -> null;

  Expressions(PlanRenderer plans, String zone) {
    this.plans = plans;
    this.zone = zone;
  }

  static String column(Attribute attribute) {
    return "\"c" + attribute.exprId().id() + "\"";
  }

  String render(Expression expression) {
    String part = parts.apply(expression);
    if (part != null) {
      return part;
    }
    Form form = FORMS.get(expression.getClass());
    if (form == null) {
      throw new NotRendered("expression " + expression.getClass().getSimpleName());
    }
    return form.of(expression, this);
  }

  /** Renders with some parts written in another way: keys and functions among the results of groups. */
  String within(Function<Expression, String> written, Supplier<String> rendering) {
    Function<Expression, String> before = parts;
    parts = written;
    try {
      return rendering.get();
    } finally {
      parts = before;
    }
  }

  /** Renders without such parts: the arguments of a function are those of the rows below. */
  String plain(Supplier<String> rendering) {
    return within(none -> null, rendering);
  }

  /** Notes that the expression being rendered fails for some values. */
  void canFail() {
    plans.canFail();
  }

  /** Notes that the aggregate function being rendered fails for some values. */
  void canOverflow() {
    plans.canOverflow();
  }

  /** Spark takes -0.0 for 0.0 in keys. */
  static String normalized(String value, DataType type) {
    return Types.isFloating(type) ? "(" + value + " + CAST(0 AS " + Types.name(type) + "))" : value;
  }

  private Expression first(Expression expression) {
    return children(expression).get(0);
  }

  private String child(Expression expression) {
    return render(first(expression));
  }

  static List<Expression> children(Expression expression) {
    return CollectionConverters.asJava(expression.children());
  }

  private List<String> all(Iterable<Expression> expressions) {
    List<String> rendered = new ArrayList<>();
    expressions.forEach(each -> rendered.add(render(each)));
    return rendered;
  }

  private String call(String name, Expression expression) {
    Types.name(expression.dataType());
    return name + "(" + String.join(", ", all(children(expression))) + ")";
  }

  /** Leaves out checks of the time and the memory that an expression takes, because workers have bounds of their own. */
  private String checked(CheckedValue value) {
    ValueCheck check = value.check();
    DataType type = value.dataType();
    if (check instanceof ValueCheck.Brief && type != StringType$.MODULE$) {
      return render(value.child()); // its bound is for text
    }
    if (!(check instanceof ValueCheck.Step
        || check instanceof ValueCheck.Watched
        || check instanceof ValueCheck.Size
        || check instanceof ValueCheck.Operand)) {
      throw new NotRendered("check " + check.getClass().getSimpleName());
    }
    return render(value.child());
  }

  /** The largest or the smallest operand that is not NULL. Of -0.0 and 0.0, which are equal, Spark takes the first. */
  private String extreme(String name, String better, Expression expression) {
    if (!Types.isFloating(expression.dataType())) {
      return call(name, expression);
    }
    List<Expression> operands = children(expression);
    if (operands.size() > MOST_EXTREMES) {
      throw new NotRendered(name + " of many numbers");
    }
    String best = render(operands.get(0));
    for (Expression each : operands.subList(1, operands.size())) {
      String next = render(each);
      best = "CASE WHEN " + best + " IS NULL OR " + next + " " + better + " " + best + " THEN " + next + " ELSE " + best + " END";
    }
    return best;
  }

  private String infix(Expression expression, String operator) {
    List<Expression> operands = children(expression);
    return "(" + render(operands.get(0)) + " " + operator + " " + render(operands.get(1)) + ")";
  }

  private String comparison(Expression expression, String operator) {
    for (Expression operand : children(expression)) {
      comparable(operand.dataType());
    }
    return infix(expression, operator);
  }

  /** No rows, arrays or maps; and no bytes, of which DuckDB asks a file's Bloom filter in another form than it was made with. */
  private static void comparable(DataType type) {
    Types.name(type);
    if (type instanceof BinaryType) {
      throw new NotRendered("comparison of binary values");
    }
  }

  private String in(In in) {
    comparable(in.value().dataType());
    List<Expression> list = CollectionConverters.asJava(in.list());
    if (list.isEmpty()) {
      throw new NotRendered("empty IN");
    }
    return "(" + render(in.value()) + " IN (" + String.join(", ", all(list)) + "))";
  }

  private String inSet(InSet in) {
    DataType type = first(in).dataType();
    comparable(type);
    List<String> values = new ArrayList<>();
    for (Object value : CollectionConverters.asJava(in.hset())) {
      values.add(Literals.of(value, type));
    }
    if (values.isEmpty()) {
      throw new NotRendered("empty IN");
    }
    return "(" + child(in) + " IN (" + String.join(", ", values) + "))";
  }

  private String caseWhen(CaseWhen when) {
    StringBuilder text = new StringBuilder("CASE");
    for (Tuple2<Expression, Expression> branch : CollectionConverters.asJava(when.branches())) {
      text.append(" WHEN ").append(render(branch._1())).append(" THEN ").append(render(branch._2()));
    }
    if (when.elseValue().isDefined()) {
      text.append(" ELSE ").append(render(when.elseValue().get()));
    }
    return text.append(" END").toString();
  }

  private String ifElse(If choice) {
    return "CASE WHEN "
        + render(choice.predicate())
        + " THEN "
        + render(choice.trueValue())
        + " ELSE "
        + render(choice.falseValue())
        + " END";
  }

  // -- numbers

  private static void ansiOnly(Object mode) {
    if (!mode.equals(EvalMode.ANSI())) {
      throw new NotRendered("arithmetic that gives NULL instead of an error");
    }
  }

  private String arithmetic(BinaryArithmetic operation, String operator) {
    DataType type = operation.dataType();
    if (!Types.isFloating(type)) {
      ansiOnly(operation.evalMode());
      canFail();
    }
    String left = render(operation.left());
    String right = render(operation.right());
    if (type instanceof DecimalType made) {
      DecimalType of = (DecimalType) operation.left().dataType();
      DecimalType and = (DecimalType) operation.right().dataType();
      return operator.equals("*")
          ? Decimals.product(left, right, of, and, made)
          : Decimals.sum(operator, left, right, of, and, made);
    }
    if (!Types.isIntegral(type) && !Types.isFloating(type)) {
      throw new NotRendered("arithmetic of type " + type.typeName());
    }
    return "(" + left + " " + operator + " " + right + ")";
  }

  private String divide(Divide division) {
    ansiOnly(division.evalMode());
    canFail();
    String left = render(division.left());
    String right = render(division.right());
    if (division.dataType() instanceof DecimalType made) {
      return Decimals.quotient(
          left, right, (DecimalType) division.left().dataType(), (DecimalType) division.right().dataType(), made);
    }
    if (!(division.dataType() instanceof DoubleType)) {
      throw new NotRendered("division of type " + division.dataType().typeName());
    }
    return notZero(right, "(" + left + " / " + right + ")");
  }

  private String integralDivide(IntegralDivide division) {
    ansiOnly(division.evalMode());
    if (!Types.isIntegral(division.left().dataType())) {
      throw new NotRendered("div of type " + division.left().dataType().typeName());
    }
    canFail();
    String right = render(division.right());
    return notZero(right, "CAST((" + render(division.left()) + " // " + right + ") AS BIGINT)");
  }

  private String remainder(Remainder remainder) {
    ansiOnly(remainder.evalMode());
    if (!Types.isIntegral(remainder.dataType())) {
      throw new NotRendered("remainder of type " + remainder.dataType().typeName());
    }
    canFail();
    String right = render(remainder.right());
    return notZero(right, "(" + render(remainder.left()) + " % " + right + ")");
  }

  private static String notZero(String divisor, String division) {
    return "CASE WHEN " + divisor + " = 0 THEN error('division by zero') ELSE " + division + " END";
  }

  private String minus(UnaryMinus minus) {
    numeric(minus.dataType());
    if (minus.dataType() instanceof DecimalType decimal && decimal.precision() > EXACT_DIGITS) {
      throw new NotRendered("negation of a decimal that Spark rounds");
    }
    if (!minus.failOnError()) {
      throw new NotRendered("arithmetic that gives NULL instead of an error");
    }
    if (Types.isIntegral(minus.dataType())) {
      canFail();
    }
    return "(-" + child(minus) + ")";
  }

  private String abs(Abs abs) {
    numeric(abs.dataType());
    if (abs.dataType() instanceof DecimalType decimal && decimal.precision() > EXACT_DIGITS) {
      throw new NotRendered("abs of a decimal that Spark rounds");
    }
    if (!abs.failOnError()) {
      throw new NotRendered("arithmetic that gives NULL instead of an error");
    }
    if (Types.isIntegral(abs.dataType())) {
      canFail();
    }
    return "abs(" + child(abs) + ")";
  }

  private String bits(Expression expression, String operator) {
    if (!Types.isIntegral(expression.dataType())) {
      throw new NotRendered("bits of type " + expression.dataType().typeName());
    }
    return infix(expression, operator);
  }

  /** With the sign, by fewer bits than there are: by more, Java takes the rest of a division. */
  private String shifted(ShiftRight shift) {
    int by = constantInt(shift.right());
    if (by < 0 || by >= (shift.dataType() instanceof LongType ? Long.SIZE : Integer.SIZE)) {
      throw new NotRendered("shift by other numbers of bits");
    }
    return "(" + render(shift.left()) + " >> " + by + ")";
  }

  private static void numeric(DataType type) {
    if (!Types.isIntegral(type) && !Types.isFloating(type) && !(type instanceof DecimalType)) {
      throw new NotRendered("arithmetic of type " + type.typeName());
    }
  }

  // -- dates

  /** Fields of a date; of an instant only where the zone is UTC, whose rules both engines have. */
  private String part(String name, Expression expression) {
    instant(first(expression).dataType());
    return "CAST(" + name + "(" + child(expression) + ") AS INTEGER)";
  }

  /** Whether timestamps of the session are those of UTC, as they are in DuckDB. */
  boolean isUtc() {
    return zone.equals("UTC");
  }

  private void instant(DataType type) {
    if (type instanceof TimestampType && !zone.equals("UTC")) {
      throw new NotRendered("fields of timestamps in a time zone other than UTC");
    }
    Types.name(type);
  }

  private String days(Expression expression, String operator) {
    canFail();
    List<Expression> operands = children(expression);
    if (!(operands.get(0).dataType() instanceof DateType)) {
      throw new NotRendered("days of type " + operands.get(0).dataType().typeName());
    }
    return "(" + render(operands.get(0)) + " " + operator + " CAST(" + render(operands.get(1)) + " AS INTEGER))";
  }

  private String addMonths(AddMonths add) {
    canFail();
    List<Expression> operands = children(add);
    return "CAST((" + render(operands.get(0)) + " + to_months(CAST(" + render(operands.get(1)) + " AS INTEGER))) AS DATE)";
  }

  private String truncDate(TruncDate trunc) {
    String unit = DATE_UNITS.get(constantText(trunc.format()).toUpperCase(java.util.Locale.ROOT));
    if (unit == null) {
      throw new NotRendered("trunc to another unit");
    }
    return "CAST(date_trunc('" + unit + "', " + render(trunc.date()) + ") AS DATE)";
  }

  private String truncTimestamp(TruncTimestamp trunc) {
    instant(trunc.timestamp().dataType());
    String name = constantText(trunc.format()).toUpperCase(java.util.Locale.ROOT);
    String unit = DATE_UNITS.getOrDefault(name, TIME_UNITS.get(name));
    if (unit == null) {
      throw new NotRendered("date_trunc to another unit");
    }
    return "date_trunc('" + unit + "', " + render(trunc.timestamp()) + ")";
  }

  // -- texts

  static String constantText(Expression expression) {
    if (expression instanceof Literal literal && literal.value() instanceof UTF8String text) {
      return text.toString();
    }
    throw new NotRendered("text that is not constant");
  }

  private static int constantInt(Expression expression) {
    if (expression instanceof Literal literal && literal.value() instanceof Integer number) {
      return number;
    }
    throw new NotRendered("position that is not constant");
  }

  String text(Expression expression) {
    if (expression.dataType() != StringType$.MODULE$) {
      throw new NotRendered("text function of type " + expression.dataType().typeName());
    }
    return render(expression);
  }

  private String texts(String name, Expression expression) {
    List<Expression> operands = children(expression);
    return name + "(" + text(operands.get(0)) + ", " + text(operands.get(1)) + ")";
  }

  /** Both engines have the same letters in ASCII only. */
  private String ascii(String name, Expression expression) {
    return ascii(name, text(first(expression)));
  }

  String ascii(String name, String text) {
    canFail();
    return "CASE WHEN strlen(" + text + ") <> length(" + text + ") THEN error('letters beyond ASCII') ELSE "
        + name + "(" + text + ") END";
  }

  private String concat(Concat concat) {
    List<String> parts = new ArrayList<>();
    for (Expression each : children(concat)) {
      parts.add(text(each));
    }
    return parts.isEmpty() ? "''" : "(" + String.join(" || ", parts) + ")";
  }

  private String regexpReplace(RegExpReplace replace) {
    if (!(replace.pos() instanceof Literal from) || !Integer.valueOf(1).equals(from.value())) {
      throw new NotRendered("regexp_replace from a position");
    }
    return Patterns.replaced(text(replace.subject()), constantText(replace.regexp()), constantText(replace.rep()), this);
  }

  private String trim(String name, Expression expression) {
    List<Expression> operands = children(expression);
    if (operands.size() != 1) {
      throw new NotRendered("trim of given characters");
    }
    return name + "(" + text(operands.get(0)) + ", ' ')";
  }

  // -- rows

  private String struct(CreateNamedStruct struct) {
    List<Expression> values = CollectionConverters.asJava(struct.valExprs());
    List<String> fields = new ArrayList<>();
    for (int each = 0; each < values.size(); each++) {
      fields.add("f" + each + " := " + render(values.get(each)));
    }
    return "struct_pack(" + String.join(", ", fields) + ")";
  }

  private String field(GetStructField get) {
    if (!(get.child() instanceof ScalarSubquery)) {
      throw new NotRendered("field of a row");
    }
    return "struct_extract(" + render(get.child()) + ", 'f" + get.ordinal() + "')";
  }

  List<String> renderAll(Seq<? extends Expression> expressions) {
    List<String> rendered = new ArrayList<>();
    for (Expression each : CollectionConverters.asJava(expressions)) {
      rendered.add(render(each));
    }
    return rendered;
  }
}
