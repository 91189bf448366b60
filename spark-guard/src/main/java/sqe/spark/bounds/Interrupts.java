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

  /** How many seconds of work one statement may take to be analysed and optimized. */
  public static final int PLANNING_SECONDS = 30;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final ThreadLocal<Request> REQUESTS = ThreadLocal.withInitial(Request::new);

  private Interrupts() {}

  /** What this thread does now: each request of the gateway has a context of its own. */
  private record Request(Context context, Budget budget) {
    Request() {
      this(Context.current(), new Budget(System::nanoTime, THREADS::getCurrentThreadCpuTime));
    }
  }

  private static Budget budget() {
    Request request = REQUESTS.get();
    if (request.context() != Context.current()) {
      request = new Request();
      REQUESTS.set(request);
    }
    return request.budget();
  }

  /**
   * Throws if the request of this thread of the driver was canceled. Spark does not interrupt a thread in which it only analyses a
   * statement; the watchdog does so later.
   */
  private static void checkRequest() {
    if (Context.current().isCancelled() || Thread.currentThread().isInterrupted()) {
      throw BoundRefusal.canceled();
    }
  }

  /** Between two steps of an analysis: throws if the statement was canceled, or has used up what planning may take. */
  static void checkPlanning() {
    if (TaskContext.get() == null) {
      budget().plan(); // first: the watchdog interrupts a request that has used it up
      checkRequest();
    } else {
      checkRow();
    }
  }

  /** Before an expression that can take some time: throws if the statement was canceled. */
  static void begin() {
    if (TaskContext.get() == null) {
      checkRequest();
      budget().begin();
    } else {
      checkRow();
    }
  }

  /** After it: throws if the statement was canceled, or has used up what constant expressions may take. */
  static void end() {
    check();
  }

  /** Throws if the statement was canceled, or has used up what a constant expression may take. */
  public static void check() {
    if (TaskContext.get() == null) {
      budget().charge();
      checkRequest();
    } else {
      checkRow();
    }
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
