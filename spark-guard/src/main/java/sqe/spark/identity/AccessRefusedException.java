package sqe.spark.identity;

import org.apache.iceberg.exceptions.CleanableFailure;

/** A service that decides on access, such as the store's STS, refused. The message is the gateway's, for the user. */
public final class AccessRefusedException extends RuntimeException implements CleanableFailure {
  public AccessRefusedException(String message) {
    super(message);
  }
}
