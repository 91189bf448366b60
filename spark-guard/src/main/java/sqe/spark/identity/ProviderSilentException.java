package sqe.spark.identity;

import org.apache.iceberg.exceptions.CleanableFailure;

/** The identity provider, the STS or the policy engine does not answer the gateway. This is no refusal. */
public final class ProviderSilentException extends RuntimeException implements CleanableFailure {
  public ProviderSilentException(String message) {
    super(message);
  }
}
