package sqe.spark.identity;

import org.apache.iceberg.exceptions.RESTException;

/** A catalog could not be reached, or took too long to answer. */
public final class CatalogSilentException extends RESTException {
  public CatalogSilentException(String catalog, Throwable cause) {
    super(cause, "The catalog %s does not answer.", catalog);
  }
}
