package sqe.spark;

import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.execution.SubqueryBroadcastExec$;
import org.apache.spark.sql.execution.SubqueryExec$;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec$;
import org.apache.spark.sql.execution.adaptive.ResultQueryStageExec$;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec$;
import scala.concurrent.ExecutionContextExecutorService;
import scala.concurrent.impl.ExecutionContextImpl;

/**
 * Keeps the threads of Spark's own pools from holding on to sessions.
 *
 * <p>A thread inherits the session and the class loader of the statement that it was made for, and keeps them for as long as
 * it lives, whatever session it works for later. Spark makes a thread for each statement until there are a thousand in a pool, so that
 * a thousand sessions would stay in memory after their end.
 */
final class PoolThreads {
  private static final long IDLE_SECONDS = 10;

  private PoolThreads() {}

  static void detach() {
    Map<String, ExecutionContextExecutorService> pools =
        Map.of(
            "shuffle-exchange", ShuffleExchangeExec$.MODULE$.executionContext(),
            "broadcast-exchange", BroadcastExchangeExec$.MODULE$.executionContext(),
            "query-stage", AdaptiveSparkPlanExec$.MODULE$.executionContext(),
            "result-stage", ResultQueryStageExec$.MODULE$.executionContext(),
            "subquery", SubqueryExec$.MODULE$.executionContext(),
            "dynamic-pruning", SubqueryBroadcastExec$.MODULE$.executionContext());
    pools.forEach(
        (name, context) -> {
          if (!(context instanceof ExecutionContextImpl pool && pool.executor() instanceof ThreadPoolExecutor threads)) {
            throw new IllegalStateException("Spark's pool " + name + " is not what it was");
          }
          threads.setThreadFactory(unrelated(name));
          threads.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        });
  }

  private static ThreadFactory unrelated(String name) {
    AtomicInteger made = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(null, work, name + "-" + made.getAndIncrement(), 0, false);
      thread.setContextClassLoader(PoolThreads.class.getClassLoader());
      thread.setDaemon(true);
      return thread;
    };
  }
}
