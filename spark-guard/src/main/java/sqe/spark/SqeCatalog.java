package sqe.spark;

import java.io.Closeable;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NoSuchViewException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.ViewAlreadyExistsException;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.catalog.View;
import org.apache.spark.sql.connector.catalog.ViewChange;
import org.apache.spark.sql.connector.catalog.ViewInfo;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import sqe.spark.guard.CatalogGuard;
import sqe.spark.guard.Guard;
import sqe.spark.guard.ProcedureGate;
import sqe.spark.identity.GatewayCatalog;
import sqe.spark.kinds.Places;
import sqe.spark.kinds.Procedures;

/**
 * Iceberg's catalog for Spark, which is closed with the session that it belongs to.
 *
 * <p>With the option {@code from=gateway} the session's settings say nothing more of it: the gateway is asked.
 *
 * <p>With the guard on, everything that it gives or does is asked about first: what comes from here is the only thing that a plan
 * can read.
 */
public final class SqeCatalog extends SparkCatalog {
  private CatalogGuard guard;
  private boolean ownKeys;

  @Override
  protected Catalog buildIcebergCatalog(String name, CaseInsensitiveStringMap options) {
    SparkSession session = SparkSession.active();
    ownKeys = "gateway".equals(options.get("from"));
    Catalog catalog = ownKeys ? GatewayCatalog.open(session, name) : super.buildIcebergCatalog(name, options);
    if (catalog instanceof Closeable closeable) {
      SessionCatalogs.opened(session.sessionUUID(), closeable);
    }
    guard = Guard.isOn() ? new CatalogGuard(session, name) : null;
    return catalog;
  }

  /** Null if the guard is off. */
  public CatalogGuard guard() {
    return guard;
  }

  /** The table as it is stored, for what has been decided already. */
  public Table stored(Identifier ident) throws NoSuchTableException {
    return super.loadTable(ident);
  }

  /** The same of a view. */
  public View storedView(Identifier ident) throws NoSuchViewException {
    return super.loadView(ident);
  }

  // Tables, read.

  @Override
  public Table loadTable(Identifier ident) throws NoSuchTableException {
    return read(ident, super.loadTable(ident), null);
  }

  @Override
  public Table loadTable(Identifier ident, String version) throws NoSuchTableException {
    return read(ident, super.loadTable(ident, version), version);
  }

  @Override
  public Table loadTable(Identifier ident, long timestampMicros) throws NoSuchTableException {
    return read(ident, super.loadTable(ident, timestampMicros), Long.toString(timestampMicros));
  }

  @Override
  public Table loadTable(Identifier ident, Set<TableWritePrivilege> privileges) throws NoSuchTableException {
    Table loaded = super.loadTable(ident); // not super's own, which would come back here
    return guard == null ? loaded : guard.write(ident, loaded, privileges);
  }

  private Table read(Identifier ident, Table loaded, String time) throws NoSuchTableException {
    if (guard != null && CatalogGuard.isChanges(ident, loaded)) {
      String[] names = ident.namespace();
      Identifier base = Identifier.of(Arrays.copyOf(names, names.length - 1), names[names.length - 1]);
      return guard.changes(base, super.loadTable(base));
    }
    return guard == null ? loaded : guard.read(ident, loaded, time);
  }

  // Tables, made and changed. Commands that resolve their table first, as ALTER does, are asked about by their plans.

  @Override
  public Table createTable(Identifier ident, StructType schema, Transform[] transforms, Map<String, String> properties)
      throws TableAlreadyExistsException {
    return super.createTable(ident, schema, transforms, created(ident, properties));
  }

  @Override
  public Table createTable(Identifier ident, TableInfo info) throws TableAlreadyExistsException {
    return super.createTable(ident, with(info, created(ident, info.properties())));
  }

  @Override
  public StagedTable stageCreate(
      Identifier ident, StructType schema, Transform[] transforms, Map<String, String> properties)
      throws TableAlreadyExistsException {
    return staged(ident, super.stageCreate(ident, schema, transforms, created(ident, properties)));
  }

  @Override
  public StagedTable stageCreate(Identifier ident, TableInfo info) throws TableAlreadyExistsException {
    return staged(ident, super.stageCreate(ident, with(info, created(ident, info.properties()))));
  }

