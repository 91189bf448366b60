package sqe.spark.identity;

import org.apache.iceberg.exceptions.CleanableFailure;

/** Whoever gives out tokens or keys for the person does not answer the gateway. Nobody was refused. */
public final class ProviderSilentException extends RuntimeException implements CleanableFailure {
  public ProviderSilentException(String message) {
    super(message);
  }
}
