package sqe.spark.bounds;

import java.util.function.LongSupplier;

/**
 * Limits the work of one thread of the driver, for one request: to plan its statement, and to evaluate the constants in it.
 *
 * <p>Work uses it up, and time gives a tenth of itself back, so that a procedure may plan one job after another.
 */
final class Budget {
  private static final long SECOND = 1_000_000_000L;
  private static final int REFILL = 10;

  private final LongSupplier clock;
  private final LongSupplier cpu;
  private long planned;
  private long lastPlan;
  private long lastPlanWork;
  private long used;
  private long last;
  private long lastWork;

  /**
   * Start with nothing used.
   *
   * @param clock nanoseconds of time
   * @param cpu nanoseconds that this thread has worked: one that waits does not
   */
  Budget(LongSupplier clock, LongSupplier cpu) {
    this.clock = clock;
    this.cpu = cpu;
    lastPlan = last = clock.getAsLong();
    lastPlanWork = lastWork = cpu.getAsLong();
  }

  /** Charge the work since the last call to the planning of the statement. */
  void plan() {
    long now = clock.getAsLong();
    long work = cpu.getAsLong();
    planned = Math.max(0, planned + work - lastPlanWork - (now - lastPlan) / REFILL);
    lastPlan = now;
    lastPlanWork = work;
    if (planned > Interrupts.PLANNING_SECONDS * SECOND) {
      planned = 0;
      throw BoundRefusal.tooComplex(
          "The statement takes more than " + Interrupts.PLANNING_SECONDS + " seconds to plan. Make it smaller.");
    }
  }

  /** Begin an expression: what this thread did before was none. */
  void begin() {
    long now = clock.getAsLong();
    used = Math.max(0, used - (now - last) / REFILL);
    last = now;
    lastWork = cpu.getAsLong();
  }

  /** Charge the work since the last call to constant expressions. */
  void charge() {
    long work = cpu.getAsLong();
    used += work - lastWork;
    last = clock.getAsLong();
    lastWork = work;
    if (used > Interrupts.DRIVER_SECONDS * SECOND) {
      used = 0;
      throw BoundRefusal.tooExpensive(
          "A constant expression takes more than "
              + Interrupts.DRIVER_SECONDS
              + " seconds to evaluate. Make it smaller.");
    }
  }
}
