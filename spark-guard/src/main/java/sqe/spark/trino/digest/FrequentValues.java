package sqe.spark.trino.digest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The values that are there most often, counted with a limited number of counters (the algorithm Space-Saving). */
public final class FrequentValues implements Digest<FrequentValues> {
  private static final int MOST_COUNTERS = 10_000_000;

  private final int buckets;
  private final int capacity;
  private final Map<Key, Counter> counters = new HashMap<>();

  /** The counters by their counts, and those of one count in the order in which they got it. */
  private final TreeMap<Rank, Counter> order = new TreeMap<>();

  private long clock;

  public FrequentValues(long buckets, long capacity) {
    if (capacity < 1 || buckets > MOST_COUNTERS || capacity > MOST_COUNTERS) {
      throw new IllegalArgumentException("approx_most_frequent takes a capacity of 1 to " + MOST_COUNTERS);
    }
    this.buckets = (int) buckets;
    this.capacity = (int) capacity;
  }

  /** A value's bytes, with their own equality. */
  private record Key(byte[] bytes) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  private record Rank(long count, long since) implements Comparable<Rank> {
    @Override
    public int compareTo(Rank other) {
      int by = Long.compare(other.count, count);
      return by != 0 ? by : Long.compare(since, other.since);
    }
  }

  private static final class Counter {
    private Key key;
    private Rank rank;
  }

  public static FrequentValues read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    FrequentValues made = new FrequentValues(in.getInt(), in.getInt());
    while (in.hasRemaining()) {
      long count = in.getLong();
      byte[] value = new byte[in.getInt()];
      in.get(value);
      made.add(value, count);
    }
    return made;
  }

  @Override
  public byte[] bytes() {
    int size = 2 * Integer.BYTES;
    for (Counter each : order.values()) {
      size = Math.addExact(size, Long.BYTES + Integer.BYTES + each.key.bytes.length);
    }
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).putInt(buckets).putInt(capacity);
    for (Counter each : order.values()) {
      out.putLong(each.rank.count).putInt(each.key.bytes.length).put(each.key.bytes);
    }
    return out.array();
  }

  public void add(byte[] value, long times) {
    Key key = new Key(value);
    Counter counter = counters.get(key);
    if (counter == null) {
      if (counters.size() < capacity) {
        counter = new Counter();
        counter.rank = new Rank(0, 0);
      } else {
        counter = order.pollLastEntry().getValue();
        counters.remove(counter.key);
      }
      counter.key = key;
      counters.put(key, counter);
    } else {
      order.remove(counter.rank);
    }
    counter.rank = new Rank(counter.rank.count + times, clock++);
    order.put(counter.rank, counter);
  }

  @Override
  public void merge(FrequentValues other) {
    for (Counter each : other.order.values()) {
      add(each.key.bytes, each.rank.count);
    }
  }

  /** The values with their counts, the most frequent first. */
  public List<Map.Entry<byte[], Long>> most() {
    List<Map.Entry<byte[], Long>> found = new ArrayList<>();
    for (Counter each : order.values()) {
      if (found.size() == buckets) {
        break;
      }
      found.add(Map.entry(each.key.bytes, each.rank.count));
    }
    return found;
  }
}
