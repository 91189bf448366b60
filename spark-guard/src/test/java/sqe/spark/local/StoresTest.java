package sqe.spark.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.io.StorageCredential;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import sqe.spark.identity.GatewayCredentials;
import sqe.spark.identity.OwnCredentialsIO;
import sqe.spark.identity.VendedCredentials;

/** A store is understood as Iceberg's client understands it, or not at all. */
class StoresTest {
  private static final String TABLE = "s3://lake/sales/orders";
  private static final String FILE = TABLE + "/data/1.parquet";

  private static Map<String, String> properties(String... more) {
    Map<String, String> properties = new HashMap<>();
    properties.put("client.credentials-provider", VendedCredentials.class.getName());
    properties.put("client.credentials-provider.catalog", "lake");
    properties.put("client.credentials-provider.handle", "handle");
    properties.put("client.region", "eu-west-1");
    properties.put("s3.endpoint", "http://127.0.0.1:9000");
    properties.put("s3.path-style-access", "true");
    properties.put("s3.access-key-id", "AKIA");
    properties.put("s3.secret-access-key", "hidden");
    properties.put("s3.session-token", "token");
    for (int each = 0; each < more.length; each += 2) {
      properties.put(more[each], more[each + 1]);
    }
    return properties;
  }

  private static Table table(FileIO files, Map<String, String> properties, String location) {
    files.initialize(properties);
    TableMetadata metadata =
        TableMetadata.newTableMetadata(new Schema(), PartitionSpec.unpartitioned(), location, Map.of());
    return new BaseTable(new Operations(metadata, files), "orders");
  }

  private static Table table(String... more) {
    return table(new S3FileIO(), properties(more), TABLE);
  }

  private static S3Store store(Table table, String file) {
    return S3Store.of(table, table.io(), file, Stores.url(file));
  }

  private static void refused(Table table, String file) {
    assertThrows(NotRendered.class, () -> new Stores().path(table, table.io(), file));
  }

  @Test
  void aStoreIsReachedAsIcebergReachesIt() {
    S3Store store = store(table(), FILE);
    assertEquals("s3://lake/sales/orders/", store.scope());
    assertEquals("127.0.0.1:9000", store.endpoint());
    assertEquals("eu-west-1", store.region());
    assertEquals("lake", store.catalog());
    assertTrue(store.pathStyle());
    assertTrue(store.vended());
    assertFalse(store.tls());
  }

  @Test
  void itsKeysAreThoseOfIcebergsClient() {
    long end = System.currentTimeMillis() + 900_000;
    Map<String, Object> keys = store(table("s3.session-token-expires-at-ms", String.valueOf(end)), FILE).keys();
    assertEquals("AKIA", keys.get("access_key_id"));
    assertEquals("hidden", keys.get("secret_access_key"));
    assertEquals("token", keys.get("session_token"));
    assertEquals("s3://lake/sales/orders/", keys.get("scope"));
    assertTrue((long) keys.get("expires_in") > 800);
    assertFalse(store(table(), FILE).keys().containsKey("expires_in"));
  }

  @Test
  void keysForAPlaceGoBeforeThoseOfTheTable() {
    S3FileIO files = new S3FileIO();
    Table table = table(files, properties(), TABLE);
    files.setCredentials(
        List.of(
            StorageCredential.create("s3://lake/", keys("OTHER")),
            StorageCredential.create(TABLE, keys("AKIA2")),
            StorageCredential.create("gs://lake/", keys("GOOGLE"))));
    assertEquals("AKIA2", store(table, FILE).keys().get("access_key_id"));
  }

  @Test
  void aTableWithKeysForPartsOfItStaysOnSpark() {
    S3FileIO files = new S3FileIO();
    Table table = table(files, properties(), TABLE);
    files.setCredentials(
        List.of(StorageCredential.create(TABLE, keys("A")), StorageCredential.create(TABLE + "/data/", keys("B"))));
    refused(table, FILE);
  }

  private static Map<String, String> keys(String id) {
    return Map.of("s3.access-key-id", id, "s3.secret-access-key", "hidden", "s3.session-token", "token");
  }

  @Test
  void keysOfTheUserComeFromTheGateway() {
    Table table =
        table(
            new OwnCredentialsIO(),
            properties("client.credentials-provider", GatewayCredentials.class.getName()),
            TABLE);
    assertFalse(store(table, FILE).vended());
  }

  @ParameterizedTest
  @CsvSource({
    "client.credentials-provider, software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider",
    "client.credentials-provider, sqe.spark.identity.GatewayCredentials",
    "client.region, ''",
    "client.assume-role.arn, arn:aws:iam::1:role/x",
    "client.something-new, x",
    "http-client.proxy-endpoint, http://proxy:3128",
    "s3.access-grants.enabled, true",
    "s3.access-points.lake, arn:aws:s3::1:accesspoint/x",
    "s3.acceleration-enabled, true",
    "s3.analytics-accelerator.enabled, true",
    "s3.crt.enabled, true",
    "s3.cross-region-access-enabled, true",
    "s3.dualstack-enabled, true",
    "s3.endpoint, http://user@127.0.0.1:9000",
    "s3.endpoint, http://127.0.0.1:9000/below",
    "s3.endpoint, http://127.0.0.1:9000?x=y",
    "s3.endpoint, ftp://127.0.0.1",
    "s3.endpoint, http://[::1]:9000",
    "s3.endpoint, not an address",
    "s3.remote-signing-enabled, true",
    "s3.something-new, x",
    "s3.use-arn-region-enabled, true",
  })
  void whatIsNotUnderstoodStaysOnSpark(String key, String value) {
    refused(table(key, value), FILE);
  }

