package sqe.spark.isolation;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Estimates how much of the heap each task holds.
 *
 * <p>The JVM tells how much each thread has allocated, and how much of the heap is in use after each collection, but not whose
 * that is. A task that makes garbage allocates more than one that keeps what it makes. So each growth of the heap is divided
 * among the tasks by what each has allocated since the last collection, times the part of its earlier allocations that is
 * held to have stayed; what was given to it makes that part larger or smaller the next time.
 *
 * @param <K> what stands for a task
 */
final class MemoryShares<K> {
  /** Until this much was allocated, half of it is held to stay. */
  private static final double PRIOR = 32 << 20;

  private final Map<K, Share> shares = new HashMap<>();

  private static final class Share {
    private double allocated;
    private double kept;
    private double recent;

    private double rate() {
      return (kept + PRIOR / 2) / (allocated + PRIOR);
    }
  }

  /** Note that a task has allocated some more. */
  void allocated(K task, long bytes) {
    shares.computeIfAbsent(task, key -> new Share()).recent += bytes;
  }

  /** Divide the change of the heap's use since the last collection. */
  void collected(long before, long after) {
    double expected = 0;
    for (Share share : shares.values()) {
      expected += share.rate() * share.recent;
    }
    double growth = Math.max(0, after - before);
    double left = after < before && before > 0 ? (double) after / before : 1;
    for (Share share : shares.values()) {
      double part = expected > 0 ? growth * share.rate() * share.recent / expected : 0;
      share.kept = (share.kept + Math.min(part, share.recent)) * left;
      share.allocated += share.recent;
      share.recent = 0;
    }
  }

  /** Forget all other tasks: what one held is free when it has ended. */
  void retain(Collection<K> tasks) {
    shares.keySet().retainAll(tasks);
  }

  /** Return what the task is held to keep. Before the next collection, what it has just allocated counts in part. */
  long of(K task) {
    Share share = shares.get(task);
    return share == null ? 0 : (long) (share.kept + share.rate() * share.recent);
  }
}
