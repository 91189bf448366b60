package sqe.spark.trino;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * Registers the functions that the translation of Trino's SQL calls ({@code sql/trino/rules}).
 *
 * <p>Spark looks a function up when its arguments are resolved, so that a builder sees their types. It answers with Spark's own
 * expressions where these mean the same, so that the optimizer and the guard know them, and with calls of static methods otherwise.
 */
public final class TrinoFunctions {
  /** Before each name: no function of Spark's begins so. */
  public static final String PREFIX = "trino_";

  private static final Map<String, Builder> ALL = new TreeMap<>();
  private static boolean registered;

  static {
    Arithmetic.register(ALL);
    Comparison.register(ALL);
    Concatenation.register(ALL);
    Casts.register(ALL);
    Collections.register(ALL);
    DateTimes.register(ALL);
    DateTimeTexts.register(ALL);
    Quantified.register(ALL);
    Aggregates.register(ALL);
    ArrayFunctions.register(ALL);
    MapFunctions.register(ALL);
    Lambdas.register(ALL);
    JsonFunctions.register(ALL);
    SqlJson.register(ALL);
    ScalarMethods.register(ALL);
    Numbers.register(ALL);
    Conditionals.register(ALL);
    FormatFunctions.register(ALL);
    Texts.register(ALL); // after those of arrays, whose functions have some of the same names
    Addresses.register(ALL);
    DigestAggregates.register(ALL);
    DigestFunctions.register(ALL); // after those of arrays and maps, which have a cardinality, too
    ColorFunctions.register(ALL);
    Assignments.register(ALL);
    EmptyGroupingSet.register(ALL);
  }

  private TrinoFunctions() {}

  public static void inject(SparkSessionExtensions extensions) {
    register();
    SparkFunctions.inject(extensions);
    SetOperations.inject(extensions); // before the types of a UNION have their names
    ColumnTypes.inject(extensions); // before the types of a UNION, which are those of its columns
    UnionTypes.inject(extensions);
    SortKeys.inject(extensions);
    DecimalSigns.inject(extensions);
    Assignments.inject(extensions);
    EmptyGroupingSet.inject(extensions); // before keys are changed
    WideKeys.inject(extensions);
  }

  /** Adds the functions to those of Spark itself: a view that is kept may call no others. */
  private static synchronized void register() {
    if (registered) {
      return;
    }
    ALL.forEach(
        (name, builder) ->
            FunctionRegistry.builtin().registerFunction(new FunctionIdentifier(PREFIX + name), info(name), new Built(builder)));
    Unnest.register(TableFunctionRegistry.builtin());
    registered = true;
  }

  /** Whether a name is that of one of these functions. */
  public static boolean has(String name) {
    return name.startsWith(PREFIX);
  }

  private static ExpressionInfo info(String name) {
    return new ExpressionInfo(TrinoFunctions.class.getName(), null, PREFIX + name);
  }

  /** The names without the prefix. */
  static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  private static final class Built extends AbstractFunction1<Seq<Expression>, Expression> {
    private final Builder builder;

    Built(Builder builder) {
      this.builder = builder;
    }

    @Override
    public Expression apply(Seq<Expression> arguments) {
      return builder.build(CollectionConverters.asJava(arguments));
    }
  }
}
