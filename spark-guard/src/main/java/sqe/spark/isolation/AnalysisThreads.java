package sqe.spark.isolation;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkproject.connect.grpc.Context;
import org.sparkproject.connect.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.sparkproject.connect.grpc.Metadata;
import org.sparkproject.connect.grpc.ServerCall;
import org.sparkproject.connect.grpc.ServerCallHandler;
import org.sparkproject.connect.grpc.ServerInterceptor;

/**
 * Knows which thread of gRPC analyses a statement for which request: schemas and parameters are asked for without an execution, so
 * that no {@link ExecuteThreads} has them. Named in {@code spark.connect.grpc.interceptor.classes}.
 */
public final class AnalysisThreads implements ServerInterceptor {
  private static final String ANALYZE = "AnalyzePlan";
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
  private static final Map<Thread, Analysis> RUNNING = new HashMap<>();

  /** One request that is analysed now. */
  static final class Analysis {
    private final Thread thread = Thread.currentThread();
    private final Context request = Context.current();
    private final long cpuBefore = CPU.getCurrentThreadCpuTime();

    Thread thread() {
      return thread;
    }

    /** Whether the gateway does not wait for the answer any more, or the request has used up what it may. */
    boolean ended(long cpuBudget) {
      return request.isCancelled() || CPU.getThreadCpuTime(thread.getId()) - cpuBefore > cpuBudget;
    }
  }

  static List<Analysis> running() {
    synchronized (RUNNING) {
      return new ArrayList<>(RUNNING.values());
    }
  }

  /** Interrupt the thread of an analysis, unless it has gone on to another request. */
  static void interrupt(Analysis analysis) {
    synchronized (RUNNING) {
      if (RUNNING.get(analysis.thread) == analysis) {
        analysis.thread.interrupt();
      }
    }
  }

  /** Do the work of one request in this thread, and leave no interrupt to the next. */
  static void watched(Runnable work) {
    Analysis analysis = new Analysis();
    synchronized (RUNNING) {
      RUNNING.put(analysis.thread, analysis);
    }
    try {
      work.run();
    } finally {
      synchronized (RUNNING) {
        RUNNING.remove(analysis.thread);
        Thread.interrupted();
      }
    }
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    ServerCall.Listener<Q> listener = next.startCall(call, headers);
    if (!ANALYZE.equals(call.getMethodDescriptor().getBareMethodName())) {
      return listener;
    }
    return new SimpleForwardingServerCallListener<>(listener) {
      @Override
      public void onHalfClose() { // where gRPC calls the service with the one message of the request
        watched(super::onHalfClose);
      }
    };
  }
}
