package sqe.spark.bounds;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.apache.spark.TaskContext;

/**
 * Ends an expression that runs long in one row.
 *
 * <p>A task looks whether it was killed. Constants are evaluated while a statement is analysed or optimized, in threads that
 * Spark may not be able to interrupt, so these threads also have a budget: work uses it up, and time gives it back slowly.
 */
public final class Interrupts {
  /** How many seconds of work one thread of the driver may do in expressions at once. */
  static final int DRIVER_SECONDS = 10;

  private static final long CAPACITY = DRIVER_SECONDS * 1_000_000_000L;

  /** A thread that serves one request after another gets a tenth of the time back. */
  private static final int REFILL = 10;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final ThreadLocal<Budget> BUDGETS = ThreadLocal.withInitial(Budget::new);

  private Interrupts() {}

  private static final class Budget {
    private long used;
    private long last = System.nanoTime();
    private long lastWork = THREADS.getCurrentThreadCpuTime();

    /** What this thread did before was no expression. */
    void begin() {
      long now = System.nanoTime();
      used = Math.max(0, used - (now - last) / REFILL);
      last = now;
      lastWork = THREADS.getCurrentThreadCpuTime();
    }

    void charge() {
      long work = THREADS.getCurrentThreadCpuTime(); // a thread that waits does not work
      used += work - lastWork;
      last = System.nanoTime();
      lastWork = work;
      if (used > CAPACITY) {
        used = 0;
        throw BoundRefusal.tooExpensive(
            "A constant expression takes more than " + DRIVER_SECONDS + " seconds to evaluate. Make it smaller.");
      }
    }
  }

  /** Before an expression that can take some time: throws if the statement was canceled. */
  static void begin() {
    if (TaskContext.get() == null) {
      BUDGETS.get().begin();
    }
    checkRow();
  }

  /** After it: throws if the statement was canceled, or has used up what constant expressions may take. */
  static void end() {
    check();
  }

  /** Throws if the statement was canceled, or has used up what a constant expression may take. */
  public static void check() {
    if (TaskContext.get() == null) {
      BUDGETS.get().charge();
    }
    checkRow();
  }

  /**
   * Throws if the statement was canceled. Called for each row: Spark looks at each batch of rows only, and a batch of rows that take a
   * second each takes long.
   */
  static void checkRow() {
    if (Thread.currentThread().isInterrupted()) {
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      throw BoundRefusal.canceled();
    }
  }
}
