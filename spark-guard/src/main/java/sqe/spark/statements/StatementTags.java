package sqe.spark.statements;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.classic.SparkSession;

/** Returns the gateway's names of the statement that runs in this thread. A statement that is only described has none. */
public final class StatementTags {
  private static final String JOB_TAGS = "spark.job.tags";
  private static final String TAG = "_Tag_"; // Connect's name for a tag ends with this and what the client calls it

  private StatementTags() {}

  public static List<String> of(SparkSession session) {
    List<String> found = new ArrayList<>();
    String tags = session.sparkContext().getLocalProperty(JOB_TAGS);
    for (String tag : tags == null ? new String[0] : tags.split(",")) {
      int start = tag.lastIndexOf(TAG);
      if (start >= 0) {
        found.add(tag.substring(start + TAG.length()));
      }
    }
    return found;
  }
}
