package sqe.spark.guard;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NoSuchViewException;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.catalog.View;
import sqe.spark.catalog.SqeCatalog;
import sqe.spark.kinds.Procedures;

/**
 * Decides on what {@link SqeCatalog} is about to give or do: {@link PolicyCatalogGuard} asks the gateway, {@link NoCatalogGuard} of an
 * engine without policies allows everything. A method named {@code allowed} returns if the operation is allowed, and throws otherwise.
 */
public interface CatalogGuard {
  /** Loads a table as it is stored. */
  @FunctionalInterface
  interface Load {
    Table table(Identifier ident) throws NoSuchTableException;
  }

  /** Return the guard of one catalog of one session. */
  static CatalogGuard of(SparkSession session, String catalog) {
    return Guard.isOn() ? new PolicyCatalogGuard(session, catalog) : new NoCatalogGuard();
  }

  /** Whether something that there is can be hidden from the person. */
  boolean hides();

  /** Return a table for reading, or as the object of a command. */
  Table read(Identifier ident, Table loaded, String time, Load load) throws NoSuchTableException;

  Table write(Identifier ident, Table loaded, Set<TableWritePrivilege> privileges) throws NoSuchTableException;

  View read(Identifier ident, View view) throws NoSuchViewException;

  /** For a view that there is. */
  void allowed(String operation, Identifier ident, View view) throws NoSuchViewException;

  /** For a table that there is; it is loaded only if that is needed. */
  void allowed(String operation, Identifier ident, Load load) throws NoSuchTableException;

  /** For what has this name or will have it. */
  void allowed(String operation, String kind, Identifier ident);

  void allowed(String operation, String[] namespace);

  /** Return the properties that something new gets: those that are asked for, and its owner. */
  Map<String, String> owned(String operation, String kind, Identifier ident, Map<String, String> properties);

  /** Return the properties of something that is replaced: those that are asked for, and its owner as before. */
  Map<String, String> owned(Map<String, String> properties, Map<String, String> before);

  /** Throws if one of the properties is the server's own. */
  void refuseOwn(Collection<String> properties);

  /** Return a table that is being made: the guard does not ask again about what is written to it. */
  StagedTable staged(Identifier ident, StagedTable staged);

  /** Whether it is in listings. */
  boolean isShown(String kind, Identifier ident);

  boolean isShown(String[] namespace);

  /** Return those of the names in a namespace that are in listings. */
  Identifier[] listed(String kind, Identifier[] names);

  String[][] listed(String[][] namespaces);

  /** Return the gate that calls of the catalog's procedures pass. */
  Procedures.Gate procedures(SqeCatalog catalog);
}
