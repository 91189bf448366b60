package sqe.spark.trino;

import static sqe.spark.trino.ArrayFunctions.count;
import static sqe.spark.trino.ArrayFunctions.unexpected;
import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import sqe.spark.trino.digest.HyperLogLog;
import sqe.spark.trino.digest.QuantileDigest;
import sqe.spark.trino.digest.SetDigest;
import sqe.spark.trino.digest.TDigest;

/** Functions of digests, which are bytes to Spark: {@link Typed} says of which kind. */
public final class DigestFunctions {
  private static final DataType DOUBLES = new ArrayType(DataTypes.DoubleType, true);

  private DigestFunctions() {}

  static void register(Map<String, Builder> functions) {
    Builder ofCollections = functions.get("cardinality");
    functions.put("cardinality", arguments -> cardinality(ofCollections, arguments));
    functions.put("empty_approx_set", DigestFunctions::emptyApproxSet);
    functions.put("hash_counts", DigestFunctions::hashCounts);
    functions.put(
        "intersection_cardinality", arguments -> ofTwo("intersection_cardinality", "intersection", DataTypes.LongType, arguments));
    functions.put("jaccard_index", arguments -> ofTwo("jaccard_index", "jaccard", DataTypes.DoubleType, arguments));
    functions.put("quantile_at_value", DigestFunctions::quantileAtValue);
    functions.put("value_at_quantile", arguments -> valueAt("value_at_quantile", false, arguments));
    functions.put("values_at_quantiles", arguments -> valueAt("values_at_quantiles", true, arguments));
  }

  private static boolean isQuantiles(Expression value) {
    String type = Typed.of(value);
    return type != null && type.startsWith(DigestAggregates.QDIGEST);
  }

  /** The type of the numbers in a qdigest. */
  private static DataType ofQuantiles(Expression value) {
    return TrinoType.of(Typed.of(value)).types().get(0).spark();
  }

  private static Expression cardinality(Builder ofCollections, List<Expression> arguments) {
    String type = arguments.size() == 1 ? Typed.of(arguments.get(0)) : null;
    if (DigestAggregates.SET_DIGEST.equals(type)) {
      return invoke(DigestFunctions.class, "setCardinality", DataTypes.LongType, Typed.plain(arguments.get(0)));
    }
    if (DigestAggregates.HYPER_LOG_LOG.equals(type) || DigestAggregates.P4_HYPER_LOG_LOG.equals(type)) {
      return invoke(DigestFunctions.class, "cardinality", DataTypes.LongType, Typed.plain(arguments.get(0)));
    }
    return ofCollections.build(arguments);
  }

  private static Expression emptyApproxSet(List<Expression> arguments) {
    count("empty_approx_set", arguments, 0, 0);
    byte[] bytes = new HyperLogLog(DigestAggregates.SET_BUCKETS).bytes();
    return Typed.as(new org.apache.spark.sql.catalyst.expressions.Literal(bytes, DataTypes.BinaryType), DigestAggregates.HYPER_LOG_LOG);
  }

  private static Expression hashCounts(List<Expression> arguments) {
    count("hash_counts", arguments, 1, 1);
    setDigest("hash_counts", arguments, 0);
    DataType type = DataTypes.createMapType(DataTypes.LongType, DataTypes.ShortType, false);
    return invoke(DigestFunctions.class, "hashCounts", type, Typed.plain(arguments.get(0)));
  }

  private static void setDigest(String name, List<Expression> arguments, int at) {
    if (!Typed.is(arguments.get(at), DigestAggregates.SET_DIGEST)) {
      throw unexpected(name, arguments);
    }
  }

  private static Expression ofTwo(String name, String method, DataType type, List<Expression> arguments) {
    count(name, arguments, 2, 2);
    setDigest(name, arguments, 0);
    setDigest(name, arguments, 1);
    return invoke(DigestFunctions.class, method, type, Typed.plain(arguments.get(0)), Typed.plain(arguments.get(1)));
  }

  private static Expression valueAt(String name, boolean several, List<Expression> arguments) {
    count(name, arguments, 2, 2);
    Expression digest = arguments.get(0);
    DataType wanted = several ? DOUBLES : DataTypes.DoubleType;
    if (TrinoTypes.distance(arguments.get(1).dataType(), wanted) >= TrinoTypes.NEVER) {
      throw unexpected(name, arguments);
    }
    Expression quantiles = cast(Typed.plain(arguments.get(1)), wanted);
    if (Typed.is(digest, DigestAggregates.TDIGEST)) {
      String method = several ? "valuesOfCentroids" : "valueOfCentroids";
      return invoke(DigestFunctions.class, method, wanted, Typed.plain(digest), quantiles);
    }
    if (!isQuantiles(digest)) {
      throw unexpected(name, arguments);
    }
    DataType type = ofQuantiles(digest);
    String of = TrinoTypes.text(type);
    String method = several ? "valuesOfQuantiles" : of + "OfQuantiles";
    DataType made = several ? new ArrayType(type, true) : type;
    return several
        ? invoke(DigestFunctions.class, method, made, Typed.plain(digest), quantiles, literal(of))
        : invoke(DigestFunctions.class, method, made, Typed.plain(digest), quantiles);
  }

