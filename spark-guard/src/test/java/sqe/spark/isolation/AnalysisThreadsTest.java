package sqe.spark.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sparkproject.connect.grpc.Context;

/** The threads in which gRPC analyses statements. */
class AnalysisThreadsTest {
  private static final long MUCH = Long.MAX_VALUE;

  private static AnalysisThreads.Analysis only() {
    List<AnalysisThreads.Analysis> running = AnalysisThreads.running();
    assertEquals(1, running.size());
    return running.get(0);
  }

  @Test
  void anAnalysisIsSeenWhileItRuns() {
    AnalysisThreads.watched(() -> assertSame(Thread.currentThread(), only().thread()));
    assertTrue(AnalysisThreads.running().isEmpty());
  }

  @Test
  void anAnalysisEndsWithItsRequest() {
    Context.CancellableContext request = Context.ROOT.withCancellation();
    request.run(
        () ->
            AnalysisThreads.watched(
                () -> {
                  assertFalse(only().ended(MUCH));
                  request.cancel(null);
                  assertTrue(only().ended(MUCH));
                }));
  }

  @Test
  void anAnalysisThatUsesMoreThanItsBudgetHasEnded() {
    AnalysisThreads.watched(() -> assertTrue(only().ended(-1)));
  }

  @Test
  void theThreadOfARunningAnalysisIsInterrupted() {
    AnalysisThreads.watched(
        () -> {
          AnalysisThreads.interrupt(only());
          assertTrue(Thread.currentThread().isInterrupted());
        });
  }

  @Test
  void theNextRequestOfTheThreadIsNotInterrupted() {
    AtomicReference<AnalysisThreads.Analysis> first = new AtomicReference<>();
    AnalysisThreads.watched(
        () -> {
          first.set(only());
          AnalysisThreads.interrupt(only());
        });
    assertFalse(Thread.currentThread().isInterrupted());
    AnalysisThreads.watched(
        () -> {
          AnalysisThreads.interrupt(first.get());
          assertFalse(Thread.currentThread().isInterrupted());
        });
  }
}
