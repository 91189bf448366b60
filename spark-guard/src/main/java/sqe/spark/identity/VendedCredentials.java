package sqe.spark.identity;

import java.util.Map;
import org.apache.iceberg.aws.AwsClientProperties;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.apache.iceberg.aws.s3.VendedCredentialsProvider;
import org.apache.iceberg.util.PropertyUtil;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * The keys that the catalog vended with a table, and nothing else; {@code client.credentials-provider} names it.
 *
 * <p>By itself Iceberg does the same, but where the catalog vends nothing it goes on to look in the environment, in
 * profiles and at the machine's own metadata. Naming a provider keeps it from that, and also from vended keys, which
 * therefore are read here.
 */
public final class VendedCredentials implements AwsCredentialsProvider, SdkAutoCloseable {
  private final AwsCredentialsProvider vended;

  private VendedCredentials(AwsCredentialsProvider vended) {
    this.vended = vended;
  }

  /** Iceberg hands over all properties of the table's files. */
  public static VendedCredentials create(Map<String, String> properties) {
    String endpoint = properties.get(VendedCredentialsProvider.URI);
    if (endpoint != null
        && !endpoint.isEmpty()
        && PropertyUtil.propertyAsBoolean(properties, AwsClientProperties.REFRESH_CREDENTIALS_ENABLED, true)) {
      return new VendedCredentials(VendedCredentialsProvider.create(properties));
    }
    String id = properties.get(S3FileIOProperties.ACCESS_KEY_ID);
    String secret = properties.get(S3FileIOProperties.SECRET_ACCESS_KEY);
    String token = properties.get(S3FileIOProperties.SESSION_TOKEN);
    if (id == null || secret == null) {
      return new VendedCredentials(NoCredentials.create(properties));
    }
    return new VendedCredentials(
        StaticCredentialsProvider.create(
            token == null ? AwsBasicCredentials.create(id, secret) : AwsSessionCredentials.create(id, secret, token)));
  }

  @Override
  public AwsCredentials resolveCredentials() {
    return vended.resolveCredentials();
  }

  @Override
  public void close() {
    if (vended instanceof SdkAutoCloseable renewing) {
      renewing.close();
    }
  }
}
