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
import org.apache.spark.sql.catalyst.expressions.CreateMap;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Generator;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Substring;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DatetimeType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import sqe.spark.Plans;
import sqe.spark.kinds.FunctionGates;

/** Stands in the registry in the place of functions whose expressions, arguments or results have bounds. */
final class BoundedFunctions {
  /** The checks of arguments, by the number of the argument. */
  private static final Map<String, Map<Integer, ValueCheck>> ARGUMENTS = new HashMap<>();

  /** Functions of tables. */
  private static final Map<String, Map<Integer, ValueCheck>> TABLE_ARGUMENTS = new HashMap<>();

  /** Digits behind the point: a double has no more than this. */
  private static final int MAX_SCALE = 1_100;

  private static final int MAX_ROWS = 100_000;

  /** Spark goes through all of them for each of them when it puts two histograms together. */
  private static final int MAX_BINS = 10_000;

  /** Of an error, in characters; Spark would carry all of it through logs and answers. */
  private static final int MAX_MESSAGE = 2_000;

  /** Of a format or a path, in bytes. */
  private static final int MAX_FORMAT = 1_000;

  /** Of the text of a schema. */
  private static final int MAX_SCHEMA = 100_000;

  /** Spark makes 2 to this power of entries. */
  private static final int MAX_SKETCH_POWER = 16;

  private static final int MAX_SKETCH_SIZE = 4_096;

  /** What functions that take a second for a few megabytes may read. */
  private static final Map<String, Long> SLOW = new HashMap<>();

  static {
    SLOW.put("sentences", 1L << 20);
    SLOW.put("from_xml", 4L << 20);
    SLOW.put("schema_of_xml", 4L << 20);
    for (String name : List.of("map_from_arrays", "map_from_entries", "map_concat")) {
      SLOW.put(name, 32L << 20);
    }
    SLOW.put("to_number", 1L << 20);
    SLOW.put("try_to_number", 1L << 20);
    for (String name :
        List.of(
            "to_xml", "from_csv", "schema_of_csv", "from_json", "schema_of_json", "parse_json", "try_parse_json",
            "get_json_object", "json_tuple", "json_array_length", "json_object_keys", "translate", "initcap", "mask", "parse_url",
            "try_parse_url", "str_to_map")) {
      SLOW.put(name, 16L << 20);
    }
  }

  /** Spark copies an array of XML elements for each of them. */
  private static final int MAX_TAGS = 20_000;

  static {
    for (String name :
        List.of(
            "date_format", "from_unixtime", "to_char", "to_varchar", "to_number", "try_to_number", "to_binary", "try_to_binary",
            "to_date", "try_to_date", "to_timestamp", "try_to_timestamp", "to_timestamp_ltz", "to_timestamp_ntz", "to_time",
            "try_to_time", "unix_timestamp", "to_unix_timestamp")) {
      argument(name, 1, new ValueCheck.Brief(name, "The format", MAX_FORMAT));
    }
    for (String name : List.of("get_json_object", "variant_get", "try_variant_get")) {
      argument(name, 1, new ValueCheck.Brief(name, "The path", MAX_FORMAT));
    }
    for (String name : List.of("from_json", "from_csv", "from_xml")) {
      argument(name, 1, new ValueCheck.Brief(name, "The schema", MAX_SCHEMA));
    }
    for (String name : List.of("from_xml", "schema_of_xml")) {
      argument(name, 0, new ValueCheck.Tags(name, MAX_TAGS));
    }
    for (String name : List.of("kll_sketch_agg_bigint", "kll_sketch_agg_double", "kll_sketch_agg_float")) {
      argument(name, 1, new ValueCheck.AtMost(name, "The size", MAX_SKETCH_SIZE));
    }
    argument("theta_sketch_agg", 1, new ValueCheck.AtMost("theta_sketch_agg", "The size", MAX_SKETCH_POWER));
    argument("theta_union_agg", 1, new ValueCheck.AtMost("theta_union_agg", "The size", MAX_SKETCH_POWER));
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

  /** They go through their operands, some of them many times for one value in memory. */
  private static final Set<String> WEIGHED = Classification.named("weighed");

  /** They go through an operand once. */
  private static final Set<String> STEPS = Classification.named("step");

  /** As these do, which have a bound on an argument, too. */
  private static final Set<String> READING =
      Set.of("get_json_object", "variant_get", "try_variant_get", "to_number", "try_to_number", "to_binary", "try_to_binary");

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
      Seq<Expression> checked = keyed(weighed(message(checked(arguments, ARGUMENTS.getOrDefault(name, Map.of())))));
      Expression plain = builtin.apply(checked);
      FunctionGates.checkMade(name, plain); // a gate of its own would take the place of this function
      Expression made = Bounds.built(plain, CollectionConverters.asJava(checked));
      FormatOptions.check(name, made, MAX_FORMAT);
      if (made instanceof Generator || made instanceof AggregateFunction) {
        return made; // Spark insists on finding them
      } else if (isSmall(made)) {
        return made; // a check of each row would take longer than the function
      } else if (SIZED.contains(name) || WEIGHED.contains(name)) {
        return new CheckedValue(made, new ValueCheck.Size(name));
      }
      return STEPS.contains(name) || READING.contains(name) ? new CheckedValue(made, new ValueCheck.Step()) : made;
    }

