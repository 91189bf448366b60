package sqe.spark.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.ScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.catalog.SqeCatalog;
import sqe.spark.guard.TableDecisions;

/** A rendered statement with places for the readings of its tables, which are filled for each use. */
final class Template {
  private static final List<String> SELECTORS = List.of("branch_", "tag_", "snapshot_id_", "at_timestamp_");

  /** Says that the statement has to be analyzed again. */
  static final class Changed extends Exception {
    Changed() {
      super(null, null, false, false);
    }
  }

  /** A statement with its readings, and the files of these. */
  record Filled(String sql, Scans scans) {}

  /** A catalog and a name in it. */
  private record Name(String catalog, Identifier name) {}

  /** Everything of a table that a rendered statement depends on, and that is not its rows. */
  private record Facts(
      String uuid, int schema, List<?> specs, int format, Map<String, String> properties, Object decisions) {
    static Facts of(Table table, Object decisions) {
      TableMetadata stored = ((HasTableOperations) ((SparkTable) table).table()).operations().current();
      return new Facts(
          stored.uuid(),
          stored.currentSchemaId(),
          stored.specs(),
          stored.formatVersion(),
          stored.properties(),
          decisions);
    }
  }

  /** A table that the statement names, as it was when the statement was rendered. */
  private static final class Named {
    private final SqeCatalog catalog;
    private final Identifier name;
    private final Facts facts;
    private SparkTable loaded; // for this statement alone, because it changes

    Named(SqeCatalog catalog, Identifier name, Facts facts) {
      this.catalog = catalog;
      this.name = name;
      this.facts = facts;
    }

    /** The table as it is now, if the session's principal may read it as before. */
    org.apache.iceberg.Table now() throws NoSuchTableException, Changed {
      if (loaded == null) {
        loaded = (SparkTable) catalog.loadTable(name);
      } else {
        loaded.table().refresh();
      }
      if (!Facts.of(loaded, TableDecisions.now(loaded)).equals(facts)) {
        throw new Changed();
      }
      return loaded.table();
    }
  }

  /** The reading of a table at one place of the statement: what Iceberg was asked for, so that it can be asked again. */
  private record Reading(
      Name table, List<AttributeReference> columns, Schema projection, Expression filter, boolean caseSensitive) {
    String again(org.apache.iceberg.Table stored, Scans scans) {
      List<ScanTask> tasks = new ArrayList<>();
      try (CloseableIterable<ScanTask> planned =
          stored.newBatchScan().caseSensitive(caseSensitive).filter(filter).project(projection).planFiles()) {
        planned.forEach(tasks::add);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
      return scans.render(columns, projection, stored, stored.io(), tasks);
    }
  }

  private final String mark = UUID.randomUUID().toString(); // no text of a user has it
  private final Map<Name, Named> tables = new LinkedHashMap<>();
  private final List<Reading> readings = new ArrayList<>();
  private final List<String> first = new ArrayList<>(); // the readings of the first use
  private String sql;
  private boolean kept = true;
  private Filled last; // the use before, whose files are the same as long as the snapshots are
  private Map<Name, Long> lastSnapshots;

  /** Renders the reading of a table, and returns its place in the statement. */
  String place(DataSourceV2ScanRelation relation, Scans scans) {
    if (!Scans.readsFiles(relation)) {
      kept = false; // its rows are known, and are other ones in another snapshot
      return scans.render(relation);
    }
    first.add(scans.render(relation));
    DataSourceV2Relation of = (DataSourceV2Relation) relation.relation();
    readings.add(
        new Reading(
            name(of),
            CollectionConverters.asJava(relation.output()),
            (Schema) Scans.call(relation.scan(), "projection"),
            (Expression) Scans.call(relation.scan(), "filter"),
            (Boolean) Scans.call(relation.scan(), "caseSensitive")));
    return mark(readings.size() - 1);
  }

  /** Whether the statement can be used again. */
  boolean isKept() {
    return kept;
  }

  /** Takes the rendered statement, and returns it with the readings of the first use. */
  String filledFirst(String statement) {
    sql = statement;
    return filled(first);
  }

  /**
   * Whether a relation can be read again by its name alone. If so, it is remembered.
   *
   * <p>To be called for all relations of the analyzed plan: some may not be in the optimized one, and have to be authorised, too.
   */
  boolean remembers(DataSourceV2Relation relation) {
    if (relation.timeTravelSpec().isDefined()
        || !relation.options().isEmpty()
        || relation.catalog().isEmpty()
        || !(relation.catalog().get() instanceof SqeCatalog catalog)
        || relation.identifier().isEmpty()
        || SELECTORS.stream().anyMatch(relation.identifier().get().name()::startsWith)
        || !(relation.table() instanceof SparkTable table)
        || !(table.table() instanceof HasTableOperations)
        || table.branch() != null) {
      return false;
    }
    Name name = name(relation);
    Facts facts = Facts.of(relation.table(), TableDecisions.of(relation.table()));
    Named known = tables.putIfAbsent(name, new Named(catalog, name.name(), facts));
    return known == null || known.facts.equals(facts);
  }

  /** The statement with the files of now. Throws if it has to be analyzed again. */
  synchronized Filled filledAgain() throws Changed, NoSuchTableException {
    Map<Name, org.apache.iceberg.Table> now = new LinkedHashMap<>();
    Map<Name, Long> snapshots = new LinkedHashMap<>();
    for (Map.Entry<Name, Named> each : tables.entrySet()) {
      org.apache.iceberg.Table table = each.getValue().now();
      now.put(each.getKey(), table);
      snapshots.put(each.getKey(), table.currentSnapshot() == null ? null : table.currentSnapshot().snapshotId());
    }
    if (last == null || !snapshots.equals(lastSnapshots)) {
      Scans scans = new Scans();
      List<String> texts = new ArrayList<>();
      for (Reading each : readings) {
        if (!now.containsKey(each.table())) {
          throw new Changed();
        }
        texts.add(each.again(now.get(each.table()), scans));
      }
      last = new Filled(filled(texts), scans);
      lastSnapshots = snapshots;
    }
    return last;
  }

  private static Name name(DataSourceV2Relation relation) {
    return new Name(
        relation.catalog().isDefined() ? relation.catalog().get().name() : "",
        relation.identifier().isDefined() ? relation.identifier().get() : null);
  }

  private String filled(List<String> texts) {
    String text = sql;
    for (int each = 0; each < texts.size(); each++) {
      text = text.replace(mark(each), texts.get(each));
    }
    return text;
  }

  private String mark(int reading) {
    return "{" + mark + ":" + reading + "}";
  }
}
