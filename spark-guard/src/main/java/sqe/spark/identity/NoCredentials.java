package sqe.spark.identity;

import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** Stands where Iceberg would otherwise look for keys of the machine or of the account that runs the engine. */
public final class NoCredentials implements AwsCredentialsProvider {
  private final String catalog;

  private NoCredentials(String catalog) {
    this.catalog = catalog;
  }

  public static NoCredentials create(Map<String, String> properties) {
    return new NoCredentials(properties.get(SqeAuthManager.CATALOG));
  }

  @Override
  public AwsCredentials resolveCredentials() {
    throw new AccessRefusedException("The catalog " + catalog + " vended no credentials for the files of the table.");
  }
}