    /** Operands that can be large, so that the sum of them is looked at before the function is called. */
    private Seq<Expression> weighed(Seq<Expression> arguments) {
      if (!WEIGHED.contains(name) && !SLOW.containsKey(name)) {
        return arguments;
      }
      Weight sum = new Weight();
      int index = 0;
      List<Expression> all = new ArrayList<>(CollectionConverters.asJava(arguments));
      boolean collated = all.stream().anyMatch(each -> each.resolved() && SearchBounds.isCollated(each.dataType()));
      long limit = SLOW.getOrDefault(name, Allocation.MAX_ARRAY_BYTES) / (collated ? SearchBounds.COLLATION_FACTOR : 1);
      for (int each = 0; each < all.size(); each++) {
        Expression operand = all.get(each);
        if (operand.resolved() && !isOption(operand) && canBeLarge(operand.dataType())) {
          all.set(each, new CheckedValue(operand, new ValueCheck.Operand(name, index++, sum, limit)));
        }
      }
      return Plans.seq(all);
    }

    /** Maps whose keys Spark compares each with each: those without a hash. */
    private Seq<Expression> keyed(Seq<Expression> arguments) {
      if (!name.equals("map_zip_with")) {
        return arguments;
      }
      List<Expression> all = new ArrayList<>(CollectionConverters.asJava(arguments));
      all.replaceAll(
          each ->
              each.resolved() && each.dataType() instanceof MapType map && !TypeUtils.typeWithProperEquals(map.keyType())
                  ? new CheckedValue(each, new ValueCheck.Keys(name, SearchBounds.MAX_COMPARED))
                  : each);
      return Plans.seq(all);
    }

    /** True if neither an operand nor the result can be large. */
    private static boolean isSmall(Expression made) {
      return made.resolved()
          && isFixed(made.dataType())
          && CollectionConverters.asJava(made.children()).stream().allMatch(each -> isFixed(each.dataType()));
    }

    private static boolean isFixed(DataType type) {
      return type instanceof NumericType || type instanceof BooleanType || type instanceof DatetimeType || type instanceof NullType;
    }

    /** What Spark insists on finding as it was written. */
    private static boolean isOption(Expression operand) {
      return operand instanceof Literal || operand instanceof CreateMap;
    }

    private static boolean canBeLarge(DataType type) {
      return type instanceof StringType
          || type instanceof BinaryType
          || type instanceof ArrayType
          || type instanceof MapType
          || type instanceof StructType;
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