  @Override
  public StagedTable stageReplace(
      Identifier ident, StructType schema, Transform[] transforms, Map<String, String> properties)
      throws NoSuchTableException {
    return staged(ident, super.stageReplace(ident, schema, transforms, replaced(ident, properties)));
  }

  @Override
  public StagedTable stageReplace(Identifier ident, TableInfo info) throws NoSuchTableException {
    return staged(ident, super.stageReplace(ident, with(info, replaced(ident, info.properties()))));
  }

  @Override
  public StagedTable stageCreateOrReplace(
      Identifier ident, StructType schema, Transform[] transforms, Map<String, String> properties) {
    return staged(ident, super.stageCreateOrReplace(ident, schema, transforms, either(ident, properties)));
  }

  @Override
  public StagedTable stageCreateOrReplace(Identifier ident, TableInfo info) {
    return staged(ident, super.stageCreateOrReplace(ident, with(info, either(ident, info.properties()))));
  }

  private Map<String, String> created(Identifier ident, Map<String, String> properties) {
    check(properties.keySet());
    return guard == null ? properties : guard.owned("create_table", "table", ident, properties);
  }

  /** It stays its owner's, with the tags of its columns: Iceberg keeps properties that are not named. */
  private Map<String, String> replaced(Identifier ident, Map<String, String> properties) throws NoSuchTableException {
    check(properties.keySet());
    if (guard != null) {
      guard.allowed("replace_table", ident, super.loadTable(ident));
    }
    return properties;
  }

  private Map<String, String> either(Identifier ident, Map<String, String> properties) {
    try {
      return replaced(ident, properties);
    } catch (NoSuchTableException isNew) {
      return created(ident, properties);
    }
  }

  /** The properties that a statement names. */
  private void check(Collection<String> properties) {
    Places.check(properties, ownKeys);
    if (guard != null) {
      CatalogGuard.refuseOwn(properties);
    }
  }

  private StagedTable staged(Identifier ident, StagedTable staged) {
    return guard == null ? staged : guard.staged(ident, staged);
  }

  private static TableInfo with(TableInfo info, Map<String, String> properties) {
    return new TableInfo.Builder()
        .withColumns(info.columns())
        .withPartitions(info.partitions())
        .withConstraints(info.constraints())
        .withProperties(properties)
        .build();
  }

  @Override
  public Table alterTable(Identifier ident, TableChange... changes) throws NoSuchTableException {
    for (TableChange change : changes) {
      if (change instanceof TableChange.SetProperty set) {
        check(List.of(set.property()));
      } else if (change instanceof TableChange.RemoveProperty remove) {
        check(List.of(remove.property()));
      }
    }
    return super.alterTable(ident, changes);
  }

  @Override
  public boolean dropTable(Identifier ident) {
    return mayDrop(ident) && super.dropTable(ident);
  }

  @Override
  public boolean purgeTable(Identifier ident) {
    return mayDrop(ident) && Procedures.run(() -> super.purgeTable(ident)); // it looks for the files with queries
  }

  private boolean mayDrop(Identifier ident) {
    try {
      if (guard != null) {
        guard.allowed("drop", ident, super.loadTable(ident));
      }
      return true;
    } catch (NoSuchTableException gone) {
      return false;
    }
  }

  @Override
  public void renameTable(Identifier from, Identifier to) throws NoSuchTableException, TableAlreadyExistsException {
    if (guard != null) {
      guard.allowed("create_table", "table", to);
    }
    super.renameTable(from, to);
  }

  // Views.

  @Override
  public View loadView(Identifier ident) throws NoSuchViewException {
    View view = super.loadView(ident);
    return guard == null ? view : guard.read(ident, view);
  }

  @Override
  public View createView(ViewInfo info) throws ViewAlreadyExistsException, NoSuchNamespaceException {
    check(info.properties().keySet());
    if (guard == null) {
      return super.createView(info);
    }
    Map<String, String> properties = guard.owned("create_view", "view", info.ident(), info.properties());
    return super.createView(
        new ViewInfo(
            info.ident(),
            info.sql(),
            info.currentCatalog(),
            info.currentNamespace(),
            info.schema(),
            info.queryColumnNames(),
            info.columnAliases(),
            info.columnComments(),
            properties));
  }

