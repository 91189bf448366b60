package sqe.spark.isolation;

import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sqe.spark.bounds.Allocation;

/** Starts what keeps the statements of an engine from hurting each other. */
public final class Isolation {
  /** Spark's threads that fetch the results of tasks. One that ends is made again, but its statement would wait for ever. */
  private static final String RESULTS = "task-result-getter";

  private static final Logger LOG = LoggerFactory.getLogger(Isolation.class);

  private Isolation() {}

  public static void start(SparkContext context) {
    Watchdog watchdog = new Watchdog();
    context.addSparkListener(watchdog);
    daemon("sqe-watchdog", watchdog);
    daemon("sqe-heap-watch", new HeapWatch(context));
    Allocation.watchedBy(HeapWatch::admit);
    Thread.setDefaultUncaughtExceptionHandler(Isolation::uncaught);
  }

  /**
   * A task or statement that runs out of memory fails, and Spark goes on. A thread of Spark's own that ends of it leaves an engine
   * that hangs.
   */
  private static void uncaught(Thread thread, Throwable failure) {
    LOG.error("{} ended with {}", thread.getName(), failure.getClass().getName()); // its message may hold values
    if (failure instanceof OutOfMemoryError && thread.getName().startsWith(RESULTS)) {
      HeapWatch.exhausted();
    } else if (failure instanceof VirtualMachineError) {
      Replacement.now(thread.getName() + " ended with " + failure);
    }
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.setPriority(Thread.MAX_PRIORITY);
    thread.start();
  }
}
