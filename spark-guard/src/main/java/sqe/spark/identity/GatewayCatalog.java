package sqe.spark.identity;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.RESTCatalogProperties;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.RESTSessionCatalog;
import org.apache.spark.sql.classic.SparkSession;

/**
 * An Iceberg REST catalog of one session, with the properties that the gateway has for it.
 *
 * <p>A catalog server may answer with properties of its own, for itself and for each table. Those that decide who the user
 * is, or which classes are loaded, are not for it to choose.
 */
public final class GatewayCatalog extends RESTCatalog {
  private static final String PROVIDER = "client.credentials-provider";

  /** Of those that begin with {@code client.}, what a server may say. */
  private static final Set<String> OF_THE_SERVER =
      Set.of("client.region", "client.refresh-credentials-endpoint", "client.refresh-credentials-enabled");

  /** Where the store is: a catalog may know another address of it than the one that this engine is to use. */
  private static final Set<String> WHERE = Set.of("s3.endpoint", "s3.path-style-access");

  private Map<String, String> own = Map.of();

  public GatewayCatalog() {
    super(NamedClient::open);
  }

  /** The catalog {@code name} of the session, as its person. */
  public static Catalog open(SparkSession session, String name) {
    String handle = Control.handle(session.sessionUUID());
    Map<String, String> properties = new HashMap<>(Control.properties(handle, name));
    properties.remove(CatalogUtil.ICEBERG_CATALOG_TYPE);
    properties.put(CatalogProperties.CATALOG_IMPL, GatewayCatalog.class.getName());
    // An unchanged table would come back with the credentials that were vended when it was first loaded.
    properties.put(RESTCatalogProperties.TABLE_CACHE_MAX_ENTRIES, "0");
    properties.put(SqeAuthManager.HANDLE, handle);
    properties.put(SqeAuthManager.CATALOG, name);
    properties.put(PROVIDER + ".handle", handle);
    properties.put(PROVIDER + ".catalog", name);
    return CatalogUtil.buildIcebergCatalog(name, properties, session.sessionState().newHadoopConf());
  }

  @Override
  public void initialize(String name, Map<String, String> properties) {
    own = Map.copyOf(properties);
    super.initialize(name, properties);
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      Control.forget(own.get(SqeAuthManager.HANDLE));
    }
  }

  @Override
  protected RESTSessionCatalog newSessionCatalog(Function<Map<String, String>, RESTClient> clientBuilder) {
    return new RESTSessionCatalog(clientBuilder, (context, properties) -> files(properties));
  }

  /** What opens a table's files, from the properties of the catalog and of the table with the server's answers in them. */
  private FileIO files(Map<String, String> answered) {
    Map<String, String> properties = new HashMap<>();
    answered.forEach(
        (key, value) -> {
          if (!decides(key)) {
            properties.put(key, value);
          }
        });
    own.forEach(
        (key, value) -> {
          if (decides(key)) {
            properties.put(key, value);
          }
        });
    // As catalogs say it that were made for an older Iceberg, Nessie 0.99 for one.
    for (String key : List.of("signer.uri", "signer.endpoint")) {
      if (properties.containsKey("s3." + key)) {
        properties.putIfAbsent(key, properties.get("s3." + key));
      }
    }
    return CatalogUtil.loadFileIO(own.get(CatalogProperties.FILE_IO_IMPL), properties, null);
  }

  /** Whether it is for the gateway's configuration to say; where the store is, only if that says it. */
  private boolean decides(String key) {
    return WHERE.contains(key) && own.containsKey(key)
        || key.startsWith("sqe.")
        || key.startsWith("rest.auth.")
        || key.equals(CatalogProperties.FILE_IO_IMPL)
        || key.equals("s3.client-factory-impl")
        || key.equals("s3.remote-signing-enabled")
        || key.startsWith("client.") && !OF_THE_SERVER.contains(key);
  }
}
