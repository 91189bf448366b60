package sqe.spark.local;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.unsafe.types.UTF8String;

/** Writes Trino's functions, which are Java methods of {@code sqe.spark.trino} in Spark's plan. */
final class TrinoForms {
  private static final String PACKAGE = "sqe.spark.trino.";
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int LONG_DIGITS = 18; // of a decimal that is a BIGINT times a power of ten
  private static final int EXACT_POWER = 22; // powers of ten up to this one are doubles

  private interface Form {
    String of(StaticInvoke call, List<Expression> arguments, Expressions expressions);
  }

  private static final Map<String, Form> FORMS =
      Map.ofEntries(
          entry("Arithmetic.addDecimals", (c, a, r) -> sum("+", c, a, r)),
          entry("Arithmetic.subtractDecimals", (c, a, r) -> sum("-", c, a, r)),
          entry("Arithmetic.multiplyDecimals", TrinoForms::product),
          entry("Arithmetic.divideDecimals", TrinoForms::quotient),
          entry("Arithmetic.divide", (c, a, r) -> "(" + r.render(a.get(0)) + " / " + r.render(a.get(1)) + ")"),
          entry("Arithmetic.addDays", (c, a, r) -> days("+", a, r)),
          entry("Arithmetic.subtractDays", (c, a, r) -> days("-", a, r)),
          entry("DecimalSigns.absolute", (c, a, r) -> "abs(" + r.render(a.get(0)) + ")"),
          entry("DecimalSigns.negated", (c, a, r) -> "(-" + r.render(a.get(0)) + ")"),
          entry("Comparison.equal", (c, a, r) -> comparison("=", 0, a, r)),
          entry("Comparison.less", (c, a, r) -> comparison("<", 1, a, r)),
          entry("Comparison.lessOrEqual", (c, a, r) -> comparison("<=", 1, a, r)),
          entry("Comparison.greater", (c, a, r) -> comparison(">", 0, a, r)),
          entry("Comparison.greaterOrEqual", (c, a, r) -> comparison(">=", 0, a, r)),
          entry("CastMethods.decimalToDouble", TrinoForms::decimalToDouble),
          entry("CastMethods.toLong", TrinoForms::toLong),
          entry("CastMethods.toInteger", (c, a, r) -> fromText("[+-]?[0-9]{1,18}", c, a, r)),
          entry("CastMethods.toBigint", (c, a, r) -> fromText("[+-]?[0-9]{1,18}", c, a, r)),
          entry("CastMethods.toDate", (c, a, r) -> fromText("[0-9]{4}-[0-9]{2}-[0-9]{2}", c, a, r)),
          entry("MathFunctions.round", TrinoForms::round),
          entry("MathFunctions.floor", (c, a, r) -> "floor(" + r.render(a.get(0)) + ")"),
          entry("MathFunctions.ceiling", (c, a, r) -> "ceil(" + r.render(a.get(0)) + ")"),
          entry("DateTimeMethods.dateField", (c, a, r) -> field(a, false, r)),
          entry("DateTimeMethods.timestampField", (c, a, r) -> field(a, true, r)),
          entry("DateTimeMethods.truncateDate", (c, a, r) -> truncated(false, c, a, r)),
          entry("DateTimeMethods.truncateTimestamp", (c, a, r) -> truncated(true, c, a, r)),
          entry("StringFunctions.lower", (c, a, r) -> ascii("lower", a, r)),
          entry("StringFunctions.upper", (c, a, r) -> ascii("upper", a, r)),
          entry("StringFunctions.substring", (c, a, r) -> substring(a, r)),
          entry("StringFunctions.replace", (c, a, r) -> replacedText(a, r)),
          entry("StringFunctions.strpos", (c, a, r) -> position(a, r)),
          entry("RegexFunctions.replace", (c, a, r) -> replaced(a, r)));

  /** Fields of dates: the name of DuckDB's function. */
  private static final Map<String, String> FIELDS =
      Map.of(
          "year", "year", "quarter", "quarter", "month", "month", "week", "weekofyear", "day", "day", "day_of_week", "isodow",
          "day_of_year", "dayofyear", "year_of_week", "isoyear");

  private static final Map<String, String> TIME_FIELDS = Map.of("hour", "hour", "minute", "minute", "second", "second");

  private TrinoForms() {}

  static String render(StaticInvoke call, Expressions expressions) {
    String owner = call.staticObject().getName();
    Form form = owner.startsWith(PACKAGE) ? FORMS.get(owner.substring(PACKAGE.length()) + "." + call.functionName()) : null;
    if (form == null || !call.propagateNull()) {
      throw new NotRendered("function " + owner.substring(owner.lastIndexOf('.') + 1) + "." + call.functionName());
    }
    Types.name(call.dataType());
    return form.of(call, Expressions.children(call), expressions);
  }

  // -- decimals

  private static DecimalType decimal(Expression expression) {
    return (DecimalType) expression.dataType();
  }

