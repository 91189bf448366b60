package sqe.spark.guard;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.catalog.View;
import sqe.spark.catalog.SqeCatalog;
import sqe.spark.kinds.Procedures;

/** The guard of an engine without policies: it allows everything, changes nothing and loads nothing. */
final class NoCatalogGuard implements CatalogGuard {
  @Override
  public boolean hides() {
    return false;
  }

  @Override
  public Table read(Identifier ident, Table loaded, String time, Load load) {
    return loaded;
  }

  @Override
  public Table write(Identifier ident, Table loaded, Set<TableWritePrivilege> privileges) {
    return loaded;
  }

  @Override
  public View read(Identifier ident, View view) {
    return view;
  }

  @Override
  public void allowed(String operation, Identifier ident, View view) {}

  @Override
  public void allowed(String operation, Identifier ident, Load load) {}

  @Override
  public void allowed(String operation, String kind, Identifier ident) {}

  @Override
  public void allowed(String operation, String[] namespace) {}

  @Override
  public Map<String, String> owned(String operation, String kind, Identifier ident, Map<String, String> properties) {
    return properties;
  }

  @Override
  public Map<String, String> owned(Map<String, String> properties, Map<String, String> before) {
    return properties;
  }

  @Override
  public void refuseOwn(Collection<String> properties) {}

  @Override
  public StagedTable staged(Identifier ident, StagedTable staged) {
    return staged;
  }

  @Override
  public boolean isShown(String kind, Identifier ident) {
    return true;
  }

  @Override
  public boolean isShown(String[] namespace) {
    return true;
  }

  @Override
  public Identifier[] listed(String kind, Identifier[] names) {
    return names;
  }

  @Override
  public String[][] listed(String[][] namespaces) {
    return namespaces;
  }

  @Override
  public Procedures.Gate procedures(SqeCatalog catalog) {
    return Procedures.OPEN;
  }
}