  private static Expression quantileAtValue(List<Expression> arguments) {
    count("quantile_at_value", arguments, 2, 2);
    Expression digest = arguments.get(0);
    if (!isQuantiles(digest)) {
      throw unexpected("quantile_at_value", arguments);
    }
    DataType type = ofQuantiles(digest);
    if (TrinoTypes.distance(arguments.get(1).dataType(), type) >= TrinoTypes.NEVER) {
      throw unexpected("quantile_at_value", arguments);
    }
    Expression value = cast(Typed.plain(arguments.get(1)), type);
    return invoke(DigestFunctions.class, "quantileAt", DataTypes.DoubleType, Typed.plain(digest), value);
  }

  /** A cast between a digest and its bytes; null when there is none. */
  static Expression castOrNull(Expression value, TrinoType type) {
    String from = Typed.of(value);
    String to = type.toString();
    Expression plain = Typed.plain(value);
    if (from == null ? type.isDigest() : to.equals("varbinary") || to.equals(from)) {
      return plain;
    }
    boolean sets = to.equals(DigestAggregates.HYPER_LOG_LOG);
    if (sets && from.equals(DigestAggregates.SET_DIGEST)) {
      return invoke(DigestFunctions.class, "setOfDigest", DataTypes.BinaryType, plain);
    }
    if (sets && from.equals(DigestAggregates.P4_HYPER_LOG_LOG)) {
      return plain;
    }
    if (to.equals(DigestAggregates.P4_HYPER_LOG_LOG) && from.equals(DigestAggregates.HYPER_LOG_LOG)) {
      return invoke(DigestFunctions.class, "dense", DataTypes.BinaryType, plain);
    }
    return null;
  }

  // Called for each row.

  private static <T> T read(Supplier<T> step) {
    try {
      return step.get();
    } catch (IllegalArgumentException error) {
      throw TrinoFailure.argument(error.getMessage());
    }
  }

  public static long cardinality(byte[] set) {
    return read(() -> HyperLogLog.read(set).cardinality());
  }

  public static byte[] dense(byte[] set) {
    return read(() -> {
      HyperLogLog made = HyperLogLog.read(set);
      made.makeDense();
      return made.bytes();
    });
  }

  public static long setCardinality(byte[] digest) {
    return read(() -> SetDigest.read(digest).cardinality());
  }

  public static byte[] setOfDigest(byte[] digest) {
    return read(() -> SetDigest.hyperLogLog(digest));
  }

  public static long intersection(byte[] one, byte[] other) {
    return read(() -> SetDigest.intersection(SetDigest.read(one), SetDigest.read(other)));
  }

  public static double jaccard(byte[] one, byte[] other) {
    return read(() -> SetDigest.jaccard(SetDigest.read(one), SetDigest.read(other)));
  }

  public static MapData hashCounts(byte[] digest) {
    Map<Long, Short> counts = read(() -> SetDigest.read(digest).counts());
    return new ArrayBasedMapData(
        new GenericArrayData(counts.keySet().toArray()), new GenericArrayData(counts.values().toArray()));
  }

  public static double valueOfCentroids(byte[] digest, double quantile) {
    return read(() -> TDigest.read(digest).valuesAt(new double[] {quantile})[0]);
  }

  public static ArrayData valuesOfCentroids(byte[] digest, ArrayData quantiles) {
    double[] all = new double[quantiles.numElements()];
    for (int i = 0; i < all.length; i++) {
      all[i] = quantiles.isNullAt(i) ? 0 : quantiles.getDouble(i); // Trino reads what is behind a NULL, too
      if (i > 0 && all[i] < all[i - 1]) {
        throw TrinoFailure.argument("percentiles must be sorted in increasing order");
      }
    }
    return new GenericArrayData(read(() -> TDigest.read(digest).valuesAt(all)));
  }

  public static long bigintOfQuantiles(byte[] digest, double quantile) {
    return read(() -> QuantileDigest.read(digest).valueAt(quantile));
  }

  public static double doubleOfQuantiles(byte[] digest, double quantile) {
    return (double) SortableBits.value(bigintOfQuantiles(digest, quantile), DataTypes.DoubleType);
  }

  public static float realOfQuantiles(byte[] digest, double quantile) {
    return (float) SortableBits.value(bigintOfQuantiles(digest, quantile), DataTypes.FloatType);
  }

  public static ArrayData valuesOfQuantiles(byte[] digest, ArrayData quantiles, org.apache.spark.unsafe.types.UTF8String type) {
    DataType of = TrinoType.of(type.toString()).spark();
    QuantileDigest read = read(() -> QuantileDigest.read(digest));
    List<Object> found = new ArrayList<>();
    for (int i = 0; i < quantiles.numElements(); i++) {
      double quantile = quantiles.isNullAt(i) ? 0 : quantiles.getDouble(i);
      found.add(read(() -> SortableBits.value(read.valueAt(quantile), of)));
    }
    return new GenericArrayData(found.toArray());
  }

  public static Double quantileAt(byte[] digest, long value) {
    return read(() -> QuantileDigest.read(digest).quantileAt(value));
  }

  public static Double quantileAt(byte[] digest, double value) {
    return quantileAt(digest, SortableBits.of(value));
  }

  public static Double quantileAt(byte[] digest, float value) {
    return quantileAt(digest, SortableBits.of(value));
  }
}