  private static String sum(String operator, StaticInvoke call, List<Expression> arguments, Expressions expressions) {
    expressions.canFail();
    String left = expressions.render(arguments.get(0));
    String right = expressions.render(arguments.get(1));
    DecimalType made = decimal(call);
    return Decimals.sum(operator, left, right, decimal(arguments.get(0)), decimal(arguments.get(1)), made);
  }

  private static String product(StaticInvoke call, List<Expression> arguments, Expressions expressions) {
    expressions.canFail();
    String left = expressions.render(arguments.get(0));
    String right = expressions.render(arguments.get(1));
    DecimalType made = decimal(call);
    return Decimals.product(left, right, decimal(arguments.get(0)), decimal(arguments.get(1)), made);
  }

  private static String quotient(StaticInvoke call, List<Expression> arguments, Expressions expressions) {
    expressions.canFail();
    String left = expressions.render(arguments.get(0));
    String right = expressions.render(arguments.get(1));
    return Decimals.quotient(left, right, decimal(arguments.get(0)), decimal(arguments.get(1)), decimal(call));
  }

  /** Trino divides short decimals as doubles, and reads the digits of long ones. */
  private static String decimalToDouble(StaticInvoke call, List<Expression> arguments, Expressions expressions) {
    DecimalType of = decimal(arguments.get(0));
    String value = expressions.render(arguments.get(0));
    if (of.precision() > LONG_DIGITS) {
      return Casts.toDouble(value, of);
    }
    if (of.scale() == 0 || of.precision() <= Casts.EXACT_DIGITS) {
      return "CAST(" + value + " AS DOUBLE)";
    }
    String units = "CAST(" + Decimals.unscaled(value, of.scale()) + " AS BIGINT)";
    return "(CAST(" + units + " AS DOUBLE) / CAST('1e" + of.scale() + "' AS DOUBLE))";
  }

  // -- other numbers

  /** To Trino NaN equals nothing, and is neither less nor greater; to DuckDB it is the greatest. */
  private static String comparison(String operator, int greater, List<Expression> arguments, Expressions expressions) {
    List<String> sides = List.of(expressions.render(arguments.get(0)), expressions.render(arguments.get(1)));
    String nan = sides.get(greater);
    return "CASE WHEN isnan(" + nan + ") AND " + sides.get(1 - greater) + " IS NOT NULL THEN false ELSE "
        + sides.get(0) + " " + operator + " " + sides.get(1) + " END";
  }

  /** The nearest integer, away from zero when two are as near. */
  private static String toLong(StaticInvoke call, List<Expression> arguments, Expressions expressions) {
    if (!(arguments.get(1) instanceof Literal literal) || !(literal.value() instanceof Long most)) {
      throw new NotRendered("cast of double");
    }
    expressions.canFail();
    String value = expressions.render(arguments.get(0));
    String limit = most == Long.MAX_VALUE ? "CAST('9.2e18' AS DOUBLE)" : "CAST('" + most + "' AS DOUBLE)";
    return "CASE WHEN abs(" + value + ") > " + limit + " THEN error('out of range') ELSE CAST(round(" + value
        + ") AS BIGINT) END";
  }

  /** Text of one form only; all others are left to Spark. */
  private static String fromText(String form, StaticInvoke call, List<Expression> arguments, Expressions expressions) {
    expressions.canFail();
    String text = expressions.render(arguments.get(0));
    return "CASE WHEN NOT regexp_full_match(" + text + ", '" + form + "') THEN error('text') ELSE CAST(" + text + " AS "
        + Types.name(call.dataType()) + ") END";
  }

  private static String round(StaticInvoke call, List<Expression> arguments, Expressions expressions) {
    if (!(arguments.get(1) instanceof Literal literal) || !(literal.value() instanceof Integer places) || places < 0) {
      throw new NotRendered("round to other places");
    }
    Expression child = arguments.get(0);
    String value = expressions.render(child);
    if (child.dataType() instanceof DecimalType of && call.dataType() instanceof DecimalType made) {
      return rounded(constant(arguments.get(2)), value, of, Math.min(places, of.scale()), made, expressions);
    }
    if (child.dataType() instanceof DoubleType && places <= EXACT_POWER) {
      expressions.canFail();
      String factor = "CAST('1e" + places + "' AS DOUBLE)";
      String scaled = "(abs(" + value + ") * " + factor + ")";
      String sign = "CASE WHEN " + value + " < 0 THEN CAST(-1 AS DOUBLE) ELSE CAST(1 AS DOUBLE) END";
      return "CASE WHEN isnan(" + value + ") OR isinf(" + value + ") THEN " + value + " WHEN " + scaled
          + " >= CAST('9e18' AS DOUBLE) THEN error('out of range') ELSE " + sign + " * (round(" + scaled + ") / " + factor + ") END";
    }
    throw new NotRendered("round of type " + child.dataType().typeName());
  }

