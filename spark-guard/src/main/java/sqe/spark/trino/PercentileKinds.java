package sqe.spark.trino;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.LongType;
import sqe.spark.trino.digest.QuantileDigest;
import sqe.spark.trino.digest.TDigest;

/** Kinds of {@code approx_percentile}: their state is a digest, and the quantiles that are asked for. */
final class PercentileKinds {
  private PercentileKinds() {}

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
      asked.digest.add(value, DigestKinds.Checked.weight((double) values[1]));
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
        made[i] = DigestKinds.Checked.percentile(given.getDouble(i));
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
        DigestKinds.Checked.percentile(asked.quantiles[0]);
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
        asked.digest = new QuantileDigest(DigestKinds.Checked.accuracy((double) values[3]));
      }
      asked.digest.add(SortableBits.of(values[0]), DigestKinds.Checked.weight((long) values[1]));
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
      return SortableBits.value(asked.digest.valueAt(DigestKinds.Checked.percentile(asked.quantile)), input);
    }
  }
}
