package sqe.spark.trino;

import static sqe.spark.trino.ArrayFunctions.count;
import static sqe.spark.trino.ArrayFunctions.unexpected;
import static sqe.spark.trino.Expressions.cast;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.StringTrimRight;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import sqe.spark.trino.DigestKinds.Mergeable;
import sqe.spark.trino.digest.HyperLogLog;
import sqe.spark.trino.digest.QuantileDigest;
import sqe.spark.trino.digest.SetDigest;
import sqe.spark.trino.digest.TDigest;
import sqe.spark.trino.digest.ValueHash;

/** Aggregates that Spark has not: digests of values, estimates from them, histograms and checksums. */
final class DigestAggregates {
  static final String HYPER_LOG_LOG = "HyperLogLog";
  static final String P4_HYPER_LOG_LOG = "P4HyperLogLog";
  static final String TDIGEST = "tdigest";
  static final String QDIGEST = "qdigest(";
  static final String SET_DIGEST = "SetDigest";

  static final int SET_BUCKETS = 4096;
  private static final double DEFAULT_ERROR = 0.023;
  private static final double ACCURACY = 0.01;

  private DigestAggregates() {}

  static void register(Map<String, Builder> functions) {
    functions.put("approx_distinct", DigestAggregates::approxDistinct);
    functions.put("approx_most_frequent", DigestAggregates::approxMostFrequent);
    functions.put("approx_percentile", DigestAggregates::approxPercentile);
    functions.put("approx_set", DigestAggregates::approxSet);
    functions.put("checksum", DigestAggregates::checksum);
    functions.put("make_set_digest", DigestAggregates::makeSetDigest);
    functions.put("merge", DigestAggregates::merge);
    functions.put("merge_set_digest", DigestAggregates::mergeSetDigest);
    functions.put("numeric_histogram", DigestAggregates::numericHistogram);
    functions.put("qdigest_agg", DigestAggregates::qdigestAgg);
    functions.put("tdigest_agg", DigestAggregates::tdigestAgg);
    functions.put("digested", arguments -> digested(arguments.get(0)));
  }

  /** An aggregate with its FILTER and OVER, under the name of its type: Spark takes no alias for an aggregate. */
  private static Expression digested(Expression value) {
    Expression inner = Typed.plain(value);
    if (inner instanceof WindowExpression window) {
      inner = window.windowFunction();
    }
    if (inner instanceof AggregateExpression aggregate && aggregate.aggregateFunction() instanceof StateAggregate state) {
      return state.kind().typed() == null ? value : Typed.as(value, state.kind().typed());
    }
    return value;
  }

  private static Expression of(StateAggregate.Kind kind, Expression... arguments) {
    return new StateAggregate(kind, List.of(arguments));
  }

  private static Expression literal(double value) {
    return Literal.create(value, DataTypes.DoubleType);
  }

  /** An argument as a number of a type that it becomes without a cast. */
  private static Expression number(String name, List<Expression> arguments, int at, DataType type) {
    Expression given = arguments.get(at);
    if (TrinoTypes.distance(given.dataType(), type) >= TrinoTypes.NEVER) {
      throw unexpected(name, arguments);
    }
    return cast(Typed.plain(given), type);
  }

  /** The first argument as the first of BIGINT, REAL and DOUBLE that it becomes without a cast. */
  private static Expression measured(String name, List<Expression> arguments, int at) {
    DataType type = arguments.get(at).dataType();
    DataType wanted =
        TrinoTypes.isInteger(type) || type instanceof NullType
            ? DataTypes.LongType
            : type instanceof DoubleType ? DataTypes.DoubleType : DataTypes.FloatType;
    return number(name, arguments, at, wanted);
  }

  private static DataType typeOf(String name, List<Expression> arguments, int at) {
    DataType type = arguments.get(at).dataType();
    if (!ValueHash.has(type)) {
      throw TrinoFailure.unsupported("The function " + name + " of a row is not supported.");
    }
    return type;
  }