  @Test
  void objectsEncryptedWithAKeyOfTheClientStayOnSpark() {
    refused(table("s3.sse.type", "custom", "s3.sse.key", "key", "s3.sse.md5", "digest"), FILE);
    refused(table("s3.sse.md5", "digest"), FILE);
  }

  @ParameterizedTest
  @CsvSource({
    "s3.dualstack-enabled, false",
    "s3.sse.type, kms",
    "s3.write.storage-class, GLACIER_IR",
    "s3.multipart.num-threads, 4",
    "s3.retry.num-retries, 3",
    "s3.signer.uri, http://catalog.test/",
    "s3.remote-signing-enabled, false",
    "client.refresh-credentials-enabled, false",
    "http-client.apache.max-connections, 10",
    "s3.endpoint, http://127.0.0.1:9000/",
    "nessie.something, x",
  })
  void whatDoesNotMatterForReadsIsLeftAside(String key, String value) {
    assertEquals("127.0.0.1:9000", store(table(key, value), FILE).endpoint().replaceFirst("/$", ""));
  }

  @Test
  void withoutAnAddressItIsAwsOfTheRegion() {
    Map<String, String> properties = properties("s3.path-style-access", "false");
    properties.remove("s3.endpoint");
    S3Store store = store(table(new S3FileIO(), properties, TABLE), FILE);
    assertEquals("s3.eu-west-1.amazonaws.com", store.endpoint());
    assertTrue(store.tls());
    assertFalse(store.pathStyle());
    for (String other : List.of("cn-north-1", "us-iso-east-1", "mars")) {
      properties.put("client.region", other);
      refused(table(new S3FileIO(), properties, TABLE), FILE);
    }
  }

  @Test
  void anAddressOfNumbersHasBucketsInPaths() {
    assertTrue(store(table("s3.path-style-access", "false"), FILE).pathStyle());
  }

  @Test
  void aBucketThatIsNoPartOfAHostStaysOnSpark() {
    Table named = table("s3.path-style-access", "false", "s3.endpoint", "https://store.test");
    assertFalse(store(named, FILE).pathStyle());
    refused(named, "s3://lake.with.dots/1.parquet");
    refused(named, "s3://Lake/1.parquet");
  }

  @Test
  void aFileOutsideOfTheTableHasItsDirectoryAsScope() {
    assertEquals("s3://lake/elsewhere/", store(table(), "s3://lake/elsewhere/1.parquet").scope());
    assertEquals("s3://lake/sales/orders_2/", store(table(), TABLE + "_2/1.parquet").scope());
  }

  @Test
  void otherSpellingsOfTheSchemeAreTheSame() {
    Table table = table(new S3FileIO(), properties(), "s3a://lake/sales/orders/");
    Stores stores = new Stores();
    assertEquals(FILE, stores.path(table, table.io(), "s3a://lake/sales/orders/data/1.parquet"));
    assertEquals(FILE, stores.path(table, table.io(), "s3n://lake/sales/orders/data/1.parquet"));
    assertFalse(stores.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/a?b", "/a#b", "//a", "/./a", "/../a", "/a/..", "/a/", "/a\nb"})
  void namesThatCouldMeanAnotherObjectStayOnSpark(String name) {
    refused(table(), TABLE + name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/city=Den%20Haag/1", "/a b+c", "/ü*[x]{y}'\"", "/...a", "/a..b"})
  void namesAreTakenAsTheyAre(String name) {
    Table table = table();
    assertEquals(TABLE + name, new Stores().path(table, table.io(), TABLE + name));
  }

  @Test
  void twoCatalogsInOnePlaceStayOnSpark() {
    Stores stores = new Stores();
    stores.path(table(), table().io(), FILE);
    stores.path(table(), table().io(), FILE); // the same table, loaded once more
    Table other = table("client.credentials-provider.catalog", "pond");
    assertThrows(NotRendered.class, () -> stores.path(other, other.io(), FILE));
  }

  @Test
  void otherFileSystemsStayOnSpark() {
    HadoopFileIO hadoop = new HadoopFileIO(new org.apache.hadoop.conf.Configuration());
    refused(table(hadoop, Map.of(), TABLE), FILE);
    for (String file : List.of("gs://lake/1", "abfss://lake/1", "hdfs://lake/1", "data/1", "file:///data/1.parquet")) {
      refused(table(), file);
    }
    assertEquals("/data/1.parquet", new Stores().path(table(), hadoop, "file:///data/1.parquet"));
  }

  private record Operations(TableMetadata current, FileIO io) implements TableOperations {
    @Override
    public TableMetadata refresh() {
      return current;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String metadataFileLocation(String fileName) {
      throw new UnsupportedOperationException();
    }

    @Override
    public LocationProvider locationProvider() {
      return LocationProviders.locationsFor(current.location(), Map.of());
    }
  }
}