  @Override
  public View replaceView(
      Identifier ident,
      String sql,
      String currentCatalog,
      String[] currentNamespace,
      StructType schema,
      String[] queryColumnNames,
      String[] columnAliases,
      String[] columnComments,
      Map<String, String> properties)
      throws NoSuchNamespaceException, NoSuchViewException {
    check(properties.keySet());
    return super.replaceView(
        ident,
        sql,
        currentCatalog,
        currentNamespace,
        schema,
        queryColumnNames,
        columnAliases,
        columnComments,
        guard == null ? properties : ofReplaced(ident, properties));
  }

  /** CREATE OR REPLACE comes here for views that there are not yet, too. */
  private Map<String, String> ofReplaced(Identifier ident, Map<String, String> properties) {
    View view;
    try {
      view = super.loadView(ident);
    } catch (NoSuchViewException isNew) {
      return guard.owned("create_view", "view", ident, properties);
    }
    guard.allowed("alter", ident, view);
    return CatalogGuard.owned(properties, view.properties());
  }

  @Override
  public View alterView(Identifier ident, ViewChange... changes) throws NoSuchViewException {
    for (ViewChange change : changes) {
      if (change instanceof ViewChange.SetProperty set) {
        check(List.of(set.property()));
      } else if (change instanceof ViewChange.RemoveProperty remove) {
        check(List.of(remove.property()));
      }
    }
    if (guard != null) {
      guard.allowed("alter", ident, super.loadView(ident));
    }
    return super.alterView(ident, changes);
  }

  @Override
  public boolean dropView(Identifier ident) {
    try {
      if (guard != null) {
        guard.allowed("drop", ident, super.loadView(ident));
      }
      return super.dropView(ident);
    } catch (NoSuchViewException gone) {
      return false;
    }
  }

  @Override
  public void renameView(Identifier from, Identifier to) throws NoSuchViewException, ViewAlreadyExistsException {
    if (guard != null) {
      guard.allowed("rename", from, super.loadView(from));
      guard.allowed("create_view", "view", to);
    }
    super.renameView(from, to);
  }

  // Names. Summaries are made from the two lists.

  @Override
  public Identifier[] listTables(String[] namespace) {
    Identifier[] tables = super.listTables(namespace);
    return guard == null ? tables : guard.listed("table", tables);
  }

  @Override
  public Identifier[] listViews(String... namespace) {
    Identifier[] views = super.listViews(namespace);
    return guard == null ? views : guard.listed("view", views);
  }

  @Override
  public String[][] listNamespaces() {
    return listed(super.listNamespaces());
  }

  @Override
  public String[][] listNamespaces(String[] namespace) throws NoSuchNamespaceException {
    return listed(super.listNamespaces(namespace));
  }

  private String[][] listed(String[][] namespaces) {
    return guard == null ? namespaces : guard.listed(namespaces);
  }

  // Schemas.

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace) throws NoSuchNamespaceException {
    Map<String, String> metadata = super.loadNamespaceMetadata(namespace);
    if (guard != null) {
      guard.allowed("list", namespace);
    }
    return metadata;
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata) throws NamespaceAlreadyExistsException {
    check(metadata.keySet());
    if (guard != null) {
      guard.allowed("create_schema", namespace);
    }
    super.createNamespace(namespace, metadata);
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes) throws NoSuchNamespaceException {
    for (NamespaceChange change : changes) {
      if (change instanceof NamespaceChange.SetProperty set) {
        check(List.of(set.property()));
      } else if (change instanceof NamespaceChange.RemoveProperty remove) {
        check(List.of(remove.property()));
      }
    }
    if (guard != null) {
      guard.allowed("alter_schema", namespace);
    }
    super.alterNamespace(namespace, changes);
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade) throws NoSuchNamespaceException {
    if (guard != null) {
      guard.allowed("drop_schema", namespace);
    }
    return super.dropNamespace(namespace, cascade);
  }

  // Procedures: they run while a statement is analysed.

  @Override
  public UnboundProcedure loadProcedure(Identifier ident) {
    return Procedures.known(super.loadProcedure(ident), guard == null ? Procedures.ANYBODY : new ProcedureGate(this));
  }
}
