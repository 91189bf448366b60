package sqe.spark.trino.digest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.util.HyperLogLogPlusPlusHelper$;

/** An estimate of how many different values there are; Trino's type {@code HyperLogLog}, and its bytes. */
public final class HyperLogLog implements Digest<HyperLogLog> {
  private static final byte SPARSE = 2;
  private static final byte DENSE_OF_ONE_OVERFLOW = 1;
  private static final byte DENSE = 3;

  /** A sparse entry is this many bits of the hash, and the number of zeros that follow them. */
  private static final int PREFIX = 26;

  private static final int VALUE_BITS = 6;
  private static final int LARGEST_DELTA = 15;
  private static final double FEW_ARE_SET = 0.4;

  /** What the objects of Trino's two forms take beside their arrays; the larger form is taken when it is not larger any more. */
  private static final int SPARSE_OBJECT = 24 + 16;

  private static final int DENSE_OBJECT = 40 + 16;

  private static final int GROWTH = 10;

  /** The constants of the paper (Heule and others, "HyperLogLog in Practice"), by the number of bits less four. */
  private static final double[][] ESTIMATES = HyperLogLogPlusPlusHelper$.MODULE$.RAW_ESTIMATE_DATA();

  private static final double[][] BIASES = HyperLogLogPlusPlusHelper$.MODULE$.BIAS_DATA();

  private final int bits;
  private int[] entries = new int[1];
  private int size;

  /** The values of all buckets; null as long as the set is sparse. */
  private byte[] buckets;

  public HyperLogLog(int numberOfBuckets) {
    this.bits = Integer.numberOfTrailingZeros(numberOfBuckets);
    if (bits < 4 || bits > 16) {
      throw new IllegalArgumentException("Cannot deserialize HyperLogLog");
    }
  }

  public static HyperLogLog read(byte[] bytes) {
    try {
      return readChecked(bytes);
    } catch (java.nio.BufferUnderflowException | IndexOutOfBoundsException error) {
      throw new IllegalArgumentException("Cannot deserialize HyperLogLog", error);
    }
  }

