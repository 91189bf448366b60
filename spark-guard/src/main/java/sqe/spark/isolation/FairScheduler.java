package sqe.spark.isolation;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.Pool;
import org.apache.spark.scheduler.TaskDescription;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.scheduler.WorkerOffer;
import org.apache.spark.util.SystemClock;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Spark's scheduler, with {@link FairPool} in the place of its pools.
 *
 * <p>Spark does not preempt tasks: where there are as many slots as cores, a statement with long tasks keeps all others waiting.
 * Here a statement that has no task yet gets a slot at once, and the operating system shares the cores among the threads.
 */
final class FairScheduler extends TaskSchedulerImpl {
  private final FairPool pool;
  private final int cores;

  FairScheduler(SparkContext context, int cores, int failures) {
    super(context, failures, true, new SystemClock());
    this.cores = cores;
    this.pool = new FairPool(cores, schedulingMode());
  }

  /** What Spark's own code says is logged under Spark's name: the log of a guarded engine leaves out such messages. */
  @Override
  public String logName() {
    return TaskSchedulerImpl.class.getName();
  }

  @Override
  public Pool rootPool() {
    return pool;
  }

  /** Split data and plans for the cores, not for the slots. */
  @Override
  public int defaultParallelism() {
    return conf().getInt("spark.default.parallelism", cores);
  }

  /** Offer one core at a time, because the order of the statements changes with each task that starts. */
  @Override
  public synchronized Seq<Seq<TaskDescription>> resourceOffers(IndexedSeq<WorkerOffer> offers, boolean allFree) {
    List<Seq<TaskDescription>> launched = new ArrayList<>();
    for (WorkerOffer offer : CollectionConverters.asJava(offers)) {
      for (int free = offer.cores(); free >= CPUS_PER_TASK(); free -= CPUS_PER_TASK()) {
        WorkerOffer one =
            new WorkerOffer(
                offer.executorId(),
                offer.host(),
                CPUS_PER_TASK(),
                offer.address(),
                offer.resources(),
                offer.resourceProfileId());
        boolean any = false;
        for (Seq<TaskDescription> tasks : CollectionConverters.asJava(super.resourceOffers(only(one), allFree))) {
          any |= tasks.iterator().hasNext();
          launched.add(tasks);
        }
        if (!any) {
          break;
        }
      }
    }
    return Plans.seq(launched);
  }

  private static IndexedSeq<WorkerOffer> only(WorkerOffer offer) {
    return scala.collection.immutable.Vector.from(CollectionConverters.asScala(List.of(offer)));
  }
}
