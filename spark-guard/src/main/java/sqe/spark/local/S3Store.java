package sqe.spark.local;

import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.aws.AwsClientProperties;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.StorageCredential;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import sqe.spark.identity.GatewayCredentials;
import sqe.spark.identity.OwnCredentialsIO;
import sqe.spark.identity.Protocol;
import sqe.spark.identity.VendedCredentials;

/**
 * The part of an S3 store below {@code scope}, as Iceberg's client reaches it for one table.
 *
 * <p>Every property of Iceberg's client is on a list here, by what it means for a read. A property that is not on it keeps the
 * statement on Spark: it may say that files are encrypted, or that they are to be reached in another way.
 *
 * @param files Iceberg's client
 * @param scope what all URLs of this store begin with; ends with a slash
 * @param endpoint host and port
 * @param vended whether the catalog gave the keys; otherwise they are the user's own, from the gateway
 * @param location a file, by which Iceberg finds its client
 */
record S3Store(
    S3FileIO files,
    String scope,
    String endpoint,
    String region,
    boolean pathStyle,
    boolean tls,
    String catalog,
    boolean vended,
    String location,
    Instant end) {
  private static final String PROVIDER = AwsClientProperties.CLIENT_CREDENTIALS_PROVIDER;
  private static final Pattern OF_CLIENTS = Pattern.compile("(s3|client|http-client)\\..*");

  /** Properties that are read here, or that matter for writes, for retries or for getting the keys. */
  private static final Pattern KNOWN =
      Pattern.compile(
          "s3\\.(endpoint|path-style-access|access-key-id|secret-access-key|session-token|session-token-expires-at-ms"
              + "|remote-signing-enabled|sse\\.type|sse\\.key|signer\\..*|retry\\..*|multipart\\..*|write\\..*|delete[.-].*"
              + "|staging-dir|acl|checksum-enabled|chunked-encoding-enabled|preload-client-enabled)"
              + "|client\\.(region|credentials-provider(\\..*)?|refresh-credentials-.*|legacy-md5-plugin-enabled)"
              + "|http-client\\.(type|apache\\..*|urlconnection\\..*)");

  /** Encryption for which a reader needs no key. */
  private static final Set<String> ENCRYPTION_OF_THE_STORE =
      Set.of(
          S3FileIOProperties.SSE_TYPE_NONE,
          S3FileIOProperties.SSE_TYPE_S3,
          S3FileIOProperties.SSE_TYPE_KMS,
          S3FileIOProperties.DSSE_TYPE_KMS);

  private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");
  /** Regions whose endpoints are below amazonaws.com. */
  private static final Pattern AWS_REGION = Pattern.compile("(?!cn-|us-iso|eu-isoe|eusc-)[a-z]{2}(-[a-z]+)+-[0-9]");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final Pattern IP_ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}");
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
  /** A bucket that is a part of a host's name, also for TLS. */
  private static final Pattern HOST_BUCKET = Pattern.compile("[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");

  /** @param url the same as {@code location}, in the spelling of S3's scheme that DuckDB reads */
  static S3Store of(Table table, FileIO io, String location, String url) {
    if (!table.getClass().equals(BaseTable.class)) {
      throw new NotRendered("files that the catalog plans");
    }
    if (!(io instanceof S3FileIO files)) {
      throw new NotRendered("files of " + io.getClass().getSimpleName());
    }
    Map<String, String> properties = new HashMap<>(files.properties());
    String scope = scope(table, url);
    vendedFor(files, location, scope).forEach(properties::put);
    check(properties);
    boolean vended = vended(files, properties);
    String region = properties.get(AwsClientProperties.CLIENT_REGION);
    if (region == null || !REGION.matcher(region).matches()) {
      throw new NotRendered("object store without a region");
    }
    URI endpoint = endpoint(properties.get(S3FileIOProperties.ENDPOINT), region);
    // As AWS's client does it, whatever is configured.
    boolean pathStyle =
        Boolean.parseBoolean(properties.get(S3FileIOProperties.PATH_STYLE_ACCESS))
            || IP_ADDRESS.matcher(endpoint.getHost()).matches();
    String bucket = url.split("/", 4)[2];
    if (!(pathStyle ? BUCKET : HOST_BUCKET).matcher(bucket).matches()) {
      throw new NotRendered("object store with a special name");
    }
    String end = properties.get(S3FileIOProperties.SESSION_TOKEN_EXPIRES_AT_MS);
    return new S3Store(
        files,
        scope,
        endpoint.getRawAuthority(),
        region,
        pathStyle,
        endpoint.getScheme().equals("https"),
        properties.get(PROVIDER + ".catalog"),
        vended,
        location,
        end == null ? null : Instant.ofEpochMilli(Long.parseLong(end)));
  }

  boolean sameAs(S3Store other) {
    return endpoint.equals(other.endpoint)
        && region.equals(other.region)
        && pathStyle == other.pathStyle
        && tls == other.tls
        && catalog.equals(other.catalog)
        && vended == other.vended;
  }

  /** The keys that Iceberg's own client uses now, as the control protocol spells them. */
  Map<String, Object> keys() {
    AwsCredentialsIdentity keys =
        files.client(location).serviceClientConfiguration().credentialsProvider().resolveIdentity().join();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(Protocol.KeyFields.CATALOG, catalog);
    fields.put(Protocol.KeyFields.SCOPE, scope);
    fields.put(Protocol.KeyFields.ACCESS_KEY_ID, keys.accessKeyId());
    fields.put(Protocol.KeyFields.SECRET_ACCESS_KEY, keys.secretAccessKey());
    if (keys instanceof AwsSessionCredentialsIdentity ofSession) {
      fields.put(Protocol.KeyFields.SESSION_TOKEN, ofSession.sessionToken());
    }
    Instant ends = keys.expirationTime().orElse(end);
    if (ends != null) {
      fields.put(Protocol.KeyFields.EXPIRES_IN, Math.max(0, Duration.between(Instant.now(), ends).toSeconds()));
    }
    return fields;
  }

  /** The table's directory, or the file's own where it lies elsewhere. */
  private static String scope(Table table, String url) {
    String location = table.location();
    if (location.contains("://")) {
      String directory = Stores.url(location).replaceFirst("/*$", "/");
      if (url.startsWith(directory)) {
        return directory;
      }
    }
    return url.substring(0, url.lastIndexOf('/') + 1);
  }

  /** What the catalog vended for the place that a file is in, as Iceberg finds it: by the longest prefix. */
  private static Map<String, String> vendedFor(S3FileIO files, String location, String scope) {
    StorageCredential found = null;
    for (StorageCredential each : files.credentials()) {
      String prefix = each.prefix();
      if (!prefix.startsWith("s3")) {
        continue;
      }
      if (location.startsWith(prefix) && (found == null || prefix.length() > found.prefix().length())) {
        found = each;
      }
      if (prefix.startsWith(scope) && !prefix.equals(scope)) {
        throw new NotRendered("several credentials for one table");
      }
    }
    return found == null ? Map.of() : found.config();
  }

  private static void check(Map<String, String> properties) {
    properties.forEach(
        (key, value) -> {
          boolean off = key.endsWith("enabled") && value.equalsIgnoreCase("false");
          if (OF_CLIENTS.matcher(key).matches() && !KNOWN.matcher(key).matches() && !off) {
            throw new NotRendered("object store with a property that is not known here");
          }
        });
    if (Boolean.parseBoolean(properties.get(S3FileIOProperties.REMOTE_SIGNING_ENABLED))) {
      throw new NotRendered("files that the catalog signs for");
    }
    String encryption = properties.getOrDefault(S3FileIOProperties.SSE_TYPE, S3FileIOProperties.SSE_TYPE_NONE);
    if (!ENCRYPTION_OF_THE_STORE.contains(encryption)) {
      throw new NotRendered("files encrypted with a key of the client");
    }
  }

  /** Whether the catalog gives the keys, rather than the gateway. */
  private static boolean vended(S3FileIO files, Map<String, String> properties) {
    String provider = properties.get(PROVIDER);
    if (properties.get(PROVIDER + ".catalog") != null) {
      if (files.getClass().equals(S3FileIO.class) && VendedCredentials.class.getName().equals(provider)) {
        return true;
      }
      if (files.getClass().equals(OwnCredentialsIO.class) && GatewayCredentials.class.getName().equals(provider)) {
        return false;
      }
    }
    throw new NotRendered("files of " + files.getClass().getSimpleName());
  }

  private static URI endpoint(String configured, String region) {
    if (configured == null && !AWS_REGION.matcher(region).matches()) {
      throw new NotRendered("object store without an address");
    }
    URI endpoint;
    try {
      endpoint = URI.create(configured == null ? "https://s3." + region + ".amazonaws.com" : configured);
    } catch (IllegalArgumentException odd) {
      throw new NotRendered("object store with a special address");
    }
    boolean plain =
        ("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme()))
            && endpoint.getHost() != null
            && HOST.matcher(endpoint.getHost()).matches()
            && endpoint.getRawUserInfo() == null
            && (endpoint.getRawPath().isEmpty() || endpoint.getRawPath().equals("/"))
            && endpoint.getRawQuery() == null
            && endpoint.getRawFragment() == null;
    if (!plain) {
      throw new NotRendered("object store with a special address");
    }
    for (Proxy proxy : ProxySelector.getDefault().select(endpoint)) {
      if (proxy.type() != Proxy.Type.DIRECT) {
        throw new NotRendered("object store behind a proxy");
      }
    }
    return endpoint;
  }
}