  private static HyperLogLog readChecked(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    byte format = in.get();
    if (format != SPARSE && format != DENSE && format != DENSE_OF_ONE_OVERFLOW) {
      throw new IllegalArgumentException("Cannot deserialize HyperLogLog");
    }
    byte bits = in.get();
    HyperLogLog made = new HyperLogLog(bits < 4 || bits > 16 ? 1 : 1 << bits);
    if (format == SPARSE) {
      made.size = Short.toUnsignedInt(in.getShort());
      made.entries = new int[Math.max(made.size, 1)];
      for (int i = 0; i < made.size; i++) {
        made.entries[i] = in.getInt();
      }
    } else {
      made.readDense(in, format);
    }
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("input is too big");
    }
    return made;
  }

  private void readDense(ByteBuffer in, byte format) {
    byte baseline = in.get();
    buckets = new byte[1 << bits];
    for (int i = 0; i < buckets.length; i += 2) {
      byte both = in.get();
      buckets[i] = (byte) (baseline + ((both >> 4) & LARGEST_DELTA));
      buckets[i + 1] = (byte) (baseline + (both & LARGEST_DELTA));
    }
    if (format == DENSE_OF_ONE_OVERFLOW) {
      int bucket = in.getShort();
      byte value = in.get();
      if (bucket >= 0 && value > 0) {
        buckets[bucket] += value;
      }
      return;
    }
    int[] overflows = new int[Short.toUnsignedInt(in.getShort())];
    for (int i = 0; i < overflows.length; i++) {
      overflows[i] = Short.toUnsignedInt(in.getShort());
    }
    for (int bucket : overflows) {
      buckets[bucket] += in.get();
    }
  }

  @Override
  public byte[] bytes() {
    if (buckets == null) {
      ByteBuffer out = ByteBuffer.allocate(4 + Integer.BYTES * size).order(ByteOrder.LITTLE_ENDIAN);
      out.put(SPARSE).put((byte) bits).putShort((short) size);
      for (int i = 0; i < size; i++) {
        out.putInt(entries[i]);
      }
      return out.array();
    }
    int baseline = baseline();
    int[] overflows = new int[buckets.length];
    int found = 0;
    for (int i = 0; i < buckets.length; i++) {
      if (buckets[i] - baseline > LARGEST_DELTA) {
        overflows[found++] = i;
      }
    }
    ByteBuffer out = ByteBuffer.allocate(3 + buckets.length / 2 + Short.BYTES + 3 * found).order(ByteOrder.LITTLE_ENDIAN);
    out.put(DENSE).put((byte) bits).put((byte) baseline);
    for (int i = 0; i < buckets.length; i += 2) {
      out.put((byte) (delta(i, baseline) << 4 | delta(i + 1, baseline)));
    }
    out.putShort((short) found);
    for (int i = 0; i < found; i++) {
      out.putShort((short) overflows[i]);
    }
    for (int i = 0; i < found; i++) {
      out.put((byte) (buckets[overflows[i]] - baseline - LARGEST_DELTA));
    }
    return out.array();
  }

  private int delta(int bucket, int baseline) {
    return Math.min(buckets[bucket] - baseline, LARGEST_DELTA);
  }

  private int baseline() {
    int least = Byte.MAX_VALUE;
    for (byte each : buckets) {
      least = Math.min(least, each);
    }
    return least;
  }

  public void add(long value) {
    addHash(ValueHash.murmur(value));
  }

  public void add(byte[] value) {
    addHash(ValueHash.murmur(value));
  }

  public void addHash(long hash) {
    if (buckets != null) {
      set((int) (hash >>> (Long.SIZE - bits)), zeros(hash, bits) + 1);
      return;
    }
    int prefix = (int) (hash >>> (Long.SIZE - PREFIX));
    int entry = prefix << VALUE_BITS | zeros(hash, PREFIX);
    int at = search(prefix);
    if (at >= 0) {
      // Entries of one prefix differ in the number of zeros alone.
      entries[at] = Integer.compareUnsigned(entries[at], entry) < 0 ? entry : entries[at];
    } else {
      if (size == entries.length) {
        entries = Arrays.copyOf(entries, entries.length + GROWTH);
      }
      at = -at - 1;
      System.arraycopy(entries, at, entries, at + 1, size - at);
      entries[at] = entry;
      size++;
    }
    growDense();
  }

  private int search(int prefix) {
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = entries[middle] >>> VALUE_BITS;
      if (found < prefix) {
        low = middle + 1;
      } else if (found > prefix) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return -(low + 1);
  }

  private void growDense() {
    if (SPARSE_OBJECT + Integer.BYTES * entries.length > DENSE_OBJECT + (1 << bits) / 2) {
      makeDense();
    }
  }

  public void makeDense() {
    if (buckets != null) {
      return;
    }
    buckets = new byte[1 << bits];
    each(this);
    entries = new int[0];
    size = 0;
  }

  /** Sets the buckets of a dense set to what the entries of this sparse one say. */
  private void each(HyperLogLog dense) {
    int more = PREFIX - bits;
    for (int i = 0; i < size; i++) {
      int zeros = Integer.numberOfLeadingZeros(entries[i] << bits);
      dense.set(entries[i] >>> (Integer.SIZE - bits), (zeros >= more ? more + (entries[i] & ((1 << VALUE_BITS) - 1)) : zeros) + 1);
    }
  }

  private void set(int bucket, int value) {
    buckets[bucket] = (byte) Math.max(buckets[bucket], value);
  }

  /** Of the bits behind the first ones; at most as many as there are. */
  private static int zeros(long hash, int first) {
    return Long.numberOfLeadingZeros(hash << first | 1L << (first - 1));
  }

  @Override
  public void merge(HyperLogLog other) {
    if (bits != other.bits) {
      throw new IllegalArgumentException(
          "Cannot merge HLLs with different number of buckets: " + (1 << bits) + " vs " + (1 << other.bits));
    }
    if (buckets == null && other.buckets == null) {
      mergeSparse(other);
      growDense();
      return;
    }
    makeDense();
    if (other.buckets == null) {
      other.each(this);
    } else {
      for (int i = 0; i < buckets.length; i++) {
        set(i, other.buckets[i]);
      }
    }
  }

  private void mergeSparse(HyperLogLog other) {
    int[] merged = new int[size + other.size];
    int left = 0;
    int right = 0;
    int made = 0;
    while (left < size || right < other.size) {
      if (right == other.size || (left < size && entries[left] >>> VALUE_BITS < other.entries[right] >>> VALUE_BITS)) {
        merged[made++] = entries[left++];
      } else if (left == size || entries[left] >>> VALUE_BITS > other.entries[right] >>> VALUE_BITS) {
        merged[made++] = other.entries[right++];
      } else {
        int one = entries[left++];
        int two = other.entries[right++];
        merged[made++] = Integer.compareUnsigned(one, two) < 0 ? two : one;
      }
    }
    entries = Arrays.copyOf(merged, Math.max(made, 1));
    size = made;
  }

  public long cardinality() {
    if (buckets == null) {
      return linear((1 << PREFIX) - size, 1 << PREFIX);
    }
    int empty = 0;
    double sum = 0;
    for (byte value : buckets) {
      empty += value == 0 ? 1 : 0;
      sum += 1.0 / (1L << value);
    }
    if (empty > FEW_ARE_SET * buckets.length) {
      return linear(empty, buckets.length);
    }
    double estimate = alpha() * buckets.length * buckets.length / sum;
    return Math.round(estimate - bias(estimate));
  }

  private static long linear(int empty, int all) {
    return Math.round(all * Math.log(all * 1.0 / empty));
  }

  private double alpha() {
    return switch (bits) {
      case 4 -> 0.673;
      case 5 -> 0.697;
      case 6 -> 0.709;
      default -> 0.7213 / (1 + 1.079 / buckets.length);
    };
  }

  private double bias(double estimate) {
    double[] estimates = ESTIMATES[bits - 4];
    double[] biases = BIASES[bits - 4];
    if (estimate < estimates[0] || estimate > estimates[estimates.length - 1]) {
      return 0;
    }
    int at = Arrays.binarySearch(estimates, estimate);
    if (at >= 0) {
      return biases[at];
    }
    at = -at - 1;
    double x0 = estimates[at - 1];
    double y0 = biases[at - 1];
    return (estimate - x0) * (biases[at] - y0) / (estimates[at] - x0) + y0;
  }
}
