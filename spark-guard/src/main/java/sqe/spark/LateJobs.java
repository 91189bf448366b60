package sqe.spark;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.connect.service.SparkListenerConnectOperationCanceled;
import org.apache.spark.sql.connect.service.SparkListenerConnectOperationFailed;

/**
 * Cancels the jobs of a statement that was canceled or has failed, also those that start afterwards.
 *
 * <p>Spark cancels the jobs that it knows of at that moment. With adaptive execution, other threads submit a statement's
 * stages, and one that is about to do so starts a job that no client waits for and none can stop: it would hold the cores
 * until it ends.
 */
final class LateJobs extends SparkListener {
  private static final String JOB_TAGS = "spark.job.tags";
  private static final int REMEMBERED = 1_000;

  private final SparkContext context;
  private final Set<String> ended =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });

  LateJobs(SparkContext context) {
    this.context = context;
  }

  // One thread calls both methods: the listener bus.

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerConnectOperationCanceled canceled) {
      end(canceled.jobTag());
    } else if (event instanceof SparkListenerConnectOperationFailed failed) {
      end(failed.jobTag());
    }
  }

  @Override
  public void onJobStart(SparkListenerJobStart start) {
    String tags = start.properties() == null ? null : start.properties().getProperty(JOB_TAGS);
    for (String tag : tags == null ? new String[0] : tags.split(",")) {
      if (ended.contains(tag)) {
        context.cancelJob(start.jobId(), "its statement has ended");
        return;
      }
    }
  }

  private void end(String tag) {
    ended.add(tag);
    context.cancelJobsWithTag(tag, "its statement has ended");
  }
}
