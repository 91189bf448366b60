package sqe.spark.trino;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.trino.digest.Digest;
import sqe.spark.trino.digest.FrequentValues;
import sqe.spark.trino.digest.HyperLogLog;
import sqe.spark.trino.digest.NumericHistogram;
import sqe.spark.trino.digest.QuantileDigest;
import sqe.spark.trino.digest.SetDigest;
import sqe.spark.trino.digest.TDigest;
import sqe.spark.trino.digest.ValueHash;

/** Kinds of aggregates whose state is a digest of the values. */
final class DigestKinds {
  private DigestKinds() {}

  /** A state that is a digest, and by default the result too. */
  interface OfDigest<D extends Digest<D>> extends StateAggregate.Kind {
    @Override
    D read(byte[] bytes);

    @Override
    default DataType type() {
      return DataTypes.BinaryType;
    }

    @Override
    @SuppressWarnings("unchecked") // the states of a kind are of one class
    default Object merge(Object state, Object other) {
      ((D) state).merge((D) other);
      return state;
    }

    @Override
    default byte[] write(Object state) {
      return ((Digest<?>) state).bytes();
    }

    @Override
    default Object result(Object state) {
      return state == null ? null : write(state);
    }
  }

  /** Arguments of digests, within the bounds that Trino has for them. */
  static final class Checked {
    private Checked() {}

    static double weight(double weight) {
      if (!Double.isFinite(weight)) {
        throw TrinoFailure.argument("weight must be finite, was " + weight);
      }
      if (weight < 1) {
        throw TrinoFailure.argument("weight must be >= 1, was " + weight);
      }
      return weight;
    }

    static long weight(long weight) {
      if (weight <= 0) {
        throw TrinoFailure.argument("Percentile weight must be > 0, was " + weight);
      }
      return weight;
    }

    static double accuracy(double accuracy) {
      if (!(accuracy > 0 && accuracy < 1)) {
        throw TrinoFailure.argument("Percentile accuracy must be exclusively between 0 and 1, was " + accuracy);
      }
      return accuracy;
    }

    static double percentile(double percentile) {
      if (!(percentile >= 0 && percentile <= 1)) {
        throw TrinoFailure.argument("Percentile must be between 0 and 1");
      }
      return percentile;
    }
  }

  record ApproxDistinct(DataType input, int precision) implements OfDigest<HyperLogLog> {
    private static final double LEAST_ERROR = 0.0040625;
    private static final double GREATEST_ERROR = 0.26;

    @Override
    public String function() {
      return "approx_distinct";
    }

    @Override
    public DataType type() {
      return DataTypes.LongType;
    }

    @Override
    public HyperLogLog read(byte[] bytes) {
      return HyperLogLog.read(bytes);
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

  record ApproxSet() implements OfDigest<HyperLogLog> {
    @Override
    public String function() {
      return "approx_set";
    }

    @Override
    public String typed() {
      return DigestAggregates.HYPER_LOG_LOG;
    }

    @Override
    public HyperLogLog read(byte[] bytes) {
      return HyperLogLog.read(bytes);
    }

    @Override
    public Object add(Object state, Object[] values) {
      HyperLogLog set = state == null ? new HyperLogLog(DigestAggregates.SET_BUCKETS) : (HyperLogLog) state;
      if (values[0] instanceof UTF8String text) {
        set.add(text.getBytes());
      } else {
        set.add(values[0] instanceof Double number ? Double.doubleToLongBits(number) : (long) values[0]);
      }
      return set;
    }
  }

  record TDigestAgg() implements OfDigest<TDigest> {
    @Override
    public String function() {
      return "tdigest_agg";
    }

    @Override
    public String typed() {
      return DigestAggregates.TDIGEST;
    }

    @Override
    public TDigest read(byte[] bytes) {
      return TDigest.read(bytes);
    }

    @Override
    public Object add(Object state, Object[] values) {
      TDigest digest = state == null ? new TDigest() : (TDigest) state;
      digest.add((double) values[0], Checked.weight((double) values[1]));
      return digest;
    }
  }

  record QDigestAgg(String typed) implements OfDigest<QuantileDigest> {
    @Override
    public String function() {
      return "qdigest_agg";
    }

    @Override
    public QuantileDigest read(byte[] bytes) {
      return QuantileDigest.read(bytes);
    }

    @Override
    public Object add(Object state, Object[] values) {
      double accuracy = Checked.accuracy((double) values[2]);
      QuantileDigest digest = state == null ? new QuantileDigest(accuracy) : (QuantileDigest) state;
      digest.add(SortableBits.of(values[0]), Checked.weight((long) values[1]));
      return digest;
    }
  }

  record MadeSetDigest() implements OfDigest<SetDigest> {
    @Override
    public String function() {
      return "make_set_digest";
    }

    @Override
    public String typed() {
      return DigestAggregates.SET_DIGEST;
    }

    @Override
    public SetDigest read(byte[] bytes) {
      return SetDigest.read(bytes);
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
      } else if (value instanceof Decimal decimal) {
        digest.add(decimal.toUnscaledLong());
      } else {
        digest.add(((Number) value).longValue());
      }
      return digest;
    }
  }

  /** Digests of a type of Trino's that become one. */
  enum Mergeable {
    HYPER_LOG_LOG(HyperLogLog::read),
    TDIGEST(TDigest::read),
    QDIGEST(QuantileDigest::read),
    SET_DIGEST(SetDigest::read);

    private final Function<byte[], Digest<?>> reader;

    Mergeable(Function<byte[], Digest<?>> reader) {
      this.reader = reader;
    }
  }

  record Merged<D extends Digest<D>>(String function, Mergeable digests, String typed) implements OfDigest<D> {
    @Override
    @SuppressWarnings("unchecked") // the digests of a kind are of one class
    public D read(byte[] bytes) {
      return (D) digests.reader.apply(bytes);
    }

    @Override
    public Object add(Object state, Object[] values) {
      D other = read((byte[]) values[0]);
      return state == null ? other : merge(state, other);
    }
  }

  record Histogram(boolean wide) implements OfDigest<NumericHistogram> {
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
    public NumericHistogram read(byte[] bytes) {
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

  record Frequent(boolean text) implements OfDigest<FrequentValues> {
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
    public FrequentValues read(byte[] bytes) {
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
