package sqe.spark;

import java.io.Closeable;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import sqe.spark.identity.GatewayCatalog;

/**
 * Iceberg's catalog for Spark, which is closed with the session that it belongs to.
 *
 * <p>With the option {@code from=gateway} the session's settings say nothing more of it: the gateway is asked.
 */
public final class SqeCatalog extends SparkCatalog {
  @Override
  protected Catalog buildIcebergCatalog(String name, CaseInsensitiveStringMap options) {
    SparkSession session = SparkSession.active();
    Catalog catalog =
        "gateway".equals(options.get("from"))
            ? GatewayCatalog.open(session, name)
            : super.buildIcebergCatalog(name, options);
    if (catalog instanceof Closeable closeable) {
      SessionCatalogs.opened(session.sessionUUID(), closeable);
    }
    return catalog;
  }
}
