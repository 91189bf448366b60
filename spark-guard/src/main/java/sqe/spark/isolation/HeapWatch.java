package sqe.spark.isolation;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the largest statement before the heap is full, so that the others go on.
 *
 * <p>Spark counts the memory of sorts, joins and hash tables and spills it, but not that of {@code collect_list}, of single values
 * and of results. When what is left after a collection comes close to the size of the heap, the user who holds the most
 * loses the largest of his or her statements. If no statement is to blame, the engine is replaced.
 */
public final class HeapWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HeapWatch.class);
  private static final long PERIOD_MILLIS = 100;

  /**
   * From here on the whole heap is collected to see how much is really in use, and if it is still that much a statement is ended. The
   * memory that Spark counts is at most 60 % of the heap.
   */
  private static final double FULL = 0.70;

  /** From here on there is no time to look twice: a full heap makes every thread wait for the collector. */
  private static final double BRIM = 0.80;

  /** What is left free for other statements when one asks for a large piece. */
  private static final double RESERVE = 0.10;

  /** What rows may take between two looks; a collector that has less room than this hardly lets anything else run. */
  private static final double ROOM_FOR_ROWS = 0.05;

  /** Pieces of this size and less are not counted. */
  private static final long SMALL = 1 << 20;

  /** How long a statement that was ended may take before the next one is. */
  private static final long TO_END_MILLIS = 5_000;

  /** After this many collections in a row that left the heap full the JVM is of no use. */
  private static final int HOPELESS = 5;

  /** A thread of Spark's own had no memory for a statement's result. */
  private static volatile boolean exhausted;

  private final StatementEnd end;
  private final ExecuteThreads executeThreads = new ExecuteThreads();
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final MemoryShares<Object> shares = new MemoryShares<>();
  private final Map<Object, Long> allocated = new HashMap<>();
  private Heap.Collection last = Heap.last();
  private Map<Statement, Long> sizes = Map.of();
  private Statement ended = Statement.NONE;
  private long endedAt;
  private boolean ending; // its tasks still run
  private int hopeless;

  HeapWatch(SparkContext context) {
    end = new StatementEnd(context);
  }

  /**
   * Let a statement make one large piece of data, or end the statement. To be called in its thread, before the allocation.
   *
   * @throws QueryMemory if the heap has no room for it
   */
  public static void admit(long bytes) {
    if (bytes > SMALL && !fits(bytes, Heap.used())) {
      Heap.collect();
      // Between two collections of the whole heap the last one of any kind has to do.
      if (!fits(bytes, Math.min(Heap.used(), Heap.last().left()))) {
        throw new QueryMemory();
      }
    }
  }

  /**
   * Let a statement go on to make rows, or end the statement. It is slower than {@link #admit}, but is needed where rows come faster
   * than the thread of this class gets to run.
   *
   * @throws QueryMemory if the heap is nearly full of what is in use
   */
  static void admitRows() {
    if (Heap.used() > BRIM * Heap.max()) {
      admit((long) (Heap.max() * ROOM_FOR_ROWS));
    }
  }

  /** End the largest statement soon, whatever the heap looks like then. */
  static void exhausted() {
    exhausted = true;
  }

  private static boolean fits(long bytes, long used) {
    return bytes <= Heap.max() * (1 - RESERVE) - used;
  }

  @Override
  public void run() {
    while (true) {
      try {
        Thread.sleep(PERIOD_MILLIS);
        measure();
        relieve();
      } catch (InterruptedException stop) {
        return;
      } catch (RuntimeException | OutOfMemoryError failure) {
        LOG.warn("the heap was not checked", failure);
      }
    }
  }

  /** Bring the estimates up to date. */
  private void measure() {
    Map<Object, Statement> alive = new HashMap<>();
    Map<Statement, Long> found = new HashMap<>();
    for (ExecuteThreads.Execution execution : executeThreads.running()) {
      found.put(execution.statement(), execution.unsent());
      if (execution.thread() != null) {
        alive.put(execution.thread(), execution.statement());
        count(execution.thread(), execution.thread());
      }
    }
    Map<Object, Long> tracked = new HashMap<>();
    for (TaskThreads.Task task : TaskThreads.running()) {
      alive.put(task, task.statement());
      tracked.put(task, task.memory());
      count(task, task.thread());
    }
    allocated.keySet().retainAll(alive.keySet());
    shares.retain(alive.keySet());
    Heap.Collection latest = Heap.last();
    if (latest.ended() != last.ended()) {
      shares.collected(last.left(), latest.left());
      last = latest;
    }
    alive.forEach(
        (task, statement) ->
            found.merge(statement, Math.max(tracked.getOrDefault(task, 0L), shares.of(task)), Long::sum));
    found.remove(Statement.NONE);
    sizes = found;
  }

  private void count(Object task, Thread thread) {
    long now = threads.getThreadAllocatedBytes(thread.getId());
    Long before = allocated.put(task, now);
    if (before != null && now > before) {
      shares.allocated(task, now - before);
    }
  }

  private void relieve() {
    long max = Heap.max();
    long since = System.currentTimeMillis() - endedAt;
    boolean gone = TaskThreads.of(ended).isEmpty();
    if (ending && gone) {
      ending = false;
      Heap.collectNow(); // what it held is garbage now, and the next decision is about the rest
      measure();
    }
    if (ending && since < TO_END_MILLIS) {
      return;
    }
    if (gone && since > TO_END_MILLIS && sizes.containsKey(ended)) {
      end.insist(ended, since);
    }
    if (exhausted) {
      exhausted = false;
    } else if (Math.max(last.left(), Heap.old()) < FULL * max) {
      return;
    } else if (Heap.collect()) {
      measure();
      hopeless = last.left() < FULL * max ? 0 : hopeless + 1;
      if (last.left() < FULL * max) {
        return;
      }
    } else if (last.left() < BRIM * max) {
      return;
    }
    if (hopeless > HOPELESS) {
      Replacement.now("its memory is full and ending statements did not help");
    }
    Statement victim = largest(sizes);
    if (victim.known()) {
      LOG.warn("{} of {} bytes are in use: ending {} ({} bytes)", last.left(), max, victim.tag(), sizes.get(victim));
      ended = victim;
      endedAt = System.currentTimeMillis();
      ending = true;
      end.begin(victim);
    }
  }

  /** Return the largest statement of the user who holds the most. */
  private static Statement largest(Map<Statement, Long> sizes) {
    Map<String, Long> ofUser = new HashMap<>();
    sizes.forEach((statement, bytes) -> ofUser.merge(statement.user(), bytes, Long::sum));
    Statement largest = Statement.NONE;
    for (Statement statement : sizes.keySet()) {
      if (!largest.known() || compare(statement, largest, ofUser, sizes) > 0) {
        largest = statement;
      }
    }
    return largest;
  }

  private static int compare(Statement one, Statement other, Map<String, Long> ofUser, Map<Statement, Long> sizes) {
    int byUser = Long.compare(ofUser.get(one.user()), ofUser.get(other.user()));
    return one.user().equals(other.user()) || byUser == 0 ? Long.compare(sizes.get(one), sizes.get(other)) : byUser;
  }
}
