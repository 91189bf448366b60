package sqe.spark.identity;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.aws.AwsClientProperties;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.apache.iceberg.io.StorageCredential;

/** Opens files with the person's own keys, and drops those that a catalog vends without being asked. */
public final class OwnCredentialsIO extends S3FileIO {
  private static final Set<String> VENDED =
      Set.of(
          S3FileIOProperties.ACCESS_KEY_ID,
          S3FileIOProperties.SECRET_ACCESS_KEY,
          S3FileIOProperties.SESSION_TOKEN,
          S3FileIOProperties.SESSION_TOKEN_EXPIRES_AT_MS,
          S3FileIOProperties.REMOTE_SIGNING_ENABLED,
          AwsClientProperties.REFRESH_CREDENTIALS_ENDPOINT);

  @Override
  public void initialize(Map<String, String> properties) {
    Map<String, String> own = new HashMap<>(properties);
    own.keySet().removeAll(VENDED);
    super.initialize(own);
  }

  @Override
  public void setCredentials(List<StorageCredential> credentials) {
    super.setCredentials(List.of());
  }
}
