package sqe.spark.guard;

import java.time.Duration;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.classic.SparkSession;

/**
 * The guard: row filters, masks and privileges in the plan, as the gateway decides them.
 *
 * <p>{@code SqeCatalog} asks when it loads a table, and puts the answer on it. {@link EarlyRule} deals with what has to be known
 * before Spark resolves a statement, {@link GuardRule} writes filters and masks into the plan, {@link CheckRule} refuses what is not
 * guarded: when a statement is analysed, and again before anything is optimized or taken from a cache.
 */
public final class Guard {
  private static final Duration SLACK = Duration.ofSeconds(1);

  private static volatile boolean on;
  private static volatile Duration patience = Duration.ofSeconds(10);

  private Guard() {}

  /**
   * From now on; called before the engine takes its first statement.
   *
   * @param timeout how long the gateway waits for its policy engines, or null
   */
  public static void on(Duration timeout) {
    if (timeout != null) {
      patience = timeout.plus(SLACK);
    }
    on = true;
  }

  public static boolean isOn() {
    return on;
  }

  static Duration patience() {
    return patience;
  }

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectHintResolutionRule(session -> new EarlyRule((SparkSession) session));
    extensions.injectPostHocResolutionRule(session -> new GuardRule((SparkSession) session));
    extensions.injectCheckRule(session -> new CheckRule((SparkSession) session).analysed());
    extensions.injectPlanNormalizationRule(session -> new CheckRule((SparkSession) session));
    Barriers.inject(extensions);
  }
}
