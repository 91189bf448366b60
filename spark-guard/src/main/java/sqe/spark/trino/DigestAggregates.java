package sqe.spark.trino;

import static sqe.spark.trino.ArrayFunctions.count;
import static sqe.spark.trino.ArrayFunctions.unexpected;
import static sqe.spark.trino.Expressions.cast;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.StringTrimRight;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.trino.digest.FrequentValues;
import sqe.spark.trino.digest.HyperLogLog;
import sqe.spark.trino.digest.NumericHistogram;
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
  private static final double LEAST_ERROR = 0.0040625;
  private static final double GREATEST_ERROR = 0.26;
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
    return of(new ApproxDistinct(type, precision), hashed(arguments.get(0)), error);
  }

  private static Expression approxSet(List<Expression> arguments) {
    count("approx_set", arguments, 1, 1);
    Expression value = arguments.get(0);
    DataType type = value.dataType();
    if (isText(value)) {
      return of(new ApproxSet(), Typed.plain(value));
    }
    boolean whole = TrinoTypes.isInteger(type) || type instanceof NullType;
    return of(new ApproxSet(), number("approx_set", arguments, 0, whole ? DataTypes.LongType : DataTypes.DoubleType));
  }

  private static Expression merge(List<Expression> arguments) {
    count("merge", arguments, 1, 1);
    String type = Typed.of(arguments.get(0));
    Expression value = Typed.plain(arguments.get(0));
    if (HYPER_LOG_LOG.equals(type)) {
      return of(new MergedSets(), value);
    } else if (TDIGEST.equals(type)) {
      return of(new MergedTDigests(), value);
    } else if (type != null && type.startsWith(QDIGEST)) {
      return of(new MergedQDigests(type), value);
    }
    throw unexpected("merge", arguments);
  }

  private static Expression tdigestAgg(List<Expression> arguments) {
    count("tdigest_agg", arguments, 1, 2);
    Expression weight = arguments.size() == 2 ? number("tdigest_agg", arguments, 1, DataTypes.DoubleType) : literal(1);
    return of(new TDigestAgg(), number("tdigest_agg", arguments, 0, DataTypes.DoubleType), weight);
  }

  private static Expression qdigestAgg(List<Expression> arguments) {
    count("qdigest_agg", arguments, 1, 3);
    Expression value = measured("qdigest_agg", arguments, 0);
    Expression weight =
        arguments.size() > 1 ? number("qdigest_agg", arguments, 1, DataTypes.LongType) : Expressions.literal(1L);
    Expression accuracy =
        arguments.size() > 2 ? number("qdigest_agg", arguments, 2, DataTypes.DoubleType) : literal(ACCURACY);
    return of(new QDigestAgg(QDIGEST + TrinoTypes.text(value.dataType()) + ")"), value, weight, accuracy);
  }

  private static Expression makeSetDigest(List<Expression> arguments) {
    count("make_set_digest", arguments, 1, 1);
    Expression value = arguments.get(0);
    DataType type = value.dataType();
    Expression plain = Typed.plain(value);
    if (isText(value) || (type instanceof BinaryType && Typed.of(value) == null)) {
      return of(new MadeSetDigest(), plain);
    }
    if (TrinoTypes.isInteger(type) || type instanceof NullType) {
      return of(new MadeSetDigest(), cast(plain, DataTypes.LongType));
    }
    boolean short_ = type instanceof DecimalType decimal && decimal.precision() <= 18;
    if (type instanceof DateType || type instanceof TimestampNTZType || type instanceof FloatType || short_) {
      return of(new MadeSetDigest(), plain);
    }
    throw unexpected("make_set_digest", arguments);
  }

  private static Expression mergeSetDigest(List<Expression> arguments) {
    count("merge_set_digest", arguments, 1, 1);
    if (!Typed.is(arguments.get(0), SET_DIGEST)) {
      throw unexpected("merge_set_digest", arguments);
    }
    return of(new MergedSetDigests(), Typed.plain(arguments.get(0)));
  }

  private static Expression numericHistogram(List<Expression> arguments) {
    count("numeric_histogram", arguments, 2, 3);
    Expression buckets = number("numeric_histogram", arguments, 0, DataTypes.LongType);
    boolean wide = arguments.get(1).dataType() instanceof DoubleType;
    DataType type = wide ? DataTypes.DoubleType : DataTypes.FloatType;
    Expression value = number("numeric_histogram", arguments, 1, type);
    Expression weight = arguments.size() == 3 ? number("numeric_histogram", arguments, 2, DataTypes.DoubleType) : literal(1);
    return of(new Histogram(wide), buckets, value, weight);
  }

  private static Expression approxMostFrequent(List<Expression> arguments) {
    String name = "approx_most_frequent";
    count(name, arguments, 3, 3);
    Expression buckets = number(name, arguments, 0, DataTypes.LongType);
    Expression capacity = number(name, arguments, 2, DataTypes.LongType);
    boolean text = isText(arguments.get(1));
    Expression value = text ? Typed.plain(arguments.get(1)) : number(name, arguments, 1, DataTypes.LongType);
    return of(new Frequent(text), buckets, value, capacity);
  }

  /** Of a value, a weight perhaps, one quantile or an array of them, and an accuracy perhaps. */
  private static Expression approxPercentile(List<Expression> arguments) {
    String name = "approx_percentile";
    count(name, arguments, 2, 4);
    Expression value = measured(name, arguments, 0);
    int at = arguments.size() == 2 ? 1 : 2;
    if (arguments.size() == 4) {
      return of(
          new Legacy(value.dataType()),
          value,
          number(name, arguments, 1, DataTypes.LongType),
          number(name, arguments, 2, DataTypes.DoubleType),
          number(name, arguments, 3, DataTypes.DoubleType));
    }
    Expression weight = arguments.size() == 3 ? number(name, arguments, 1, DataTypes.DoubleType) : literal(1);
    boolean several = arguments.get(at).dataType() instanceof ArrayType;
    DataType wanted = several ? new ArrayType(DataTypes.DoubleType, true) : DataTypes.DoubleType;
    return of(new Percentile(value.dataType(), several), value, weight, number(name, arguments, at, wanted));
  }

  // The kinds.

  static long sortable(Object value) {
    if (value instanceof Double number) {
      long bits = Double.doubleToLongBits(number);
      return bits ^ (bits >> 63 & Long.MAX_VALUE);
    }
    if (value instanceof Float number) {
      int bits = Float.floatToIntBits(number);
      return bits ^ (bits >> 31 & Integer.MAX_VALUE);
    }
    return (long) value;
  }

  /** The number of a sortable one. */
  static Object unsorted(long value, DataType type) {
    if (type instanceof DoubleType) {
      return Double.longBitsToDouble(value ^ (value >> 63 & Long.MAX_VALUE));
    }
    if (type instanceof FloatType) {
      int bits = (int) value;
      return Float.intBitsToFloat(bits ^ (bits >> 31 & Integer.MAX_VALUE));
    }
    return value;
  }

  private static double checkedWeight(double weight) {
    if (!Double.isFinite(weight)) {
      throw TrinoFailure.argument("weight must be finite, was " + weight);
    }
    if (weight < 1) {
      throw TrinoFailure.argument("weight must be >= 1, was " + weight);
    }
    return weight;
  }

  private static long checkedWeight(long weight) {
    if (weight <= 0) {
      throw TrinoFailure.argument("Percentile weight must be > 0, was " + weight);
    }
    return weight;
  }

  private static double checkedAccuracy(double accuracy) {
    if (!(accuracy > 0 && accuracy < 1)) {
      throw TrinoFailure.argument("Percentile accuracy must be exclusively between 0 and 1, was " + accuracy);
    }
    return accuracy;
  }

  private static double checkedPercentile(double percentile) {
    if (!(percentile >= 0 && percentile <= 1)) {
      throw TrinoFailure.argument("Percentile must be between 0 and 1");
    }
    return percentile;
  }

  /** The sum of the hashes of all values. */
  record Checksum(DataType input, int precision) implements StateAggregate.Kind {
    private static final long PRIME = 0x9E3779B185EBCA87L;

    @Override
    public String function() {
      return "checksum";
    }

    @Override
    public DataType type() {
      return DataTypes.BinaryType;
    }

    @Override
    public boolean nulls() {
      return true;
    }

    @Override
    public Object add(Object state, Object[] values) {
      long sum = state == null ? 0 : (long) state;
      return sum + (values[0] == null ? PRIME : ValueHash.xx(values[0], input, precision) * PRIME);
    }

    @Override
    public Object merge(Object state, Object other) {
      return (long) state + (long) other;
    }

    @Override
    public byte[] write(Object state) {
      return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong((long) state).array();
    }

    @Override
    public Object read(byte[] bytes) {
      return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    @Override
    public Object result(Object state) {
      return state == null ? null : write(state);
    }
  }

  /** States that are HyperLogLogs. */
  private interface OfSets extends StateAggregate.Kind {
    @Override
    default DataType type() {
      return DataTypes.BinaryType;
    }

    @Override
    default String typed() {
      return HYPER_LOG_LOG;
    }

    @Override
    default Object merge(Object state, Object other) {
      ((HyperLogLog) state).merge((HyperLogLog) other);
      return state;
    }

    @Override
    default byte[] write(Object state) {
      return ((HyperLogLog) state).bytes();
    }

    @Override
    default Object read(byte[] bytes) {
      return HyperLogLog.read(bytes);
    }

    @Override
    default Object result(Object state) {
      return state == null ? null : write(state);
    }
  }

  record ApproxDistinct(DataType input, int precision) implements OfSets {
    @Override
    public String function() {
      return "approx_distinct";
    }

    @Override
    public DataType type() {
      return DataTypes.LongType;
    }

    @Override
    public String typed() {
      return null;
    }

    @Override
    public Object add(Object state, Object[] values) {
      HyperLogLog set = state == null ? new HyperLogLog(buckets((double) values[1])) : (HyperLogLog) state;
      set.addHash(ValueHash.xx(values[0], input, precision));
      return set;
    }

    private static int buckets(double error) {
      if (!(error >= LEAST_ERROR && error <= GREATEST_ERROR)) {
        throw TrinoFailure.argument("Max standard error must be in [" + LEAST_ERROR + ", " + GREATEST_ERROR + "]: " + error);
      }
      int least = (int) Math.ceil(1.0816 / (error * error));
      return Integer.highestOneBit(least - 1) << 1;
    }

    @Override
    public Object result(Object state) {
      return state == null ? 0L : ((HyperLogLog) state).cardinality();
    }
  }

  record ApproxSet() implements OfSets {
    @Override
    public String function() {
      return "approx_set";
    }

    @Override
    public Object add(Object state, Object[] values) {
      HyperLogLog set = state == null ? new HyperLogLog(SET_BUCKETS) : (HyperLogLog) state;
      if (values[0] instanceof UTF8String text) {
        set.add(text.getBytes());
      } else {
        set.add(values[0] instanceof Double number ? Double.doubleToLongBits(number) : (long) values[0]);
      }
      return set;
    }
  }

  record MergedSets() implements OfSets {
    @Override
    public String function() {
      return "merge";
    }

    @Override
    public Object add(Object state, Object[] values) {
      Object other = read((byte[]) values[0]);
      return state == null ? other : merge(state, other);
    }
  }

  /** States that are digests of numbers. */
  private interface OfTDigests extends StateAggregate.Kind {
    @Override
    default DataType type() {
      return DataTypes.BinaryType;
    }

    @Override
    default String typed() {
      return TDIGEST;
    }

    @Override
    default Object merge(Object state, Object other) {
      ((TDigest) state).merge((TDigest) other);
      return state;
    }

    @Override
    default byte[] write(Object state) {
      return ((TDigest) state).bytes();
    }

    @Override
    default Object read(byte[] bytes) {
      return TDigest.read(bytes);
    }

    @Override
    default Object result(Object state) {
      return state == null ? null : write(state);
    }
  }

  record TDigestAgg() implements OfTDigests {
    @Override
    public String function() {
      return "tdigest_agg";
    }

    @Override
    public Object add(Object state, Object[] values) {
      TDigest digest = state == null ? new TDigest() : (TDigest) state;
      digest.add((double) values[0], checkedWeight((double) values[1]));
      return digest;
    }
  }

  record MergedTDigests() implements OfTDigests {
    @Override
    public String function() {
      return "merge";
    }

    @Override
    public Object add(Object state, Object[] values) {
      Object other = read((byte[]) values[0]);
      return state == null ? other : merge(state, other);
    }
  }

  /** States that are digests of integers, or of numbers in the order of their bits. */
  private interface OfQDigests extends StateAggregate.Kind {
    @Override
    default DataType type() {
      return DataTypes.BinaryType;
    }

    @Override
    default Object merge(Object state, Object other) {
      ((QuantileDigest) state).merge((QuantileDigest) other);
      return state;
    }

    @Override
    default byte[] write(Object state) {
      return ((QuantileDigest) state).bytes();
    }

    @Override
    default Object read(byte[] bytes) {
      return QuantileDigest.read(bytes);
    }

    @Override
    default Object result(Object state) {
      return state == null ? null : write(state);
    }
  }

  record QDigestAgg(String typed) implements OfQDigests {
    @Override
    public String function() {
      return "qdigest_agg";
    }

    @Override
    public Object add(Object state, Object[] values) {
      double accuracy = checkedAccuracy((double) values[2]);
      QuantileDigest digest = state == null ? new QuantileDigest(accuracy) : (QuantileDigest) state;
      digest.add(sortable(values[0]), checkedWeight((long) values[1]));
      return digest;
    }
  }

  record MergedQDigests(String typed) implements OfQDigests {
    @Override
    public String function() {
      return "merge";
    }

    @Override
    public Object add(Object state, Object[] values) {
      Object other = read((byte[]) values[0]);
      return state == null ? other : merge(state, other);
    }
  }

  /** States that are digests of sets. */
  private interface OfSetDigests extends StateAggregate.Kind {
    @Override
    default DataType type() {
      return DataTypes.BinaryType;
    }

    @Override
    default String typed() {
      return SET_DIGEST;
    }

    @Override
    default Object merge(Object state, Object other) {
      ((SetDigest) state).merge((SetDigest) other);
      return state;
    }

    @Override
    default byte[] write(Object state) {
      return ((SetDigest) state).bytes();
    }

    @Override
    default Object read(byte[] bytes) {
      return SetDigest.read(bytes);
    }

    @Override
    default Object result(Object state) {
      return state == null ? null : write(state);
    }
  }

  record MadeSetDigest() implements OfSetDigests {
    @Override
    public String function() {
      return "make_set_digest";
    }

    @Override
    public Object add(Object state, Object[] values) {
      SetDigest digest = state == null ? new SetDigest() : (SetDigest) state;
      Object value = values[0];
      if (value instanceof UTF8String text) {
        digest.add(text.getBytes());
      } else if (value instanceof byte[] bytes) {
        digest.add(bytes);
      } else if (value instanceof Float number) {
        digest.add((long) Float.floatToRawIntBits(number));
      } else if (value instanceof org.apache.spark.sql.types.Decimal decimal) {
        digest.add(decimal.toUnscaledLong());
      } else {
        digest.add(((Number) value).longValue());
      }
      return digest;
    }
  }

  record MergedSetDigests() implements OfSetDigests {
    @Override
    public String function() {
      return "merge_set_digest";
    }

    @Override
    public Object add(Object state, Object[] values) {
      Object other = read((byte[]) values[0]);
      return state == null ? other : merge(state, other);
    }
  }

  /** A digest, and the quantiles that are asked for. */
  private static final class Asked {
    private double[] quantiles;
    private TDigest digest = new TDigest();
  }

  record Percentile(DataType input, boolean several) implements StateAggregate.Kind {
    @Override
    public String function() {
      return "approx_percentile";
    }

    @Override
    public DataType type() {
      return several ? new ArrayType(input, true) : input;
    }

    @Override
    public Object add(Object state, Object[] values) {
      Asked asked = state == null ? new Asked() : (Asked) state;
      double value = ((Number) values[0]).doubleValue();
      if (values[0] instanceof Long exact && (long) value != exact) {
        throw TrinoFailure.argument("no exact double representation for long: " + exact);
      }
      if (!Double.isFinite(value)) {
        throw TrinoFailure.argument("value must be finite; was " + value);
      }
      asked.digest.add(value, checkedWeight((double) values[1]));
      if (!several) {
        asked.quantiles = new double[] {(double) values[2]};
      } else if (asked.quantiles == null) {
        asked.quantiles = quantiles((ArrayData) values[2]);
      }
      return asked;
    }

    private static double[] quantiles(ArrayData given) {
      double[] made = new double[given.numElements()];
      for (int i = 0; i < made.length; i++) {
        if (given.isNullAt(i)) {
          throw TrinoFailure.argument("Percentile cannot be null");
        }
        made[i] = checkedPercentile(given.getDouble(i));
      }
      return made;
    }

    @Override
    public Object merge(Object state, Object other) {
      ((Asked) state).digest.merge(((Asked) other).digest);
      ((Asked) state).quantiles = ((Asked) other).quantiles;
      return state;
    }

    @Override
    public byte[] write(Object state) {
      Asked asked = (Asked) state;
      byte[] digest = asked.digest.bytes();
      int size = Integer.BYTES + Double.BYTES * asked.quantiles.length + digest.length;
      ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).putInt(asked.quantiles.length);
      for (double each : asked.quantiles) {
        out.putDouble(each);
      }
      return out.put(digest).array();
    }

    @Override
    public Object read(byte[] bytes) {
      ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      Asked asked = new Asked();
      asked.quantiles = new double[in.getInt()];
      for (int i = 0; i < asked.quantiles.length; i++) {
        asked.quantiles[i] = in.getDouble();
      }
      asked.digest = TDigest.read(Arrays.copyOfRange(bytes, in.position(), bytes.length));
      return asked;
    }

    @Override
    public Object result(Object state) {
      if (state == null) {
        return null;
      }
      Asked asked = (Asked) state;
      if (!several) {
        checkedPercentile(asked.quantiles[0]);
        return made(asked.digest.valuesAt(asked.quantiles)[0]);
      }
      int[] order =
          IntStream.range(0, asked.quantiles.length)
              .boxed()
              .sorted(Comparator.comparingDouble(i -> asked.quantiles[i]))
              .mapToInt(i -> i)
              .toArray();
      double[] found = asked.digest.valuesAt(Arrays.stream(order).mapToDouble(i -> asked.quantiles[i]).toArray());
      Object[] all = new Object[order.length];
      for (int i = 0; i < order.length; i++) {
        all[order[i]] = made(found[i]);
      }
      return new GenericArrayData(all);
    }

    private Object made(double value) {
      if (input instanceof LongType) {
        return Math.round(value);
      } else if (input instanceof FloatType) {
        return (float) value;
      }
      return value;
    }
  }

  /** {@code approx_percentile} with an accuracy, which Trino answers with a qdigest. */
  record Legacy(DataType input) implements StateAggregate.Kind {
    private static final class Asked {
      private double quantile;
      private QuantileDigest digest;
    }

    @Override
    public String function() {
      return "approx_percentile";
    }

    @Override
    public DataType type() {
      return input;
    }

    @Override
    public Object add(Object state, Object[] values) {
      Asked asked = state == null ? new Asked() : (Asked) state;
      if (asked.digest == null) {
        asked.digest = new QuantileDigest(checkedAccuracy((double) values[3]));
      }
      asked.digest.add(sortable(values[0]), checkedWeight((long) values[1]));
      asked.quantile = (double) values[2];
      return asked;
    }

    @Override
    public Object merge(Object state, Object other) {
      ((Asked) state).digest.merge(((Asked) other).digest);
      ((Asked) state).quantile = ((Asked) other).quantile;
      return state;
    }

    @Override
    public byte[] write(Object state) {
      byte[] digest = ((Asked) state).digest.bytes();
      ByteBuffer out = ByteBuffer.allocate(Double.BYTES + digest.length).order(ByteOrder.LITTLE_ENDIAN);
      return out.putDouble(((Asked) state).quantile).put(digest).array();
    }

    @Override
    public Object read(byte[] bytes) {
      Asked asked = new Asked();
      asked.quantile = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getDouble();
      asked.digest = QuantileDigest.read(Arrays.copyOfRange(bytes, Double.BYTES, bytes.length));
      return asked;
    }

    @Override
    public Object result(Object state) {
      if (state == null) {
        return null;
      }
      Asked asked = (Asked) state;
      return unsorted(asked.digest.valueAt(checkedPercentile(asked.quantile)), input);
    }
  }

  record Histogram(boolean wide) implements StateAggregate.Kind {
    @Override
    public String function() {
      return "numeric_histogram";
    }

    @Override
    public DataType type() {
      DataType each = wide ? DataTypes.DoubleType : DataTypes.FloatType;
      return DataTypes.createMapType(each, each, false);
    }

    @Override
    public Object add(Object state, Object[] values) {
      if (state == null && (long) values[0] < 2) {
        throw TrinoFailure.argument("numeric_histogram bucket count must be greater than one");
      }
      NumericHistogram histogram = state == null ? new NumericHistogram((long) values[0]) : (NumericHistogram) state;
      histogram.add(((Number) values[1]).doubleValue(), (double) values[2]);
      return histogram;
    }

    @Override
    public Object merge(Object state, Object other) {
      ((NumericHistogram) state).merge((NumericHistogram) other);
      return state;
    }

    @Override
    public byte[] write(Object state) {
      return ((NumericHistogram) state).bytes();
    }

    @Override
    public Object read(byte[] bytes) {
      return NumericHistogram.read(bytes);
    }

    @Override
    public Object result(Object state) {
      if (state == null) {
        return null;
      }
      double[][] buckets = ((NumericHistogram) state).buckets();
      return new ArrayBasedMapData(numbers(buckets[0]), numbers(buckets[1]));
    }

    private ArrayData numbers(double[] values) {
      Object[] made = new Object[values.length];
      for (int i = 0; i < made.length; i++) {
        made[i] = wide ? (Object) values[i] : (Object) (float) values[i];
      }
      return new GenericArrayData(made);
    }
  }

  record Frequent(boolean text) implements StateAggregate.Kind {
    @Override
    public String function() {
      return "approx_most_frequent";
    }

    @Override
    public DataType type() {
      return DataTypes.createMapType(text ? DataTypes.StringType : DataTypes.LongType, DataTypes.LongType, false);
    }

    @Override
    public Object add(Object state, Object[] values) {
      if (state == null && (long) values[0] < 2) {
        throw TrinoFailure.argument("approx_most_frequent bucket count must be greater than one");
      }
      FrequentValues all = state == null ? new FrequentValues((long) values[0], (long) values[2]) : (FrequentValues) state;
      all.add(text ? ((UTF8String) values[1]).getBytes() : ByteBuffer.allocate(Long.BYTES).putLong((long) values[1]).array(), 1);
      return all;
    }

    @Override
    public Object merge(Object state, Object other) {
      ((FrequentValues) state).merge((FrequentValues) other);
      return state;
    }

    @Override
    public byte[] write(Object state) {
      return ((FrequentValues) state).bytes();
    }

    @Override
    public Object read(byte[] bytes) {
      return FrequentValues.read(bytes);
    }

    @Override
    public Object result(Object state) {
      if (state == null) {
        return null;
      }
      List<Object> keys = new ArrayList<>();
      List<Object> counts = new ArrayList<>();
      for (Map.Entry<byte[], Long> each : ((FrequentValues) state).most()) {
        keys.add(text ? UTF8String.fromBytes(each.getKey()) : (Object) ByteBuffer.wrap(each.getKey()).getLong());
        counts.add(each.getValue());
      }
      return new ArrayBasedMapData(new GenericArrayData(keys.toArray()), new GenericArrayData(counts.toArray()));
    }
  }
}
