package sqe.spark.identity;

import org.apache.iceberg.exceptions.CleanableFailure;

/** The engine could not ask the gateway, or the gateway's answer is not valid. This is no refusal. */
public final class ControlException extends RuntimeException implements CleanableFailure {
  public ControlException(String message) {
    super(message);
  }

  public ControlException(String message, Throwable cause) {
    super(message, cause);
  }
}
