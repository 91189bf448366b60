package sqe.spark.kinds;

import java.util.Map;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkThrowable;

/** A statement that users who share an engine may not run; the gateway shows its message as an access error. */
public final class NotAllowed extends RuntimeException implements SparkThrowable {
  /** What is refused, in one sentence, and why, in others: the gateway makes a hint of those. */
  NotAllowed(String what, String why) {
    super(what + " is not allowed on this server. " + why, null, false, false);
  }

  @Override
  public String getCondition() {
    return "SQE_NOT_ALLOWED";
  }

  @Override
  public String getSqlState() {
    return "42501";
  }

  // Spark would look the condition up in its own list for the rest.

  @Override
  public Map<String, String> getMessageParameters() {
    return Map.of();
  }

  @Override
  public QueryContext[] getQueryContext() {
    return new QueryContext[0];
  }

  @Override
  public String getDefaultMessageTemplate() {
    return getMessage();
  }
}
