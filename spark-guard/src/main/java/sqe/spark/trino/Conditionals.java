package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;
import static sqe.spark.trino.Expressions.nothing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.AtLeastNNonNulls;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/** {@code COALESCE}, {@code IF}, {@code CASE} and others that choose one of their arguments, which have one type. */
final class Conditionals {
  private Conditionals() {}

  static void register(Map<String, Builder> functions) {
    functions.put("coalesce", Conditionals::coalesce);
    functions.put("if", Conditionals::either);
    functions.put("case", Conditionals::cases);
    functions.put("nullif", Conditionals::nullIf);
    functions.put("greatest", arguments -> extreme("greatest", arguments));
    functions.put("least", arguments -> extreme("least", arguments));
    functions.put("typeof", Conditionals::typeOf);
  }

  private static Expression coalesce(List<Expression> arguments) {
    if (arguments.size() < 2) {
      throw TrinoFailure.argument("The 'coalesce' function must have at least two arguments");
    }
    Unified all = Unified.of(arguments, "All COALESCE operands");
    return all.named(new Coalesce(Plans.seq(all.values())));
  }

  private static Expression condition(Expression value) {
    if (!(value.dataType() instanceof BooleanType || value.dataType() instanceof NullType)) {
      throw TrinoFailure.types("A condition must evaluate to a boolean (actual: " + TrinoTypes.text(value) + ")");
    }
    return cast(Typed.plain(value), DataTypes.BooleanType);
  }

  private static Expression either(List<Expression> arguments) {
    if (arguments.size() != 2 && arguments.size() != 3) {
      throw TrinoFailure.argument("Invalid number of arguments for 'if' function");
    }
    Unified both = Unified.of(arguments.subList(1, arguments.size()), "Result types for IF");
    Expression otherwise = arguments.size() == 3 ? both.values().get(1) : nothing(both.type());
    return both.named(new If(condition(arguments.get(0)), both.values().get(0), otherwise));
  }

  /** Conditions and values in turn, and the value of ELSE last, if there is one. */
  private static Expression cases(List<Expression> arguments) {
    List<Expression> results = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      if (i % 2 == 1 || i == arguments.size() - 1) {
        results.add(arguments.get(i));
      }
    }
    Unified all = Unified.of(results, "All CASE results");
    boolean otherwise = arguments.size() % 2 == 1;
    Expression made = otherwise ? all.values().get(results.size() - 1) : nothing(all.type());
    List<Expression> parts = new ArrayList<>();
    for (int i = 0; i + 1 < arguments.size(); i += 2) {
      parts.add(condition(arguments.get(i)));
      parts.add(all.values().get(i / 2));
    }
    parts.add(made);
    return all.named(call("when", parts.toArray(new Expression[0])));
  }

  private static Expression nullIf(List<Expression> arguments) {
    if (arguments.size() != 2) {
      throw TrinoFailure.argument("Invalid number of arguments for 'nullif' function");
    }
    Expression value = arguments.get(0);
    Expression equal = Comparison.compare("=", value, arguments.get(1));
    Expression made = new If(equal, nothing(value.dataType()), Typed.plain(value));
    return Typed.of(value) == null ? made : Typed.as(made, Typed.of(value));
  }

  /** NULL when one argument is; NaN only when all of them are. */
  private static Expression extreme(String name, List<Expression> arguments) {
    if (arguments.isEmpty()) {
      throw Texts.unexpected(name, arguments);
    }
    Unified all = Unified.of(arguments, "The arguments of " + name);
    List<Expression> values = all.values();
    if (values.size() == 1) {
      return all.named(values.get(0));
    }
    boolean row = TrinoTypes.isNested(all.type()) && Wide.of(all.type()) == null;
    if (all.type() instanceof MapType || "json".equals(all.typed())) {
      throw Texts.unexpected(name, arguments);
    }
    if (row) {
      return all.named(extremeRow(name, values, all.type()));
    }
    if ("ipaddress".equals(all.typed())) {
      Expression[] bytes = values.stream().map(Addresses::toBytes).toArray(Expression[]::new);
      Expression made = Addresses.ofBytes(call(name, bytes));
      return all.named(new If(new AtLeastNNonNulls(values.size(), Plans.seq(values)), made, nothing(all.type())));
    }
    if (TrinoTypes.isFloating(all.type())) {
      Expression made = values.get(0);
      for (Expression each : values.subList(1, values.size())) {
        made = invoke(MathFunctions.class, name, all.type(), made, each);
      }
      return made;
    }
    Expression made = call(name, values.toArray(new Expression[0]));
    return all.named(new If(new AtLeastNNonNulls(values.size(), Plans.seq(values)), made, nothing(all.type())));
  }

  private static Expression extremeRow(String name, List<Expression> values, DataType type) {
    Expression made = values.get(0);
    String method = name + (type instanceof ArrayType ? "Array" : "Row");
    for (Expression each : values.subList(1, values.size())) {
      made = invoke(Comparison.class, method, type, made, each, literal(type.json()));
    }
    return made;
  }

  private static Expression typeOf(List<Expression> arguments) {
    if (arguments.size() != 1) {
      throw Texts.unexpected("typeof", arguments);
    }
    Expression text = literal(typeText(arguments.get(0)));
    Expression value = Typed.plain(arguments.get(0));
    // Without its aggregate a query would have a row for each row of its tables.
    return aggregates(value) ? new If(new IsNull(value), text, text) : text;
  }

  private static boolean aggregates(Expression value) {
    return value instanceof AggregateExpression
        || CollectionConverters.asJava(value.children()).stream().anyMatch(Conditionals::aggregates);
  }

  private static String typeText(Expression value) {
    Integer bound = value.dataType() instanceof StringType && Texts.isText(value) ? Texts.boundOf(value) : null;
    // Fields without names have Spark's.
    return bound == null ? TrinoTypes.text(value).replaceAll("\\b(col[1-9]\\d*|field\\d+) ", "") : "varchar(" + bound + ")";
  }
}
