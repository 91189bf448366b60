package sqe.spark.isolation;

import org.apache.spark.SparkContext;
import org.apache.spark.sql.connect.service.ExecuteHolder;
import org.apache.spark.sql.connect.service.SparkConnectExecutionManager;
import org.apache.spark.sql.connect.service.SparkConnectService$;
import scala.Option;

/** Ends a statement from outside, in a way that tells its owner why. */
final class StatementEnd {
  /** When a statement that holds nothing but results is taken away from its client. */
  private static final long ABANDON_MILLIS = 15_000;

  private final SparkContext context;

  StatementEnd(SparkContext context) {
    this.context = context;
  }

  /** Cancel the statement's jobs. The reason becomes part of its error; the gateway knows it by the condition in brackets. */
  void begin(Statement statement) {
    String reason = "[" + QueryMemory.CONDITION + "] " + QueryMemory.WORDS;
    context.cancelJobsWithTag(statement.tag(), reason);
    // Spark's scheduler would tell the tasks, in threads that may have to wait for memory.
    for (TaskThreads.Task task : TaskThreads.of(statement)) {
      task.context().markInterrupted(reason);
      TaskThreads.interrupt(task);
    }
  }

  /** End a statement that has no job, or that goes on: interrupt its own thread, then drop what it has not sent. */
  void insist(Statement statement, long millis) {
    SparkConnectExecutionManager manager = SparkConnectService$.MODULE$.executionManager();
    Option<ExecuteHolder> holder = manager.getExecuteHolder(statement.key());
    if (holder.isDefined()) {
      holder.get().interrupt();
      if (millis > ABANDON_MILLIS) {
        manager.removeExecuteHolder(statement.key(), true);
      }
    }
  }
}
