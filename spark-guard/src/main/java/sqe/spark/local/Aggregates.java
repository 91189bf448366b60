package sqe.spark.local;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.BoolAnd;
import org.apache.spark.sql.catalyst.expressions.aggregate.BoolOr;
import org.apache.spark.sql.catalyst.expressions.aggregate.CentralMomentAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.expressions.aggregate.Corr;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.MaxBy;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevPop;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevSamp;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.LongType;
import sqe.spark.trino.TypedAggregate;

/** Writes aggregate functions, over groups or over windows. */
final class Aggregates {
  private final Expressions expressions;
  private final Map<String, String> named = new LinkedHashMap<>();

  Aggregates(Expressions expressions) {
    this.expressions = expressions;
  }

  /** One function as it is called: its arguments' prefix, and what follows the arguments. */
  private record Call(boolean distinct, String filter, String over, Map<String, String> named) {
    String of(String name, String argument) {
      String call = name + "(" + (distinct ? "DISTINCT " : "") + argument + ")" + filter + over;
      return over.isEmpty() ? call : named.computeIfAbsent(call, none -> "\"w" + named.size() + "\"");
    }
  }

  /**
   * The functions over windows since the last call of this, by the names that stand for them: DuckDB computes one again each time that
   * it is written.
   */
  Map<String, String> takeNamed() {
    Map<String, String> taken = new LinkedHashMap<>(named);
    named.clear();
    return taken;
  }

  /** @param over the window in DuckDB's SQL; empty for a group */
  String render(AggregateExpression aggregate, String over) {
    if (aggregate.mode() != Complete$.MODULE$) {
      throw new NotRendered("partial aggregate");
    }
    AggregateFunction function = aggregate.aggregateFunction();
    String filter =
        aggregate.filter().isDefined() ? " FILTER (WHERE " + expressions.render(aggregate.filter().get()) + ")" : "";
    Call call = new Call(aggregate.isDistinct(), filter, over, named);
    if (function instanceof Count count) {
      return count(count, call);
    }
    if (function instanceof Sum sum) {
      return sum(sum.child(), sum.dataType(), sum.evalContext().evalMode(), call);
    }
    if (function instanceof Average average) {
      return average(average, call);
    }
    if (function instanceof First first && isOfRewrittenDistinct(first, aggregate)) {
      return call.of("any_value", expressions.render(first.child()));
    }
    if (function instanceof TypedAggregate typed) {
      return typed(typed, call);
    }
    if (function instanceof MaxBy most) {
      return greatestNumber(most, call);
    }
    if (function instanceof Corr corr) {
      return correlation(corr, call);
    }
    String name = name(function);
    Types.name(function.dataType());
    String value = expressions.render(Expressions.children(function).get(0));
    if (function instanceof CentralMomentAgg) {
      // DuckDB fails where the result is no number, and has 0 for one infinite value.
      expressions.canOverflow();
      return "(" + call.of(name, value) + " + " + call.of("sum", value + " * CAST(0 AS DOUBLE)") + ")";
    }
    return call.of(name, value);
  }

  private static String name(AggregateFunction function) {
    if (function instanceof Min) {
      return "min";
    }
    if (function instanceof Max) {
      return "max";
    }
    if (function instanceof BoolAnd) {
      return "bool_and";
    }
    if (function instanceof BoolOr) {
      return "bool_or";
    }
    if (function instanceof StddevSamp) {
      return "stddev_samp";
    }
    if (function instanceof StddevPop) {
      return "stddev_pop";
    }
    if (function instanceof VarianceSamp) {
      return "var_samp";
    }
    if (function instanceof VariancePop) {
      return "var_pop";
    }
    throw new NotRendered("aggregate " + function.getClass().getSimpleName());
  }

