package sqe.spark.trino.digest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** The centroids of numbers, of which there are more at both ends; Trino's type {@code tdigest}, and its bytes. */
public final class TDigest implements Digest<TDigest> {
  private static final double COMPRESSION = 100;
  private static final int HEAD = 1 + 4 * Double.BYTES + Integer.BYTES;
  private static final int SPARE = 10;

  private final double compression;
  private final int capacity;
  private double[] means = new double[1];
  private double[] weights = new double[1];
  private int count;
  private double total;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;
  private boolean backwards;
  private boolean pending;

  public TDigest() {
    this(COMPRESSION);
  }

  private TDigest(double compression) {
    if (!(compression >= 10 && compression <= 10_000)) {
      throw new IllegalArgumentException("compression factor is out of range");
    }
    this.compression = compression;
    this.capacity = (int) (6 * (2 * compression + SPARE));
  }

  public static TDigest read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < HEAD || in.get() != 0) {
      throw new IllegalArgumentException("Invalid format");
    }
    double min = in.getDouble();
    double max = in.getDouble();
    TDigest made = new TDigest(in.getDouble());
    made.min = min;
    made.max = max;
    made.total = in.getDouble();
    int count = in.getInt();
    if (count < 0 || in.remaining() != 2L * Double.BYTES * count) {
      throw new IllegalArgumentException("Invalid format");
    }
    made.count = count;
    made.means = new double[Math.max(count, 1)];
    made.weights = new double[Math.max(count, 1)];
    for (int i = 0; i < count; i++) {
      made.means[i] = in.getDouble();
    }
    for (int i = 0; i < count; i++) {
      made.weights[i] = in.getDouble();
    }
    return made;
  }

  @Override
  public byte[] bytes() {
    merge(compression);
    ByteBuffer out = ByteBuffer.allocate(HEAD + 2 * Double.BYTES * count).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) 0).putDouble(min).putDouble(max).putDouble(compression).putDouble(total).putInt(count);
    for (int i = 0; i < count; i++) {
      out.putDouble(means[i]);
    }
    for (int i = 0; i < count; i++) {
      out.putDouble(weights[i]);
    }
    return out.array();
  }

  public boolean isEmpty() {
    return total == 0;
  }

  public void add(double value, double weight) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(Double.isNaN(value) ? "value is NaN" : "value must be finite");
    }
    if (count == means.length) {
      if (means.length < capacity) {
        grow(Math.min(means.length * 2, capacity));
      } else {
        merge(2 * compression);
      }
    }
    means[count] = value;
    weights[count] = weight;
    count++;
    total += weight;
    min = Math.min(min, value);
    max = Math.max(max, value);
    pending = true;
  }

  @Override
  public void merge(TDigest other) {
    if (count + other.count > means.length) {
      merge(2 * compression);
      other.merge(2 * compression);
      grow(count + other.count);
    }
    System.arraycopy(other.means, 0, means, count, other.count);
    System.arraycopy(other.weights, 0, weights, count, other.count);
    count += other.count;
    total += other.total;
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
    pending = true;
  }

  private void grow(int size) {
    if (means.length < size) {
      means = Arrays.copyOf(means, size);
      weights = Arrays.copyOf(weights, size);
    }
  }

  /** Puts neighbours together, once from the least and once from the greatest so that neither end is favoured. */
  private void merge(double factor) {
    if (count == 0) {
      return;
    }
    int[] order = order();
    double[] newMeans = new double[means.length];
    double[] newWeights = new double[means.length];
    double normalizer = factor / (4 * Math.log(total / factor) + 24);
    int last = 0;
    double mean = means[order[0]];
    double weight = weights[order[0]];
    newMeans[0] = mean;
    newWeights[0] = weight;
    double before = 0;
    double largest = largest(0, normalizer);
    for (int i = 1; i < count; i++) {
      double nextMean = means[order[i]];
      double nextWeight = weights[order[i]];
      double together = weight + nextWeight;
      double quantile = Math.min((before + together) / total, 1);
      if (together <= total * Math.min(largest, largest(quantile, normalizer))) {
        mean = mean + (nextMean - mean) * nextWeight / together;
        weight = together;
      } else {
        last++;
        before += weight;
        largest = largest(before / total, normalizer);
        mean = nextMean;
        weight = nextWeight;
      }
      newMeans[last] = mean;
      newWeights[last] = weight;
    }
    count = last + 1;
    if (backwards) {
      reverse(newMeans, count);
      reverse(newWeights, count);
    }
    backwards = !backwards;
    means = newMeans;
    weights = newWeights;
    pending = false;
  }

  private int[] order() {
    boolean sorted = IntStream.range(1, count).allMatch(i -> means[i - 1] <= means[i]);
    IntStream all = IntStream.range(0, count);
    int[] order = sorted ? all.toArray() : all.boxed().sorted(Comparator.comparingDouble(i -> means[i])).mapToInt(i -> i).toArray();
    if (backwards) {
      for (int i = 0, j = count - 1; i < j; i++, j--) {
        int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
      }
    }
    return order;
  }

  private static void reverse(double[] values, int size) {
    for (int i = 0, j = size - 1; i < j; i++, j--) {
      double kept = values[i];
      values[i] = values[j];
      values[j] = kept;
    }
  }

  private static double largest(double quantile, double normalizer) {
    return quantile * (1 - quantile) / normalizer;
  }

  /** The values at quantiles in increasing order; NaN where there is none. */
  public double[] valuesAt(double[] quantiles) {
    for (int i = 0; i < quantiles.length; i++) {
      if (i > 0 && quantiles[i] < quantiles[i - 1]) {
        throw new IllegalArgumentException("quantiles must be sorted in increasing order");
      }
      if (!(quantiles[i] >= 0 && quantiles[i] <= 1)) {
        throw new IllegalArgumentException("quantiles should be in [0, 1] range");
      }
    }
    if (pending) {
      merge(2 * compression);
    }
    double[] found = new double[quantiles.length];
    Place place = new Place();
    for (int i = 0; i < found.length; i++) {
      found[i] = count == 0 ? Double.NaN : count == 1 ? means[0] : place.at(quantiles[i] * total);
    }
    return found;
  }

  /** Goes through the centroids once, for offsets into the sequence of all values in increasing order. */
  private final class Place {
    private double before = weights[0] / 2;
    private int current;

    double at(double offset) {
      int last = count - 1;
      if (offset < 1) {
        return min;
      }
      if (offset < weights[0] / 2) {
        return min + between(offset, 1, min, weights[0] / 2, means[0]);
      }
      boolean wide = weights[last] / 2 > 1;
      if (offset <= total - 1 && total - offset <= weights[last] / 2 && wide) {
        return fromTop(offset);
      }
      if (offset >= total - 1) {
        return max;
      }
      while (current < last && before + step() <= offset) {
        before += step();
        current++;
      }
      if (current == last) {
        return offset <= total - 1 && wide ? fromTop(offset) : max;
      }
      return inside(offset - before);
    }

    private double step() {
      return (weights[current] + weights[current + 1]) / 2;
    }

    private double fromTop(double offset) {
      return max + between(total - offset, 1, max, weights[count - 1] / 2, means[count - 1]);
    }

    private double inside(double offset) {
      double left = weights[current];
      double right = weights[current + 1];
      if (left == 1 && offset < left / 2) {
        return means[current];
      }
      if (right == 1 && offset >= left / 2) {
        return means[current + 1];
      }
      double length = step();
      if (left == 1) {
        offset -= left / 2;
        length = right / 2;
      } else if (right == 1) {
        length = left / 2;
      }
      return means[current] + between(offset, 0, means[current], length, means[current + 1]);
    }
  }

  private static double between(double x, double x0, double y0, double x1, double y1) {
    return (x - x0) / (x1 - x0) * (y1 - y0);
  }
}
