package sqe.spark.isolation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExternalClusterManager;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.scheduler.local.LocalSchedulerBackend;

/**
 * Runs tasks in this JVM with {@link FairScheduler}, for the master {@code local[fair:CORES]} or {@code local[fair:CORES:FAILURES]}.
 *
 * <p>Spark finds this class through {@code META-INF/services}. It takes the name for a local master and none of its own patterns
 * matches it.
 */
public final class FairClusterManager implements ExternalClusterManager {
  private static final Pattern MASTER = Pattern.compile("local\\[fair:([1-9][0-9]{0,3})(?::([1-9][0-9]{0,3}))?]");

  /**
   * Slots of the executor for each core. {@link FairPool} decides how many of them are in use; there have to be enough for
   * the first task of each statement.
   */
  private static final int SLOTS = 64;

  private static final int FEWEST_SLOTS = 1_024;

  @Override
  public boolean canCreate(String master) {
    return MASTER.matcher(master).matches();
  }

  @Override
  public TaskScheduler createTaskScheduler(SparkContext context, String master) {
    String failures = parts(master).group(2);
    return new FairScheduler(context, cores(master), failures == null ? 1 : Integer.parseInt(failures)); // 1 as in Spark
  }

  @Override
  public SchedulerBackend createSchedulerBackend(SparkContext context, String master, TaskScheduler scheduler) {
    int slots = Math.max(FEWEST_SLOTS, SLOTS * cores(master));
    return new LocalSchedulerBackend(context.conf(), (TaskSchedulerImpl) scheduler, slots);
  }

  @Override
  public void initialize(TaskScheduler scheduler, SchedulerBackend backend) {
    ((TaskSchedulerImpl) scheduler).initialize(backend);
  }

  private static int cores(String master) {
    return Integer.parseInt(parts(master).group(1));
  }

  private static Matcher parts(String master) {
    Matcher matcher = MASTER.matcher(master);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a master of this scheduler");
    }
    return matcher;
  }
}
