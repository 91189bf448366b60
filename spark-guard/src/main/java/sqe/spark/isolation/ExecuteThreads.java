package sqe.spark.isolation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connect.execution.ExecuteResponseObserver;
import org.apache.spark.sql.connect.service.ExecuteHolder;
import org.apache.spark.sql.connect.service.ExecuteInfo;
import org.apache.spark.sql.connect.service.SparkConnectService$;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Finds the threads in which Spark Connect analyses statements, plans them and sends their results: one for each statement. */
final class ExecuteThreads {
  private static final String NAME = "SparkConnectExecuteThread_opId=";
  // Spark has no public way to ask for what it has not sent.
  private static final Method UNSENT = method(ExecuteResponseObserver.class, "cachedSizeUntilLastProduced");
  private static final Method BYTES = method(UNSENT.getReturnType(), "bytes");

  private final ThreadGroup all;

  ExecuteThreads() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    all = group;
  }

  /**
   * A statement that Spark Connect holds.
   *
   * @param thread null when there is nothing left to do but to send
   * @param unsent the bytes of its result that the gateway has not taken yet
   */
  record Execution(Statement statement, Thread thread, long unsent) {}

  /** Return the statements that Spark Connect holds. */
  List<Execution> running() {
    Map<String, Thread> threads = threads();
    List<Execution> found = new ArrayList<>();
    var listed = SparkConnectService$.MODULE$.executionManager().listActiveExecutions();
    if (listed.isRight()) {
      for (ExecuteInfo info : CollectionConverters.asJava(listed.toOption().get())) {
        Statement statement = Statement.of(info.jobTag());
        if (statement.known()) {
          found.add(new Execution(statement, threads.get(statement.operation()), unsent(statement)));
        }
      }
    }
    return found;
  }

  /** Return the live threads by the ids of their operations. */
  Map<String, Thread> threads() {
    Thread[] threads = new Thread[all.activeCount() * 2 + 16];
    int count = all.enumerate(threads);
    Map<String, Thread> found = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String name = threads[i].getName();
      if (name.startsWith(NAME)) {
        found.put(name.substring(NAME.length()), threads[i]);
      }
    }
    return found;
  }

  private static long unsent(Statement statement) {
    Option<ExecuteHolder> holder = SparkConnectService$.MODULE$.executionManager().getExecuteHolder(statement.key());
    if (holder.isEmpty()) {
      return 0;
    }
    try {
      return (Long) BYTES.invoke(UNSENT.invoke(holder.get().responseObserver()));
    } catch (ReflectiveOperationException changed) {
      throw new IllegalStateException(changed);
    }
  }

  private static Method method(Class<?> owner, String name) {
    try {
      Method method = owner.getDeclaredMethod(name);
      method.setAccessible(true);
      return method;
    } catch (NoSuchMethodException changed) {
      throw new IllegalStateException(changed);
    }
  }
}
