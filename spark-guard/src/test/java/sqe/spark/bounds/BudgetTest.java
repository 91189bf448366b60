package sqe.spark.bounds;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.spark.sql.catalyst.parser.CatalystSqlParser;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sparkproject.connect.grpc.Context;

/** What one request may take in a thread of the driver. */
class BudgetTest {
  private static final long SECOND = 1_000_000_000L;

  private long time;
  private long work;
  private final Budget budget = new Budget(() -> time, () -> work);

  private void work(double seconds) {
    time += (long) (seconds * SECOND);
    work += (long) (seconds * SECOND);
  }

  @AfterEach
  void leaveNoInterrupt() {
    Thread.interrupted();
  }

  @Test
  void aStatementThatTakesLongToPlanIsTooComplex() {
    for (int step = 0; step < Interrupts.PLANNING_SECONDS; step++) {
      work(1);
      assertDoesNotThrow(budget::plan);
    }
    work(0.2 * Interrupts.PLANNING_SECONDS);
    BoundRefusal refusal = assertThrows(BoundRefusal.TooComplex.class, budget::plan);
    assertEquals("The statement takes more than 30 seconds to plan. Make it smaller.", refusal.getMessage());
  }

  @Test
  void whatOneStepTakesCounts() {
    work(2 * Interrupts.PLANNING_SECONDS);
    assertThrows(BoundRefusal.TooComplex.class, budget::plan);
  }

  @Test
  void aThreadThatWaitsDoesNotPlan() {
    time += 1_000 * SECOND;
    assertDoesNotThrow(budget::plan);
  }

  @Test
  void timeGivesBackWhatPlanningTook() {
    for (int job = 0; job < 10; job++) {
      work(0.7 * Interrupts.PLANNING_SECONDS);
      assertDoesNotThrow(budget::plan);
      time += 10L * Interrupts.PLANNING_SECONDS * SECOND;
    }
  }

  @Test
  void constantsHaveABudgetOfTheirOwn() {
    work(100);
    budget.begin();
    work(0.9 * Interrupts.DRIVER_SECONDS);
    assertDoesNotThrow(budget::charge);
    work(0.2 * Interrupts.DRIVER_SECONDS);
    assertThrows(BoundRefusal.TooExpensive.class, budget::charge);
  }

  private static LogicalPlan plan() {
    return (LogicalPlan) new CatalystSqlParser().parsePlan("SELECT 1");
  }

  @Test
  void planningEndsWithItsRequest() {
    Context.CancellableContext request = Context.ROOT.withCancellation();
    request.run(() -> assertDoesNotThrow(() -> new PlanBounds.Canceled().apply(plan())));
    request.cancel(null);
    request.run(() -> assertThrows(BoundRefusal.Canceled.class, () -> new PlanBounds.Canceled().apply(plan())));
  }

  @Test
  void planningEndsWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    assertThrows(BoundRefusal.Canceled.class, () -> new PlanBounds.Canceled().apply(plan()));
  }
}