  private static boolean isText(Expression value) {
    return value.dataType() instanceof StringType && Texts.isText(value);
  }

  private static Expression checksum(List<Expression> arguments) {
    count("checksum", arguments, 1, 1);
    hashable("checksum", arguments);
    DataType type = typeOf("checksum", arguments, 0);
    return of(new Checksum(type, TrinoTypes.precision(arguments.get(0))), hashed(arguments.get(0)));
  }

  /** A CHAR without the spaces at its end, which Trino does not keep. */
  private static Expression hashed(Expression value) {
    Expression plain = Typed.plain(value);
    return Texts.isChar(value) ? new StringTrimRight(plain) : plain;
  }

  /** Refuses what is text to Spark and bytes to Trino, whose hash is another. */
  private static void hashable(String name, List<Expression> arguments) {
    Expression value = arguments.get(0);
    boolean other = value.dataType() instanceof StringType && !Texts.isText(value) && !Texts.isChar(value);
    boolean nested = TrinoTypes.isNested(value.dataType()) && Typed.of(value) != null;
    if ((other || nested) && !String.valueOf(Typed.of(value)).startsWith("json")) {
      throw TrinoFailure.unsupported("The function " + name + " of " + TrinoTypes.text(value) + " is not supported.");
    }
  }

  private static Expression approxDistinct(List<Expression> arguments) {
    count("approx_distinct", arguments, 1, 2);
    DataType type = arguments.get(0).dataType();
    Expression error =
        arguments.size() == 2 ? number("approx_distinct", arguments, 1, DataTypes.DoubleType) : literal(DEFAULT_ERROR);
    int precision = TrinoTypes.precision(arguments.get(0));
    if (TrinoTypes.isNested(type)) {
      typeOf("approx_distinct", arguments, 0);
    }
    return of(new DigestKinds.ApproxDistinct(type, precision), hashed(arguments.get(0)), error);
  }

  private static Expression approxSet(List<Expression> arguments) {
    count("approx_set", arguments, 1, 1);
    Expression value = arguments.get(0);
    DataType type = value.dataType();
    if (isText(value)) {
      return of(new DigestKinds.ApproxSet(), Typed.plain(value));
    }
    boolean whole = TrinoTypes.isInteger(type) || type instanceof NullType;
    return of(new DigestKinds.ApproxSet(), number("approx_set", arguments, 0, whole ? DataTypes.LongType : DataTypes.DoubleType));
  }

  private static Expression merge(List<Expression> arguments) {
    count("merge", arguments, 1, 1);
    String type = Typed.of(arguments.get(0));
    Expression value = Typed.plain(arguments.get(0));
    if (HYPER_LOG_LOG.equals(type)) {
      return of(new DigestKinds.Merged<HyperLogLog>("merge", Mergeable.HYPER_LOG_LOG, type), value);
    } else if (TDIGEST.equals(type)) {
      return of(new DigestKinds.Merged<TDigest>("merge", Mergeable.TDIGEST, type), value);
    } else if (type != null && type.startsWith(QDIGEST)) {
      return of(new DigestKinds.Merged<QuantileDigest>("merge", Mergeable.QDIGEST, type), value);
    }
    throw unexpected("merge", arguments);
  }

  private static Expression tdigestAgg(List<Expression> arguments) {
    count("tdigest_agg", arguments, 1, 2);
    Expression weight = arguments.size() == 2 ? number("tdigest_agg", arguments, 1, DataTypes.DoubleType) : literal(1);
    return of(new DigestKinds.TDigestAgg(), number("tdigest_agg", arguments, 0, DataTypes.DoubleType), weight);
  }

  private static Expression qdigestAgg(List<Expression> arguments) {
    count("qdigest_agg", arguments, 1, 3);
    Expression value = measured("qdigest_agg", arguments, 0);
    Expression weight =
        arguments.size() > 1 ? number("qdigest_agg", arguments, 1, DataTypes.LongType) : Expressions.literal(1L);
    Expression accuracy =
        arguments.size() > 2 ? number("qdigest_agg", arguments, 2, DataTypes.DoubleType) : literal(ACCURACY);
    return of(new DigestKinds.QDigestAgg(QDIGEST + TrinoTypes.text(value.dataType()) + ")"), value, weight, accuracy);
  }

