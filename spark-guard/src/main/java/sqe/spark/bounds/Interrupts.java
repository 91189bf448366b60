package sqe.spark.bounds;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.apache.spark.TaskContext;
import org.sparkproject.connect.grpc.Context;

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

  /** How many seconds of work one statement may take to be analysed and optimized. */
  static final int PLANNING_SECONDS = 60;

  private static final long PLANNING_CAPACITY = PLANNING_SECONDS * 1_000_000_000L;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final ThreadLocal<Budget> BUDGETS = ThreadLocal.withInitial(Budget::new);

  private Interrupts() {}

  private static final class Budget {
    private final Context request = Context.current();
    private long planned;
    private long lastPlan = System.nanoTime();
    private long lastPlanWork = THREADS.getCurrentThreadCpuTime();
    private long used;
    private long last = System.nanoTime();
    private long lastWork = THREADS.getCurrentThreadCpuTime();

    /** Time gives back what planning took, so that a procedure may plan one job after another. */
    void plan() {
      long now = System.nanoTime();
      long work = THREADS.getCurrentThreadCpuTime();
      planned = Math.max(0, planned + work - lastPlanWork - (now - lastPlan) / REFILL);
      lastPlan = now;
      lastPlanWork = work;
      if (planned > PLANNING_CAPACITY) {
        planned = 0;
        throw BoundRefusal.tooComplex(
            "The statement takes more than " + PLANNING_SECONDS + " seconds to plan. Make it smaller.");
      }
    }

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

  /** The budget of what this thread does now: each request of the gateway has a context of its own. */
  private static Budget budget() {
    Budget budget = BUDGETS.get();
    if (budget.request != Context.current()) {
      budget = new Budget();
      BUDGETS.set(budget);
    }
    return budget;
  }

  /** Nothing interrupts a thread in which Spark Connect only analyses a statement. */
  private static void checkRequest() {
    if (Context.current().isCancelled()) {
      throw BoundRefusal.canceled();
    }
  }

  /** Between two steps of an analysis: throws if the statement was canceled, or has used up what planning may take. */
  static void checkPlanning() {
    checkRow();
    if (TaskContext.get() == null) {
      checkRequest();
      budget().plan();
    }
  }

  /** Before an expression that can take some time: throws if the statement was canceled. */
  static void begin() {
    if (TaskContext.get() == null) {
      checkRequest();
      budget().begin();
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
      checkRequest();
      budget().charge();
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
