package sqe.spark;

import java.io.Closeable;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Iceberg's catalog for Spark, which is closed with the session that it belongs to. */
public final class SqeCatalog extends SparkCatalog {
  @Override
  protected Catalog buildIcebergCatalog(String name, CaseInsensitiveStringMap options) {
    Catalog catalog = super.buildIcebergCatalog(name, options);
    if (catalog instanceof Closeable closeable) {
      SessionCatalogs.opened(SparkSession.active().sessionUUID(), closeable);
    }
    return catalog;
  }
}
