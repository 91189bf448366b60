package sqe.spark.identity;

import org.apache.iceberg.exceptions.CleanableFailure;

/** Somebody who decides on access, such as the store's STS, said no. The message is the gateway's, for the person. */
public final class AccessRefusedException extends RuntimeException implements CleanableFailure {
  public AccessRefusedException(String message) {
    super(message);
  }
}
