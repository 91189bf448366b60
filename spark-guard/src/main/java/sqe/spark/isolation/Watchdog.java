package sqe.spark.isolation;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.connect.service.SparkListenerConnectOperationCanceled;
import org.apache.spark.sql.connect.service.SparkListenerConnectOperationClosed;
import org.apache.spark.sql.connect.service.SparkListenerConnectOperationFailed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sqe.spark.bounds.Interrupts;

/**
 * Frees the cores of statements that have ended.
 *
 * <p>Spark interrupts a task once. A thread that overlooked it is interrupted again and again here. Java can do no more to a thread
 * of its own, so when one still uses a core after the grace period the engine is replaced.
 */
final class Watchdog extends SparkListener implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  private static final int REMEMBERED = 1_000;
  private static final long PERIOD_MILLIS = 250;

  /** Sorts look for interrupts between batches of rows only, which can take seconds. */
  private static final long GRACE_MILLIS = 15_000;

  /** A thread that got less of a core than this has hardly had the chance to see its interrupt: the machine is busy. */
  private static final long GRACE_CPU_NANOS = 5_000_000_000L;

  /** A thread that has used some of a core in each of the last seconds works; one that waits does not. */
  private static final long WINDOW_MILLIS = 1_000;

  private static final long BUSY_NANOS = 20_000_000;
  private static final int WINDOWS = 3;

  /** What one request may take to be analysed; {@link Interrupts} refuses it before, where it is asked. */
  private static final long ANALYSIS_CPU_NANOS = (Interrupts.PLANNING_SECONDS + 5) * 1_000_000_000L;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final ExecuteThreads executeThreads = new ExecuteThreads();
  private final Map<Thread, Late> late = new HashMap<>();
  private final Set<String> ended =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > REMEMBERED;
                }
              }));

  /** A thread that should have stopped. */
  private static final class Late {
    private final Object work;
    private final long since;
    private final long cpuBefore;
    private long windowEnds;
    private long cpu;
    private int busy;

    private Late(Object work, long now, long cpu) {
      this.work = work;
      this.since = now;
      this.cpuBefore = cpu;
      this.windowEnds = now + GRACE_MILLIS;
    }
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerConnectOperationCanceled canceled) {
      end(canceled.jobTag());
    } else if (event instanceof SparkListenerConnectOperationFailed failed) {
      end(failed.jobTag());
    } else if (event instanceof SparkListenerConnectOperationClosed closed) {
      end(closed.jobTag());
    }
  }

  private void end(String tag) {
    Statement statement = Statement.of(tag);
    if (statement.known()) {
      ended.add(statement.operation());
    }
  }

  @Override
  public void run() {
    while (true) {
      try {
        Thread.sleep(PERIOD_MILLIS);
        check();
      } catch (InterruptedException stop) {
        return;
      } catch (RuntimeException | OutOfMemoryError failure) {
        LOG.warn("the threads of ended statements were not checked", failure);
      }
    }
  }

  private void check() {
    long now = System.nanoTime() / 1_000_000;
    Map<Thread, Object> found = new HashMap<>();
    for (TaskThreads.Task task : TaskThreads.running()) {
      if (task.killed() || ended.contains(task.statement().operation())) {
        found.put(task.thread(), task);
        if (isLate(task.thread(), task, now)) {
          TaskThreads.interrupt(task);
        }
      }
    }
    executeThreads
        .threads()
        .forEach(
            (operation, thread) -> {
              if (ended.contains(operation)) {
                found.put(thread, operation);
                if (isLate(thread, operation, now)) {
                  thread.interrupt(); // it is not used again
                }
              }
            });
    for (AnalysisThreads.Analysis analysis : AnalysisThreads.running()) {
      if (analysis.ended(ANALYSIS_CPU_NANOS)) {
        found.put(analysis.thread(), analysis);
        if (isLate(analysis.thread(), analysis, now)) {
          AnalysisThreads.interrupt(analysis);
        }
      }
    }
    late.keySet().retainAll(found.keySet());
    late.forEach((thread, each) -> judge(thread, each, now));
  }

  private boolean isLate(Thread thread, Object work, long now) {
    Late known = late.get(thread);
    if (known == null || !known.work.equals(work)) {
      late.put(thread, new Late(work, now, threads.getThreadCpuTime(thread.getId())));
      return false; // Spark's own interrupt comes first
    }
    return true;
  }

  private void judge(Thread thread, Late each, long now) {
    if (now < each.windowEnds) {
      return;
    }
    long cpu = threads.getThreadCpuTime(thread.getId());
    each.busy = each.cpu > 0 && cpu - each.cpu > BUSY_NANOS ? each.busy + 1 : 0;
    each.cpu = cpu;
    each.windowEnds = now + WINDOW_MILLIS;
    if (each.busy >= WINDOWS && cpu - each.cpuBefore >= GRACE_CPU_NANOS) {
      Replacement.now(
          thread.getName() + " still works " + (now - each.since) / 1_000 + " s after its statement has ended");
    }
  }
}
