package sqe.spark.isolation;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Readings of this JVM's heap. */
final class Heap {
  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
  private static final List<MemoryPoolMXBean> POOLS =
      ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP).toList();
  private static final Set<String> NAMES = POOLS.stream().map(MemoryPoolMXBean::getName).collect(Collectors.toSet());

  /** A collection of the whole heap stops all threads: at most a quarter of the time goes to those that we ask for. */
  private static final long COST = 3;

  private static final long SHORTEST_PAUSE_MILLIS = 2_000;

  private static long nextCollection = Long.MIN_VALUE;

  private Heap() {}

  /** The end of a garbage collection, and the bytes that it left in the heap. */
  record Collection(long ended, long left) {}

  static long max() {
    return Runtime.getRuntime().maxMemory();
  }

  /** Return the bytes in use, garbage included. */
  static long used() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Return the bytes in use by objects that are old or large, garbage among them included. */
  static long old() {
    long sum = 0;
    for (MemoryPoolMXBean pool : POOLS) {
      if (pool.getName().contains("Old") || pool.getName().contains("Tenured")) {
        sum += pool.getUsage().getUsed();
      }
    }
    return sum;
  }

  static Collection last() {
    Collection last = new Collection(0, 0);
    for (GarbageCollectorMXBean collector : COLLECTORS) {
      GcInfo info = collector.getLastGcInfo();
      if (info != null && info.getEndTime() >= last.ended()) {
        long left = 0;
        for (Map.Entry<String, MemoryUsage> pool : info.getMemoryUsageAfterGc().entrySet()) {
          left += NAMES.contains(pool.getKey()) ? pool.getValue().getUsed() : 0;
        }
        last = new Collection(info.getEndTime(), left);
      }
    }
    return last;
  }

  /** Collect the whole heap, unless that was done lately. Return whether it was done now. */
  static synchronized boolean collect() {
    if (System.nanoTime() / 1_000_000 < nextCollection) {
      return false;
    }
    collectNow();
    return true;
  }

  static synchronized void collectNow() {
    long start = System.nanoTime() / 1_000_000;
    System.gc();
    long end = System.nanoTime() / 1_000_000;
    nextCollection = end + Math.max(SHORTEST_PAUSE_MILLIS, COST * (end - start));
  }
}