  private String count(Count count, Call call) {
    List<Expression> children = Expressions.children(count);
    if (children.size() == 1) {
      Expression only = children.get(0);
      if (only instanceof Literal literal && literal.value() != null && !call.distinct()) {
        return call.of("count", "*");
      }
      return call.of("count", Expressions.normalized(expressions.render(only), only.dataType()));
    }
    // A row counts where no column is NULL.
    List<String> columns = new ArrayList<>();
    List<String> present = new ArrayList<>();
    for (Expression child : children) {
      String column = Expressions.normalized(expressions.render(child), child.dataType());
      columns.add(column);
      present.add(column + " IS NOT NULL");
    }
    return call.of(
        "count",
        "CASE WHEN " + String.join(" AND ", present) + " THEN row(" + String.join(", ", columns) + ") END");
  }

  private String sum(Expression child, DataType type, Object mode, Call call) {
    if (Types.isFloating(type)) {
      return call.of("sum", "CAST(" + expressions.render(child) + " AS DOUBLE)");
    }
    if (!mode.equals(EvalMode.ANSI()) || !(Types.isIntegral(type) || type instanceof DecimalType)) {
      throw new NotRendered("sum of type " + type.typeName());
    }
    expressions.canOverflow();
    return "CAST(" + call.of("sum", expressions.render(narrow(child))) + " AS " + Types.name(type) + ")";
  }

  /** A decimal before it got more digits, which DuckDB's sum has anyway, and adds up more quickly without. */
  private static Expression narrow(Expression child) {
    return child instanceof Cast cast
            && cast.dataType() instanceof DecimalType wide
            && cast.child().dataType() instanceof DecimalType of
            && wide.scale() == of.scale()
            && wide.precision() >= of.precision()
        ? cast.child()
        : child;
  }

  private String average(Average average, Call call) {
    DataType of = average.child().dataType();
    if (average.dataType() instanceof DecimalType made && of instanceof DecimalType decimal) {
      if (!average.evalMode().equals(EvalMode.ANSI())) {
        throw new NotRendered("avg of type " + of.typeName());
      }
      expressions.canOverflow();
      String value = expressions.render(average.child());
      return Decimals.average(call.of("sum", value), decimal.scale(), call.of("count", value), made);
    }
    if (!Types.isFloating(of) && !Types.isIntegral(of)) {
      throw new NotRendered("avg of type " + of.typeName());
    }
    String value = expressions.render(average.child());
    // Spark's sum is a double, which has not all digits of a bigint.
    return call.of("avg", Types.isFloating(of) || of instanceof LongType ? "CAST(" + value + " AS DOUBLE)" : value);
  }

  /** Trino's averages and sums, which have the type of their argument. */
  private String typed(TypedAggregate typed, Call call) {
    String type = Types.name(typed.dataType());
    expressions.canFail();
    if (typed.productElement(0) instanceof Average average) {
      return "CAST(" + average(average, call) + " AS " + type + ")";
    }
    if (typed.productElement(0) instanceof Sum sum && Types.isFloating(typed.dataType())) {
      return "CAST(" + sum(sum.child(), sum.dataType(), sum.evalContext().evalMode(), call) + " AS " + type + ")";
    }
    throw new NotRendered("aggregate " + typed.prettyName());
  }

  /** Trino's max of floating-point numbers, to which NaN is the least: Spark orders them by a row of two. */
  private String greatestNumber(MaxBy most, Call call) {
    Expression value = most.valueExpr();
    if (!Types.isFloating(value.dataType()) || !isNumberFirst(most.orderingExpr(), value) || !call.filter().isEmpty()) {
      throw new NotRendered("aggregate max_by");
    }
    String number = expressions.render(value);
    return "coalesce(" + call.of("max", "CASE WHEN NOT isnan(" + number + ") THEN " + number + " END") + ", "
        + call.of("max", number) + ")";
  }

