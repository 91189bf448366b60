package sqe.spark.isolation;

import java.util.Properties;
import org.apache.spark.sql.connect.service.ExecuteKey;

/**
 * One statement of one user, known by the job tag that Spark Connect puts on all its jobs.
 *
 * @param tag the job tag; empty for jobs that belong to no statement
 */
record Statement(String user, String session, String operation, String tag) {
  static final String JOB_TAGS = "spark.job.tags";
  static final Statement NONE = new Statement("", "", "", "");

  private static final String PREFIX = "SparkConnect_OperationTag_User_";
  private static final String SESSION = "_Session_";
  private static final String OPERATION = "_Operation_";

  /** Return the statement that the local properties of a job or task name. */
  static Statement of(Properties properties) {
    return properties == null ? NONE : of(properties.getProperty(JOB_TAGS));
  }

  static Statement of(String tags) {
    for (String tag : tags == null ? new String[0] : tags.split(",")) {
      if (tag.startsWith(PREFIX)) {
        return parse(tag);
      }
    }
    return NONE;
  }

  // Both ids are UUIDs that Spark has checked; a user's name may hold anything, so it is read from the end.
  private static Statement parse(String tag) {
    int operation = tag.lastIndexOf(OPERATION);
    int session = operation < 0 ? -1 : tag.lastIndexOf(SESSION, operation - 1);
    if (session < PREFIX.length()) {
      return NONE;
    }
    return new Statement(
        tag.substring(PREFIX.length(), session),
        tag.substring(session + SESSION.length(), operation),
        tag.substring(operation + OPERATION.length()),
        tag);
  }

  boolean known() {
    return !tag.isEmpty();
  }

  ExecuteKey key() {
    return new ExecuteKey(user, session, operation);
  }
}