  /** A decimal without the digits after so many, in a type that may have more of them again. */
  private static String rounded(
      String mode, String value, DecimalType of, int places, DecimalType made, Expressions expressions) {
    DecimalType less = new DecimalType(Decimals.MOST_DIGITS, places);
    expressions.canFail();
    String rounded =
        switch (mode) {
          case "HALF_UP" -> "CAST(" + value + " AS " + Types.name(less) + ")";
          case "FLOOR" -> "floor(" + value + ")";
          case "CEILING" -> "ceil(" + value + ")";
          default -> throw new NotRendered("rounding " + mode);
        };
    if (!mode.equals("HALF_UP") && places != 0) {
      throw new NotRendered("rounding " + mode);
    }
    return "CAST(" + rounded + " AS " + Types.name(made) + ")";
  }

  // -- dates

  private static String constant(Expression expression) {
    if (expression instanceof Literal literal && literal.value() instanceof UTF8String text) {
      return text.toString();
    }
    throw new NotRendered("text that is not constant");
  }

  private static String days(String operator, List<Expression> arguments, Expressions expressions) {
    if (!(arguments.get(1) instanceof Literal literal)
        || !(literal.value() instanceof Long micros)
        || micros % MICROS_PER_DAY != 0) {
      throw new NotRendered("interval that is not constant");
    }
    expressions.canFail();
    return "(" + expressions.render(arguments.get(0)) + " " + operator + " CAST('" + micros / MICROS_PER_DAY + "' AS INTEGER))";
  }

  private static String field(List<Expression> arguments, boolean time, Expressions expressions) {
    String field = constant(arguments.get(0));
    String name = FIELDS.getOrDefault(field, time ? TIME_FIELDS.get(field) : null);
    if (name == null) {
      throw new NotRendered("field " + field);
    }
    return "CAST(" + name + "(" + local(arguments.get(1), expressions) + ") AS BIGINT)";
  }

  /** A date, or a timestamp without a zone: fields of an instant would depend on one. */
  private static String local(Expression moment, Expressions expressions) {
    if (moment.dataType() instanceof org.apache.spark.sql.types.TimestampType) {
      throw new NotRendered("fields of timestamps with a zone");
    }
    return expressions.render(moment);
  }

  private static String truncated(boolean time, StaticInvoke call, List<Expression> arguments, Expressions expressions) {
    String unit = constant(arguments.get(0)).toLowerCase(java.util.Locale.ROOT);
    boolean known =
        switch (unit) {
          case "day", "week", "month", "quarter", "year" -> true;
          case "hour", "minute", "second" -> time;
          default -> false;
        };
    if (!known) {
      throw new NotRendered("date_trunc to another unit");
    }
    return "CAST(date_trunc('" + unit + "', " + local(arguments.get(1), expressions) + ") AS " + Types.name(call.dataType()) + ")";
  }

  // -- texts

  private static String ascii(String name, List<Expression> arguments, Expressions expressions) {
    return expressions.ascii(name, expressions.render(arguments.get(0)));
  }

  /** A position of 0, or one before the beginning, gives no text. */
  private static String substring(List<Expression> arguments, Expressions expressions) {
    if (!(arguments.get(1) instanceof Literal first)
        || !(first.value() instanceof Long start)
        || !(arguments.get(2) instanceof Literal last)
        || !(last.value() instanceof Long length)) {
      throw new NotRendered("position that is not constant");
    }
    String text = expressions.render(arguments.get(0));
    if (Math.abs(start) > Integer.MAX_VALUE) {
      throw new NotRendered("position beyond a text");
    }
    if (start == 0 || length <= 0) {
      return "CASE WHEN " + text + " IS NOT NULL THEN '' END";
    }
    String most = length >= Integer.MAX_VALUE ? "" : ", " + length;
    if (start > 0) {
      return "substring(" + text + ", " + start + most + ")";
    }
    return "CASE WHEN length(" + text + ") < " + -start + " THEN '' ELSE substring(" + text + ", length(" + text + ") - "
        + (-start - 1) + most + ") END";
  }

  /** Trino puts the replacement between all characters where it is to replace no text at all. */
  private static String replacedText(List<Expression> arguments, Expressions expressions) {
    if (constant(arguments.get(1)).isEmpty()) {
      throw new NotRendered("replace of no text");
    }
    String replacement = arguments.size() == 2 ? "''" : expressions.render(arguments.get(2));
    return "replace(" + expressions.render(arguments.get(0)) + ", " + expressions.render(arguments.get(1)) + ", " + replacement + ")";
  }

  private static String position(List<Expression> arguments, Expressions expressions) {
    if (arguments.size() != 2) {
      throw new NotRendered("strpos of an instance");
    }
    return "instr(" + expressions.render(arguments.get(0)) + ", " + expressions.render(arguments.get(1)) + ")";
  }

  private static String replaced(List<Expression> arguments, Expressions expressions) {
    if (arguments.size() != 3) {
      throw new NotRendered("regexp_replace without a replacement");
    }
    return Patterns.replaced(
        expressions.render(arguments.get(0)), constant(arguments.get(1)), constant(arguments.get(2)), expressions);
  }
}
