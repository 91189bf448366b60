package sqe.spark.identity;

import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * Keys that the store's STS gave for the person's own token; {@code client.credentials-provider} names it.
 *
 * <p>The gateway gets them. The code that opens a file fetches them, on the driver and on executors, and again before they
 * end, however long a query lasts.
 */
public final class GatewayCredentials implements AwsCredentialsProvider {
  private final String handle;
  private final String catalog;

  private GatewayCredentials(String handle, String catalog) {
    this.handle = handle;
    this.catalog = catalog;
  }

  /** Iceberg hands over the properties below {@code client.credentials-provider.} without that prefix. */
  public static GatewayCredentials create(Map<String, String> properties) {
    return new GatewayCredentials(properties.get("handle"), properties.get("catalog"));
  }

  @Override
  public AwsCredentials resolveCredentials() {
    Control.Keys keys = Control.keys(handle, catalog);
    return AwsSessionCredentials.create(keys.id(), keys.secret(), keys.sessionToken());
  }
}