  private static Expression makeSetDigest(List<Expression> arguments) {
    count("make_set_digest", arguments, 1, 1);
    Expression value = arguments.get(0);
    DataType type = value.dataType();
    Expression plain = Typed.plain(value);
    if (isText(value) || (type instanceof BinaryType && Typed.of(value) == null)) {
      return of(new DigestKinds.MadeSetDigest(), plain);
    }
    if (TrinoTypes.isInteger(type) || type instanceof NullType) {
      return of(new DigestKinds.MadeSetDigest(), cast(plain, DataTypes.LongType));
    }
    boolean short_ = type instanceof DecimalType decimal && decimal.precision() <= 18;
    if (type instanceof DateType || type instanceof TimestampNTZType || type instanceof FloatType || short_) {
      return of(new DigestKinds.MadeSetDigest(), plain);
    }
    throw unexpected("make_set_digest", arguments);
  }

  private static Expression mergeSetDigest(List<Expression> arguments) {
    count("merge_set_digest", arguments, 1, 1);
    if (!Typed.is(arguments.get(0), SET_DIGEST)) {
      throw unexpected("merge_set_digest", arguments);
    }
    return of(new DigestKinds.Merged<SetDigest>("merge_set_digest", Mergeable.SET_DIGEST, SET_DIGEST), Typed.plain(arguments.get(0)));
  }

  private static Expression numericHistogram(List<Expression> arguments) {
    count("numeric_histogram", arguments, 2, 3);
    Expression buckets = number("numeric_histogram", arguments, 0, DataTypes.LongType);
    boolean wide = arguments.get(1).dataType() instanceof DoubleType;
    DataType type = wide ? DataTypes.DoubleType : DataTypes.FloatType;
    Expression value = number("numeric_histogram", arguments, 1, type);
    Expression weight = arguments.size() == 3 ? number("numeric_histogram", arguments, 2, DataTypes.DoubleType) : literal(1);
    return of(new DigestKinds.Histogram(wide), buckets, value, weight);
  }

  private static Expression approxMostFrequent(List<Expression> arguments) {
    String name = "approx_most_frequent";
    count(name, arguments, 3, 3);
    Expression buckets = number(name, arguments, 0, DataTypes.LongType);
    Expression capacity = number(name, arguments, 2, DataTypes.LongType);
    boolean text = isText(arguments.get(1));
    Expression value = text ? Typed.plain(arguments.get(1)) : number(name, arguments, 1, DataTypes.LongType);
    return of(new DigestKinds.Frequent(text), buckets, value, capacity);
  }

  /** Of a value, a weight perhaps, one quantile or an array of them, and an accuracy perhaps. */
  private static Expression approxPercentile(List<Expression> arguments) {
    String name = "approx_percentile";
    count(name, arguments, 2, 4);
    Expression value = measured(name, arguments, 0);
    int at = arguments.size() == 2 ? 1 : 2;
    if (arguments.size() == 4) {
      return of(
          new PercentileKinds.Legacy(value.dataType()),
          value,
          number(name, arguments, 1, DataTypes.LongType),
          number(name, arguments, 2, DataTypes.DoubleType),
          number(name, arguments, 3, DataTypes.DoubleType));
    }
    Expression weight = arguments.size() == 3 ? number(name, arguments, 1, DataTypes.DoubleType) : literal(1);
    boolean several = arguments.get(at).dataType() instanceof ArrayType;
    DataType wanted = several ? new ArrayType(DataTypes.DoubleType, true) : DataTypes.DoubleType;
    return of(new PercentileKinds.Percentile(value.dataType(), several), value, weight, number(name, arguments, at, wanted));
  }
}
