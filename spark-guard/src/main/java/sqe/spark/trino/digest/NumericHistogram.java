package sqe.spark.trino.digest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/** At most so many buckets of numbers, made by putting those together whose variance grows the least. */
public final class NumericHistogram implements Digest<NumericHistogram> {
  private static final int SPARE = 100;
  private static final int MOST_BUCKETS = 1_000_000;

  private final int most;
  private double[] values;
  private double[] weights;
  private int size;

  public NumericHistogram(long buckets) {
    if (buckets > MOST_BUCKETS) {
      throw new IllegalArgumentException("numeric_histogram takes at most " + MOST_BUCKETS + " buckets");
    }
    this.most = (int) buckets;
    this.values = new double[16];
    this.weights = new double[16];
  }

  public static NumericHistogram read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    NumericHistogram made = new NumericHistogram(in.getInt());
    int size = in.remaining() / (2 * Double.BYTES);
    for (int i = 0; i < size; i++) {
      made.add(in.getDouble(), in.getDouble());
    }
    return made;
  }

  @Override
  public byte[] bytes() {
    compact();
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + 2 * Double.BYTES * size).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(most);
    for (int i = 0; i < size; i++) {
      out.putDouble(values[i]).putDouble(weights[i]);
    }
    return out.array();
  }

  public void add(double value, double weight) {
    if (size == values.length) {
      if (size < most + SPARE) {
        int larger = Math.min(Math.max(2 * size, 16), most + SPARE);
        values = Arrays.copyOf(values, larger);
        weights = Arrays.copyOf(weights, larger);
      } else {
        compact();
      }
    }
    values[size] = value;
    weights[size] = weight;
    size++;
  }

  @Override
  public void merge(NumericHistogram other) {
    int both = size + other.size;
    double[] allValues = Arrays.copyOf(values, both);
    double[] allWeights = Arrays.copyOf(weights, both);
    System.arraycopy(other.values, 0, allValues, size, other.size);
    System.arraycopy(other.weights, 0, allWeights, size, other.size);
    values = allValues;
    weights = allWeights;
    size = both;
    compact();
  }

  /** Values and weights of the buckets, in the order of the values. */
  public double[][] buckets() {
    compact();
    return new double[][] {Arrays.copyOf(values, size), Arrays.copyOf(weights, size)};
  }

  private void compact() {
    sort();
    int same = 0;
    for (int i = 1; i < size; i++) {
      if (values[same] == values[i]) {
        weights[same] += weights[i];
      } else {
        same++;
        values[same] = values[i];
        weights[same] = weights[i];
      }
    }
    size = size == 0 ? 0 : same + 1;
    if (size > most) {
      shrink();
    }
  }

  private void sort() {
    int[] order =
        IntStream.range(0, size).boxed().sorted(Comparator.comparingDouble(i -> values[i])).mapToInt(i -> i).toArray();
    double[] sortedValues = new double[Math.max(values.length, size)];
    double[] sortedWeights = new double[sortedValues.length];
    for (int i = 0; i < size; i++) {
      sortedValues[i] = values[order[i]];
      sortedWeights[i] = weights[order[i]];
    }
    values = sortedValues;
    weights = sortedWeights;
  }

  private void shrink() {
    PriorityQueue<Bucket> queue = new PriorityQueue<>(size);
    Bucket after = null;
    for (int i = size - 1; i >= 0; i--) {
      after = new Bucket(i, values[i], weights[i], null, after);
      queue.add(after);
    }
    for (int left = size; left > most; ) {
      Bucket current = queue.poll();
      if (current.gone) {
        continue;
      }
      left--;
      Bucket right = current.right;
      double weight = current.weight + right.weight;
      double value = (current.value * current.weight + right.value * right.weight) / weight;
      right.gone = true;
      Bucket before = current.left;
      Bucket merged = new Bucket(current.id, value, weight, null, right.right);
      queue.add(merged);
      if (before != null) {
        before.gone = true;
        queue.add(new Bucket(before.id, before.value, before.weight, before.left, merged));
      }
    }
    size = 0;
    for (Bucket bucket : queue) {
      if (!bucket.gone) {
        values[size] = bucket.value;
        weights[size] = bucket.weight;
        size++;
      }
    }
    sort();
  }

  private static final class Bucket implements Comparable<Bucket> {
    private final int id;
    private final double value;
    private final double weight;
    private final double penalty;
    private Bucket left;
    private Bucket right;
    private boolean gone;

    Bucket(int id, double value, double weight, Bucket left, Bucket right) {
      this.id = id;
      this.value = value;
      this.weight = weight;
      this.left = left;
      this.right = right;
      if (right != null) {
        right.left = this;
      }
      if (left != null) {
        left.right = this;
      }
      this.penalty = right == null ? Double.POSITIVE_INFINITY : penalty(right);
    }

    private double penalty(Bucket next) {
      double sum = weight + next.weight;
      double distance = (value - next.value) * (value - next.value);
      return sum * distance * ((weight * next.weight) / (sum * sum));
    }

    @Override
    public int compareTo(Bucket other) {
      int order = Double.compare(penalty, other.penalty);
      return order != 0 ? order : Integer.compare(id, other.id);
    }
  }
}
