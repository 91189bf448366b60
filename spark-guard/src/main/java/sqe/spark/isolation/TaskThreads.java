package sqe.spark.isolation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Knows which thread of this JVM runs which task. Named in {@code spark.plugins}: Spark calls it in the task's thread, before and
 * after the task.
 */
public final class TaskThreads implements SparkPlugin {
  private static final Map<Thread, Task> RUNNING = new HashMap<>();

  /** One task that runs now. */
  record Task(Thread thread, Statement statement, TaskContext context) {
    /** Whether Spark has asked the task to end. */
    boolean killed() {
      return context.isInterrupted();
    }

    /** Return the execution memory that the task has from Spark's memory manager. */
    long memory() {
      return context.taskMemoryManager().getMemoryConsumptionForThisTask();
    }
  }

  static List<Task> running() {
    synchronized (RUNNING) {
      return new ArrayList<>(RUNNING.values());
    }
  }

  static List<Task> of(Statement statement) {
    return running().stream().filter(task -> task.statement().equals(statement)).toList();
  }

  /** Interrupt the task's thread, unless it has gone on to another task. */
  static void interrupt(Task task) {
    synchronized (RUNNING) {
      if (RUNNING.get(task.thread()) == task) {
        task.thread().interrupt();
      }
    }
  }

  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Hooks();
  }

  private static final class Hooks implements ExecutorPlugin {
    @Override
    public void onTaskStart() {
      TaskContext context = TaskContext.get();
      Thread thread = Thread.currentThread();
      synchronized (RUNNING) {
        RUNNING.put(thread, new Task(thread, Statement.of(context.getLocalProperties()), context));
      }
    }

    @Override
    public void onTaskSucceeded() {
      end();
    }

    @Override
    public void onTaskFailed(TaskFailedReason reason) {
      end();
    }

    private static void end() {
      synchronized (RUNNING) {
        RUNNING.remove(Thread.currentThread());
      }
    }
  }
}