  /** Whether an order is that of {@code sqe.spark.trino.Aggregates}: numbers after NaN. */
  private static boolean isNumberFirst(Expression order, Expression value) {
    Expression row = order instanceof If choice && choice.predicate() instanceof IsNull ? choice.falseValue() : order;
    if (!(row instanceof CreateNamedStruct struct) || Expressions.children(struct).size() != 4) {
      return false;
    }
    List<Expression> parts = Expressions.children(struct);
    return parts.get(1) instanceof Not not
        && not.child() instanceof IsNaN nan
        && nan.child().semanticEquals(value)
        && parts.get(3).semanticEquals(value);
  }

  /** Groups of one row, or of rows with the same number, are left to Spark. */
  private String correlation(Corr corr, Call call) {
    if (call.distinct() || !call.filter().isEmpty() || !call.over().isEmpty()) {
      throw new NotRendered("aggregate corr with more");
    }
    expressions.canFail();
    List<Expression> children = Expressions.children(corr);
    String one = expressions.render(children.get(0));
    String other = expressions.render(children.get(1));
    String both = one + " IS NOT NULL AND " + other + " IS NOT NULL";
    String least = "least(count(DISTINCT " + one + ") FILTER (WHERE " + both + "), count(DISTINCT " + other + ") FILTER (WHERE " + both + "))";
    return "CASE WHEN " + least + " = 0 THEN CAST(NULL AS DOUBLE) WHEN " + least + " = 1 THEN error('corr of one value') ELSE corr("
        + one + ", " + other + ") END";
  }

  /** Spark computes several DISTINCTs side by side: of each group, one row has the value of a function without DISTINCT. */
  private static boolean isOfRewrittenDistinct(First first, AggregateExpression aggregate) {
    return first.ignoreNulls()
        && aggregate.filter().isDefined()
        && aggregate.filter().get().exists(part -> part instanceof Attribute column && column.name().equals("gid"));
  }

  /**
   * Spark's optimizer computes sums of short decimals as integers, and averages as doubles; here they are decimals again.
   *
   * @return the expression in DuckDB's SQL; null if it is not one of these
   */
  String ofDecimals(Expression expression, Windows windows) {
    if (expression instanceof MakeDecimal made
        && aggregated(made.child()) instanceof AggregateExpression aggregate
        && aggregate.aggregateFunction() instanceof Sum sum
        && sum.child() instanceof UnscaledValue unscaled) {
      expressions.canOverflow();
      DataType type = new DecimalType(made.precision(), made.scale());
      Call call = call(made.child(), aggregate, windows);
      return "CAST(" + call.of("sum", expressions.render(unscaled.child())) + " AS " + Types.name(type) + ")";
    }
    if (expression instanceof Cast cast
        && cast.dataType() instanceof DecimalType made
        && cast.child() instanceof Divide divide
        && divide.right() instanceof Literal
        && aggregated(divide.left()) instanceof AggregateExpression aggregate
        && aggregate.aggregateFunction() instanceof Average average
        && average.child() instanceof UnscaledValue unscaled
        && unscaled.child().dataType() instanceof DecimalType of) {
      expressions.canOverflow();
      Call call = call(divide.left(), aggregate, windows);
      String value = expressions.render(unscaled.child());
      return Decimals.average(call.of("sum", value), of.scale(), call.of("count", value), made);
    }
    return null;
  }

  private static Expression aggregated(Expression expression) {
    return expression instanceof WindowExpression window ? window.windowFunction() : expression;
  }

  private Call call(Expression expression, AggregateExpression aggregate, Windows windows) {
    if (aggregate.mode() != Complete$.MODULE$) {
      throw new NotRendered("partial aggregate");
    }
    String filter =
        aggregate.filter().isDefined() ? " FILTER (WHERE " + expressions.render(aggregate.filter().get()) + ")" : "";
    String over = expression instanceof WindowExpression window ? windows.over(window.windowSpec()) : "";
    return new Call(aggregate.isDistinct(), filter, over, named);
  }
}
