package sqe.spark.guard;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.util.ResolveDefaultColumns;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table of Iceberg's that knows what its reader may see. Columns that are restricted are not there at all, so that stars,
 * DESCRIBE and names are right by themselves.
 *
 * <p>It is a SparkTable because Iceberg's rules look for one; it does nothing itself, because only Iceberg can make one of a
 * branch or of another time.
 */
class GuardedTable extends SparkTable implements Guarded {
  static final String OWN = "sqe.";

  /** The properties that tell nothing of rows, columns and files, and so are for everybody who may describe the table. */
  static final Set<String> HARMLESS =
      Set.of(
          "comment",
          "format",
          "format-version",
          "provider",
          "write.delete.isolation-level",
          "write.delete.mode",
          "write.format.default",
          "write.merge.isolation-level",
          "write.merge.mode",
          "write.parquet.compression-codec",
          "write.target-file-size-bytes",
          "write.update.isolation-level",
          "write.update.mode");

  private static final Set<String> CHANGES = Set.of("update", "delete", "merge");

  private final SparkTable table;
  private final Loaded loaded;
  private final List<String> hidden;
  private final boolean whole;
  private final boolean filtered;

  GuardedTable(SparkTable table, Loaded loaded) {
    this(table, loaded, false, false);
  }

  private GuardedTable(SparkTable table, Loaded loaded, boolean whole, boolean filtered) {
    super(table.table());
    this.table = table;
    this.loaded = loaded;
    this.whole = whole;
    this.filtered = filtered;
    this.hidden = whole ? List.of() : seen().restricted();
  }

  /** The same with all its columns, for the guard's own part of a plan. */
  GuardedTable whole() {
    return new GuardedTable(table, loaded, true, filtered);
  }

  boolean isWhole() {
    return whole;
  }

  /** The same as the target of a statement whose condition has the row filter in it. */
  GuardedTable filtered() {
    return new GuardedTable(table, loaded, whole, true);
  }

  boolean isFiltered() {
    return filtered;
  }

  /** The same as it may be read. */
  GuardedTable read() {
    return (GuardedTable) decided(table, resource().ref(), PolicyCatalogGuard.READ);
  }

  @Override
  public Loaded loaded() {
    return loaded;
  }

  /** What decides on columns: what may be read, or else what may be described, or else the operation that is allowed. */
  private Decision seen() {
    for (String operation : List.of("select", "describe")) {
      Decision decision = decision(operation);
      if (decision != null && decision.allow()) {
        return decision;
      }
    }
    return loaded.decisions().values().stream().filter(Decision::allow).findFirst().orElseThrow();
  }

  /** Whether all that is stored may be read. */
  private boolean isOpen() {
    return loaded.decisions().values().stream().noneMatch(Decision::hides) && isOpen("select", false);
  }

  private boolean isHidden(NamedReference reference) {
    return hidden.contains(reference.fieldNames()[0]);
  }

  @Override
  public StructType schema() {
    StructField[] fields =
        Arrays.stream(table.schema().fields())
            .filter(field -> !hidden.contains(field.name()))
            .map(this::shown)
            .toArray(StructField[]::new);
    return new StructType(fields);
  }

  @Override
  public Column[] columns() {
    return Arrays.stream(table.columns())
        .filter(column -> !hidden.contains(column.name()))
        .map(this::shown)
        .toArray(Column[]::new);
  }

  /**
   * A mask may make null of what never is, at any depth. The default goes: it is the value of all rows that are older than the
   * column.
   */
  private StructField shown(StructField field) {
    return isMasked(field.name())
        ? new StructField(field.name(), field.dataType().asNullable(), true, withoutDefault(field.metadata()))
        : field;
  }

  private static Metadata withoutDefault(Metadata metadata) {
    return new MetadataBuilder()
        .withMetadata(metadata)
        .remove(ResolveDefaultColumns.CURRENT_DEFAULT_COLUMN_METADATA_KEY())
        .remove(ResolveDefaultColumns.EXISTS_DEFAULT_COLUMN_METADATA_KEY())
        .build();
  }

  private Column shown(Column column) {
    return isMasked(column.name())
        ? Column.create(
            column.name(), column.dataType().asNullable(), true, column.comment(), column.metadataInJSON())
        : column;
  }

  private boolean isMasked(String column) {
    return !whole && seen().masks().containsKey(column);
  }

  @Override
  public Transform[] partitioning() {
    return Arrays.stream(table.partitioning())
        .filter(transform -> Arrays.stream(transform.references()).noneMatch(this::isHidden))
        .toArray(Transform[]::new);
  }

  @Override
  public Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>(table.properties());
    boolean open = isOpen();
    properties.keySet().removeIf(key -> key.startsWith(OWN) || !open && !HARMLESS.contains(key));
    return Map.copyOf(properties);
  }

  /** The type of {@code _partition} would name restricted columns. */
  @Override
  public MetadataColumn[] metadataColumns() {
    return Arrays.stream(table.metadataColumns())
        .filter(column -> hidden.isEmpty() || !column.name().equals("_partition"))
        .toArray(MetadataColumn[]::new);
  }

  @Override
  public Constraint[] constraints() {
    return hidden.isEmpty() ? table.constraints() : new Constraint[0];
  }

  @Override
  public SparkTable copyWithBranch(String branch) {
    return decided(table.copyWithBranch(branch), branch, loaded.decisions().keySet());
  }

  private SparkTable decided(SparkTable other, String ref, Collection<String> operations) {
    Identifier name = Identifier.of(resource().namespace().toArray(String[]::new), resource().name());
    try {
      return loaded.guard().decided(name, other, resource(), ref, operations);
    } catch (NoSuchTableException hidden) {
      throw GuardRefusal.notFound(hidden.getCondition(), hidden.getSqlState(), hidden.getMessage());
    }
  }

  @Override
  public Long snapshotId() {
    return table.snapshotId();
  }

  @Override
  public String branch() {
    return table.branch();
  }

  @Override
  public String id() {
    return table.id();
  }

  @Override
  public String version() {
    return table.version();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return table.capabilities();
  }

  /**
   * Only the guard's own relation of a protected table is read, and what an UPDATE, DELETE or MERGE that is allowed looks for in
   * files. DESCRIBE would tell what a scan says of all rows.
   */
  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    boolean readable = isOpen("select", whole) || CHANGES.stream().anyMatch(change -> isOpen(change, filtered));
    return readable ? table.newScanBuilder(options) : () -> this::schema;
  }

  private boolean isOpen(String operation, boolean kept) {
    Decision decision = decision(operation);
    return decision != null && decision.allow() && (kept || !decision.hides());
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return table.newWriteBuilder(info);
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    return table.newRowLevelOperationBuilder(info);
  }

  @Override
  public boolean canDeleteWhere(Predicate[] predicates) {
    return table.canDeleteWhere(predicates);
  }

  @Override
  public void deleteWhere(Predicate[] predicates) {
    table.deleteWhere(predicates);
  }

  /** Spark takes what is equal for the same, in caches too. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof GuardedTable that
            && table.equals(that.table)
            && session().equals(that.session())
            && loaded.decisions().equals(that.loaded.decisions())
            && whole == that.whole
            && filtered == that.filtered;
  }

  @Override
  public int hashCode() {
    return Objects.hash(table, session());
  }
}
