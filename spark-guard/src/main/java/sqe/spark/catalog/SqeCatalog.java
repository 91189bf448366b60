package sqe.spark.catalog;

import java.io.Closeable;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.iceberg.spark.source.SparkTable;
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
import org.apache.spark.sql.connector.catalog.TableCatalogCapability;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.catalog.View;
import org.apache.spark.sql.connector.catalog.ViewChange;
import org.apache.spark.sql.connector.catalog.ViewInfo;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import sqe.spark.guard.CatalogGuard;
import sqe.spark.guard.GuardRefusal;
import sqe.spark.guard.PolicyCatalogGuard;
import sqe.spark.identity.GatewayCatalog;
import sqe.spark.isolation.WorkLimits;
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
  private static final String LOCATION = "location";

  private CatalogGuard guard;
  private boolean ownKeys;

  /** Null where the catalog is a server, which gives tables their places. */
  private Warehouse warehouse;

  @Override
  protected Catalog buildIcebergCatalog(String name, CaseInsensitiveStringMap options) {
    SparkSession session = SparkSession.active();
    ownKeys = "gateway".equals(options.get("from"));
    Catalog catalog = ownKeys ? GatewayCatalog.open(session, name) : super.buildIcebergCatalog(name, options);
    if (catalog instanceof Closeable closeable) {
      SessionCatalogs.opened(session.sessionUUID(), closeable);
    }
    guard = CatalogGuard.of(session, name);
    warehouse = catalog instanceof JdbcCatalog ? new Warehouse(options.get("warehouse")) : null;
    return catalog;
  }

  public CatalogGuard guard() {
    return guard;
  }

  /** The table as it is stored, for what has been decided already. */
  public Table stored(Identifier ident) throws NoSuchTableException {
    return super.loadTable(known(ident));
  }

  /** The same of a view. */
  public View storedView(Identifier ident) throws NoSuchViewException {
    if (!Names.isValid(ident)) {
      throw new NoSuchViewException(ident);
    }
    return super.loadView(ident);
  }

  /** The name, if something can have it: every way to the underlying catalog begins here or at {@link Names#check}. */
  private static Identifier known(Identifier ident) throws NoSuchTableException {
    if (!Names.isValid(ident)) {
      throw new NoSuchTableException(ident);
    }
    return ident;
  }

  // Tables, read.

  @Override
  public Table loadTable(Identifier ident) throws NoSuchTableException {
    return read(ident, found(ident, () -> super.loadTable(ident)), null);
  }

  @Override
  public Table loadTable(Identifier ident, String version) throws NoSuchTableException {
    return read(ident, found(ident, () -> super.loadTable(ident, version)), version);
  }

  @Override
  public Table loadTable(Identifier ident, long timestampMicros) throws NoSuchTableException {
    String time = Long.toString(timestampMicros);
    return read(ident, found(ident, () -> super.loadTable(ident, timestampMicros)), time);
  }

  @Override
  public Table loadTable(Identifier ident, Set<TableWritePrivilege> privileges) throws NoSuchTableException {
    Table loaded = found(ident, () -> super.loadTable(ident)); // not super's own, which would come back here
    return guard.write(ident, loaded, privileges);
  }

  @Override
  public boolean tableExists(Identifier ident) {
    try {
      if (guard.hides()) {
        loadTable(ident);
        return true;
      }
      return super.tableExists(known(ident));
    } catch (NoSuchTableException none) {
      return false;
    } catch (GuardRefusal refused) {
      return refused.isOfSomethingShown();
    }
  }

  @Override
  public void invalidateTable(Identifier ident) {
    if (Names.isValid(ident)) {
      super.invalidateTable(ident);
    }
  }

  private interface Load {
    Table table() throws NoSuchTableException;
  }

  /** What is loaded. A snapshot, a branch or a file that is missing is told of only to who is shown the table. */
  private Table found(Identifier ident, Load load) throws NoSuchTableException {
    known(ident);
    try {
      return load.table();
    } catch (RuntimeException failure) {
      if (guard.hides() && !guard.isShown("table", based(ident))) {
        throw new NoSuchTableException(ident);
      }
      throw failure;
    }
  }

  /** The table that a name means, of which the last part may be no part. */
  private Identifier based(Identifier ident) {
    Identifier base = PolicyCatalogGuard.isPart(ident.name()) ? PolicyCatalogGuard.parent(ident) : null;
    try {
      if (base != null) {
        super.loadTable(base);
        return base;
      }
    } catch (NoSuchTableException none) {
      // Then it is the name of a table itself.
    }
    return ident;
  }

  private Table read(Identifier ident, Table loaded, String time) throws NoSuchTableException {
    return guard.read(ident, loaded, time, super::loadTable);
  }

  /** Spark asks before a statement may name defaults of columns; whether a table can have them is decided by its format. */
  @Override
  public Set<TableCatalogCapability> capabilities() {
    Set<TableCatalogCapability> all = new HashSet<>(super.capabilities());
    all.add(TableCatalogCapability.SUPPORT_COLUMN_DEFAULT_VALUE);
    return all;
  }

  // Tables, made and changed. Commands that resolve their table first, as ALTER does, are asked about by their plans.

  // Iceberg makes of the other ways to say it those with a TableInfo.

  @Override
  public Table createTable(Identifier ident, TableInfo info) throws TableAlreadyExistsException {
    if (SortOrders.isGiven(info) || ColumnDefaults.isGiven(info) || FormatVersions.isGiven(info)) {
      stageCreate(ident, info).commitStagedChanges();
      return loadedAgain(ident);
    }
    return super.createTable(ident, with(info, created(ident, info.properties())));
  }

  @Override
  public StagedTable stageCreate(Identifier ident, TableInfo info) throws TableAlreadyExistsException {
    TableInfo made = with(info, created(ident, SortOrders.otherProperties(info)));
    return staged(ident, changed(info, super.stageCreate(ident, made)));
  }

  @Override
  public StagedTable stageReplace(Identifier ident, TableInfo info) throws NoSuchTableException {
    TableInfo made = with(info, replaced(ident, SortOrders.otherProperties(info)));
    return staged(ident, changed(info, super.stageReplace(ident, made)));
  }

  /** One of the two by what there is for this person, so that nothing is replaced that was not decided about. */
  @Override
  public StagedTable stageCreateOrReplace(Identifier ident, TableInfo info) {
    Names.check(ident);
    try {
      return stageReplace(ident, info);
    } catch (NoSuchTableException isNew) {
      try {
        return stageCreate(ident, info);
      } catch (TableAlreadyExistsException taken) {
        throw NameRefusal.taken(ident.toString());
      }
    }
  }

  private Table loadedAgain(Identifier ident) {
    try {
      return super.loadTable(ident);
    } catch (NoSuchTableException dropped) {
      throw new IllegalStateException("the table was dropped while it was created", dropped);
    }
  }

  private Map<String, String> created(Identifier ident, Map<String, String> properties) {
    Names.check(ident);
    check(properties.keySet());
    WorkLimits.check(properties);
    Map<String, String> owned = guard.owned("create_table", "table", ident, properties);
    return placed(ident, Places.withoutAccount(owned));
  }

  /** With a place of its own, where the catalog would make one of the name. */
  private Map<String, String> placed(Identifier ident, Map<String, String> properties) {
    String place = properties.containsKey(LOCATION) ? null : place(ident);
    if (place == null) {
      return properties;
    }
    Map<String, String> placed = new HashMap<>(properties);
    placed.put(LOCATION, place);
    return placed;
  }

  /** Null where the catalog is to choose it. */
  private String place(Identifier ident) {
    if (warehouse != null) {
      return warehouse.place(ident);
    }
    try {
      String schema = super.loadNamespaceMetadata(ident.namespace()).get(LOCATION);
      return schema == null ? null : Warehouse.place(schema, ident.name());
    } catch (NoSuchNamespaceException | ForbiddenException unknown) {
      return null; // what follows from that is the catalog's to say
    }
  }

  /** It stays its owner's, with the tags of its columns: Iceberg keeps properties that are not named. */
  private Map<String, String> replaced(Identifier ident, Map<String, String> properties) throws NoSuchTableException {
    known(ident);
    check(properties.keySet());
    WorkLimits.check(properties);
    guard.allowed("replace_table", ident, super::loadTable);
    return properties;
  }

  /** The properties that a statement names. */
  private void check(Collection<String> properties) {
    Places.check(properties, ownKeys);
    guard.refuseOwn(properties);
  }

  /** With what Iceberg's connector does not set itself. */
  private static StagedTable changed(TableInfo info, StagedTable staged) {
    FormatVersions.check(info, staged);
    return ColumnDefaults.apply(info, SortOrders.apply(info, staged));
  }

  private StagedTable staged(Identifier ident, StagedTable staged) {
    return guard.staged(ident, staged);
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
    if (Partitioning.isGiven(changes) && super.loadTable(known(ident)) instanceof SparkTable stored) {
      Partitioning.apply(changes[0], stored.table());
      return super.alterTable(ident);
    }
    for (TableChange change : changes) {
      if (change instanceof TableChange.SetProperty set) {
        check(List.of(set.property()));
        WorkLimits.check(set.property(), set.value());
      } else if (change instanceof TableChange.RemoveProperty remove) {
        check(List.of(remove.property()));
      }
    }
    if (ColumnDefaults.isGiven(changes)) {
      ColumnDefaults.commit(((SparkTable) stored(ident)).table(), changes);
      return stored(ident);
    }
    return super.alterTable(known(ident), changes);
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
      known(ident);
      guard.allowed("drop", ident, super::loadTable);
      return true;
    } catch (NoSuchTableException gone) {
      return false;
    }
  }

  @Override
  public void renameTable(Identifier from, Identifier to) throws NoSuchTableException, TableAlreadyExistsException {
    known(from);
    Names.check(to);
    guard.allowed("create_table", "table", to);
    super.renameTable(from, to);
  }

  // Views.

  @Override
  public View loadView(Identifier ident) throws NoSuchViewException {
    View view = storedView(ident);
    return guard.read(ident, view);
  }

  @Override
  public boolean viewExists(Identifier ident) {
    try {
      if (guard.hides()) {
        loadView(ident);
        return true;
      }
      return Names.isValid(ident) && super.viewExists(ident);
    } catch (NoSuchViewException none) {
      return false;
    } catch (GuardRefusal refused) {
      return refused.isOfSomethingShown();
    }
  }

  @Override
  public View createView(ViewInfo info) throws ViewAlreadyExistsException, NoSuchNamespaceException {
    Map<String, String> properties = createdView(info.ident(), info.properties());
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

  private Map<String, String> createdView(Identifier ident, Map<String, String> properties) {
    Names.check(ident);
    check(properties.keySet());
    Map<String, String> owned = guard.owned("create_view", "view", ident, properties);
    return placed(ident, Places.withoutAccount(owned));
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
    return super.replaceView(
        ident,
        sql,
        currentCatalog,
        currentNamespace,
        schema,
        queryColumnNames,
        columnAliases,
        columnComments,
        ofReplaced(ident, properties));
  }

  /** CREATE OR REPLACE comes here for views that there are not yet, too. */
  private Map<String, String> ofReplaced(Identifier ident, Map<String, String> properties) {
    Names.check(ident);
    check(properties.keySet());
    View view;
    try {
      view = super.loadView(ident);
    } catch (NoSuchViewException isNew) {
      return createdView(ident, properties);
    }
    try {
      guard.allowed("alter", ident, view);
    } catch (NoSuchViewException hidden) {
      createdView(ident, properties);
      throw NameRefusal.taken(ident.toString());
    }
    return guard.owned(properties, view.properties());
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
    View view = storedView(ident);
    guard.allowed("alter", ident, view);
    return super.alterView(ident, changes);
  }

  @Override
  public boolean dropView(Identifier ident) {
    try {
      View view = storedView(ident);
      guard.allowed("drop", ident, view);
      return super.dropView(ident);
    } catch (NoSuchViewException gone) {
      return false;
    }
  }

  @Override
  public void renameView(Identifier from, Identifier to) throws NoSuchViewException, ViewAlreadyExistsException {
    View view = storedView(from);
    Names.check(to);
    guard.allowed("rename", from, view);
    guard.allowed("create_view", "view", to);
    super.renameView(from, to);
  }

  // Names. Summaries are made from the two lists. What has a name that is not valid is left out.

  @Override
  public Identifier[] listTables(String[] namespace) {
    Identifier[] tables = Names.valid(name(), inside(namespace, () -> super.listTables(namespace)));
    return guard.listed("table", tables);
  }

  @Override
  public Identifier[] listViews(String... namespace) {
    Identifier[] views = Names.valid(name(), inside(namespace, () -> super.listViews(namespace)));
    return guard.listed("view", views);
  }

  /** What is in a namespace. One that is not shown gives the same error as one that is not there. */
  private Identifier[] inside(String[] namespace, Supplier<Identifier[]> listed) {
    org.apache.iceberg.exceptions.NoSuchNamespaceException none =
        new org.apache.iceberg.exceptions.NoSuchNamespaceException(
            "Namespace does not exist: %s", String.join(".", namespace));
    if (!isShown(namespace)) {
      throw none;
    }
    try {
      return listed.get();
    } catch (org.apache.iceberg.exceptions.NoSuchNamespaceException missing) {
      throw none;
    }
  }

  @Override
  public String[][] listNamespaces() {
    return listed(super.listNamespaces());
  }

  @Override
  public String[][] listNamespaces(String[] namespace) throws NoSuchNamespaceException {
    return listed(super.listNamespaces(known(namespace)));
  }

  private String[][] listed(String[][] namespaces) {
    String[][] valid = Names.valid(name(), namespaces);
    return guard.listed(valid);
  }

  // Schemas.

  private boolean isShown(String[] namespace) {
    return Names.isValid(namespace) && (namespace.length == 0 || guard.isShown(namespace));
  }

  private String[] known(String[] namespace) throws NoSuchNamespaceException {
    if (!isShown(namespace)) {
      throw new NoSuchNamespaceException(namespace);
    }
    return namespace;
  }

  @Override
  public boolean namespaceExists(String[] namespace) {
    return isShown(namespace) && super.namespaceExists(namespace);
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace) throws NoSuchNamespaceException {
    return Places.shown(super.loadNamespaceMetadata(known(namespace)), ownKeys);
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata) throws NamespaceAlreadyExistsException {
    Names.check(namespace);
    check(metadata.keySet());
    guard.allowed("create_schema", namespace);
    super.createNamespace(namespace, Places.withoutAccount(metadata));
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
    known(namespace);
    guard.allowed("alter_schema", namespace);
    super.alterNamespace(namespace, changes);
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade) throws NoSuchNamespaceException {
    known(namespace);
    guard.allowed("drop_schema", namespace);
    return super.dropNamespace(namespace, cascade);
  }

  // Procedures: they run while a statement is analysed.

  @Override
  public UnboundProcedure loadProcedure(Identifier ident) {
    return Procedures.known(super.loadProcedure(ident), guard.procedures(this));
  }
}
