package sqe.spark.bounds;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Substring;
import org.apache.spark.sql.types.DataTypes;
import scala.Function1;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import sqe.spark.Plans;

/** Stands in the registry in the place of functions whose expressions, arguments or results have bounds. */
final class BoundedFunctions {
  /** The checks of arguments, by the number of the argument. */
  private static final Map<String, Map<Integer, ValueCheck>> ARGUMENTS = new HashMap<>();

  /** Functions of tables. */
  private static final Map<String, Map<Integer, ValueCheck>> TABLE_ARGUMENTS = new HashMap<>();

  /** Digits behind the point: a double has no more than this. */
  private static final int MAX_SCALE = 1_100;

  private static final int MAX_ROWS = 100_000;
  private static final int MAX_BINS = 100_000;

  /** Of an error, in characters; Spark would carry all of it through logs and answers. */
  private static final int MAX_MESSAGE = 2_000;

  static {
    for (String name : List.of("lpad", "rpad")) {
      argument(name, 1, new ValueCheck.AtMost(name, "The length", Allocation.MAX_BYTES));
    }
    for (String name : List.of("round", "bround", "ceil", "ceiling", "floor", "format_number")) {
      argument(name, 1, new ValueCheck.AtMost(name, "The number of digits", MAX_SCALE));
    }
    for (String name : List.of("percentile_approx", "approx_percentile")) {
      argument(name, 2, new ValueCheck.AtMost(name, "The accuracy", 1_000_000));
    }
    for (String name : List.of("parse_url", "try_parse_url")) {
      argument(name, 2, new ValueCheck.Plain(name, "The key"));
    }
    argument("array_insert", 1, new ValueCheck.AtMost("array_insert", "The position", Allocation.MAX_ELEMENTS));
    argument("histogram_numeric", 1, new ValueCheck.AtMost("histogram_numeric", "The number of bins", MAX_BINS));
    argument("randstr", 0, new ValueCheck.AtMost("randstr", "The length", 1_000_000));
    argument("stack", 0, new ValueCheck.AtMost("stack", "The number of rows", MAX_ROWS));
    argument("count_min_sketch", 1, new ValueCheck.AtLeast("count_min_sketch", "The error", 1e-5));
    argument("approx_count_distinct", 1, new ValueCheck.AtLeast("approx_count_distinct", "The deviation", 1e-3));
    TABLE_ARGUMENTS.put("stack", ARGUMENTS.get("stack"));
  }

  /** They make up to a few bytes of each byte. */
  private static final Set<String> SIZED = Classification.named("sized");

  /** Messages that a NULL or a long text must not break. */
  private static final Map<String, Integer> MESSAGES = Map.of("raise_error", 0, "assert_true", 1);

  private BoundedFunctions() {}

  private static void argument(String name, int number, ValueCheck check) {
    ARGUMENTS.computeIfAbsent(name, none -> new HashMap<>()).put(number, check);
  }

  static void inject(SparkSessionExtensions extensions) {
    var functions = FunctionRegistry.builtin();
    for (String name : Classification.bounded()) {
      FunctionIdentifier id = new FunctionIdentifier(name);
      Built built = new Built(name, functions.lookupFunctionBuilder(id).get());
      extensions.injectFunction(new Tuple3<>(id, functions.lookupFunction(id).get(), built));
    }
    var tables = TableFunctionRegistry.builtin();
    TABLE_ARGUMENTS.forEach(
        (name, checks) -> {
          FunctionIdentifier id = new FunctionIdentifier(name);
          var builder = tables.lookupFunctionBuilder(id).get();
          extensions.injectTableFunction(
              new Tuple3<>(id, tables.lookupFunction(id).get(), arguments -> builder.apply(checked(arguments, checks))));
        });
  }

  private static Seq<Expression> checked(Seq<Expression> arguments, Map<Integer, ValueCheck> checks) {
    List<Expression> all = new ArrayList<>(CollectionConverters.asJava(arguments));
    checks.forEach(
        (number, check) -> {
          if (number >= all.size()) {
            return;
          }
          if (all.get(number) instanceof Literal literal) { // which some functions insist on
            if (literal.value() != null) {
              check.at(literal.value());
            }
          } else {
            all.set(number, new CheckedValue(all.get(number), check));
          }
        });
    return Plans.seq(all);
  }

  private static final class Built extends AbstractFunction1<Seq<Expression>, Expression> {
    private final String name;
    private final Function1<Seq<Expression>, Expression> builtin;

    Built(String name, Function1<Seq<Expression>, Expression> builtin) {
      this.name = name;
      this.builtin = builtin;
    }

    @Override
    public Expression apply(Seq<Expression> arguments) {
      Seq<Expression> checked = message(checked(arguments, ARGUMENTS.getOrDefault(name, Map.of())));
      Expression made = Bounds.built(builtin.apply(checked), CollectionConverters.asJava(checked));
      return SIZED.contains(name) ? new CheckedValue(made, new ValueCheck.Size(name)) : made;
    }

    private static Expression integer(int value) {
      return Literal.create(value, DataTypes.IntegerType);
    }

    private Seq<Expression> message(Seq<Expression> arguments) {
      Integer number = MESSAGES.get(name);
      List<Expression> all = new ArrayList<>(CollectionConverters.asJava(arguments));
      if (number == null || number >= all.size() || (name.equals("raise_error") && all.size() > 1)) {
        return arguments;
      }
      Expression otherwise = Literal.create(name + " was called without a message.", DataTypes.StringType);
      Expression text = new Cast(all.get(number), DataTypes.StringType, Option.empty());
      Expression shown = new Substring(text, integer(1), integer(MAX_MESSAGE));
      all.set(number, new Coalesce(Plans.seq(List.of(shown, otherwise))));
      return Plans.seq(all);
    }
  }
}
