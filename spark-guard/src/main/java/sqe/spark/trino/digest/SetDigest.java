package sqe.spark.trino.digest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The least hashes of a set's values, how often each was there, and a HyperLogLog; Trino's type {@code SetDigest}, and its bytes. */
public final class SetDigest implements Digest<SetDigest> {
  private static final byte FORMAT = 1;
  private static final int BUCKETS = 2048;
  private static final int MOST_HASHES = 8192;

  private final int most;
  private final HyperLogLog all;
  private final TreeMap<Long, Short> hashes = new TreeMap<>();

  public SetDigest() {
    this(MOST_HASHES, new HyperLogLog(BUCKETS));
  }

  private SetDigest(int most, HyperLogLog all) {
    this.most = most;
    this.all = all;
  }

  public static SetDigest read(byte[] bytes) {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      HyperLogLog all = HyperLogLog.read(hyperLogLog(in));
      SetDigest made = new SetDigest(in.getInt(), all);
      int size = in.getInt();
      if (size < 0 || in.remaining() != (long) size * (Long.BYTES + Short.BYTES)) {
        throw new IllegalArgumentException("Cannot deserialize SetDigest");
      }
      int counts = in.position() + size * Long.BYTES;
      for (int i = 0; i < size; i++) {
        made.hashes.put(in.getLong(), in.getShort(counts + i * Short.BYTES));
      }
      return made;
    } catch (java.nio.BufferUnderflowException | NegativeArraySizeException error) {
      throw new IllegalArgumentException("Cannot deserialize SetDigest", error);
    }
  }

  private static byte[] hyperLogLog(ByteBuffer in) {
    if (in.get() != FORMAT) {
      throw new IllegalArgumentException("Unexpected version");
    }
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("Cannot deserialize SetDigest");
    }
    byte[] part = new byte[length];
    in.get(part);
    return part;
  }

  /** The bytes of the HyperLogLog in those of a SetDigest. */
  public static byte[] hyperLogLog(byte[] bytes) {
    if (bytes.length < 5) {
      throw new IllegalArgumentException("Cannot deserialize SetDigest");
    }
    return hyperLogLog(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  @Override
  public byte[] bytes() {
    byte[] part = all.bytes();
    int size = 1 + Integer.BYTES + part.length + 2 * Integer.BYTES + hashes.size() * (Long.BYTES + Short.BYTES);
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.put(FORMAT).putInt(part.length).put(part).putInt(most).putInt(hashes.size());
    hashes.keySet().forEach(out::putLong);
    hashes.values().forEach(out::putShort);
    return out.array();
  }

  public void add(long value) {
    add(ValueHash.murmur(value), 1);
    all.add(value);
  }

  public void add(byte[] value) {
    add(ValueHash.murmur(value), 1);
    all.add(value);
  }

  private void add(long hash, int times) {
    int sum = hashes.getOrDefault(hash, (short) 0) + times;
    hashes.put(hash, (short) Math.min(sum, Short.MAX_VALUE));
    if (hashes.size() > most) {
      hashes.pollLastEntry();
    }
  }

  @Override
  public void merge(SetDigest other) {
    all.merge(other.all);
    for (Map.Entry<Long, Short> each : other.hashes.entrySet()) {
      add(each.getKey(), each.getValue());
    }
  }

  private boolean isExact() {
    return hashes.size() < most;
  }

  public long cardinality() {
    return isExact() ? hashes.size() : all.cardinality();
  }

  /** How many of the least hashes of both are in both; NaN when one of them is empty. */
  public static double jaccard(SetDigest one, SetDigest other) {
    int least = Math.min(one.hashes.size(), other.hashes.size());
    TreeMap<Long, Short> union = new TreeMap<>(one.hashes);
    union.putAll(other.hashes);
    int both = 0;
    int seen = 0;
    for (Long hash : union.keySet()) {
      both += one.hashes.containsKey(hash) && other.hashes.containsKey(hash) ? 1 : 0;
      if (++seen >= least) {
        break;
      }
    }
    return both / (double) least;
  }

  /** How many values are in both; {@code one} is of no use afterwards. */
  public static long intersection(SetDigest one, SetDigest other) {
    if (one.isExact() && other.isExact()) {
      return one.hashes.keySet().stream().filter(other.hashes::containsKey).count();
    }
    long smaller = Math.min(one.cardinality(), other.cardinality());
    double shared = jaccard(one, other);
    one.merge(other);
    return Math.min(Math.round(shared * one.cardinality()), smaller);
  }

  public SortedMap<Long, Short> counts() {
    return hashes;
  }
}
