package sqe.spark.kinds;

import java.util.Map;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkThrowable;

/** An error that refuses a statement, under a condition of our own; the gateway shows the message as it is. */
public abstract class Refusal extends RuntimeException implements SparkThrowable {
  private final String condition;
  private final String state;

  protected Refusal(String condition, String state, String message) {
    super(message, null, false, false);
    this.condition = condition;
    this.state = state;
  }

  @Override
  public String getCondition() {
    return condition;
  }

  @Override
  public String getSqlState() {
    return state;
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
