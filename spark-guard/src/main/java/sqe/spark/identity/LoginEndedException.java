package sqe.spark.identity;

import org.apache.iceberg.exceptions.CleanableFailure;

/**
 * The person whose session it is has no login any more, or never had one. The message is the gateway's, for that person.
 *
 * <p>Thrown before a request is sent. So a commit that it stops did not happen, and what was written for it can go.
 */
public final class LoginEndedException extends RuntimeException implements CleanableFailure {
  public LoginEndedException(String message) {
    super(message);
  }
}
