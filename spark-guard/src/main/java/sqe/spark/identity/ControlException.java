package sqe.spark.identity;

import org.apache.iceberg.exceptions.CleanableFailure;

/** The gateway could not be asked, or did not answer as it should. Nobody was refused. */
public final class ControlException extends RuntimeException implements CleanableFailure {
  public ControlException(String message) {
    super(message);
  }

  public ControlException(String message, Throwable cause) {
    super(message, cause);
  }
}
