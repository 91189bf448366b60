package sqe.spark.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.ResolvedTable;
import org.apache.spark.sql.catalyst.plans.logical.AppendData;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LeafCommand;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeIntoTable;
import org.apache.spark.sql.catalyst.plans.logical.RowLevelWrite;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;
import sqe.spark.Plans;
import sqe.spark.catalog.SqeCatalog;
import sqe.spark.kinds.Kinds;
import sqe.spark.kinds.Procedures;

/**
 * Refuses a plan that reads, writes or names a table which was not decided about for this very session.
 *
 * <p>It makes no plan right. It is there for what {@link GuardRule} has missed, and as the last word before Spark looks for what is
 * cached and optimizes.
 */
final class CheckRule extends Rule<LogicalPlan> {
  private final SparkSession session;

  CheckRule(SparkSession session) {
    this.session = session;
  }

  /** The same at the end of analysis, where commands are asked about too. */
  AbstractFunction1<LogicalPlan, BoxedUnit> analysed() {
    return new AbstractFunction1<>() {
      @Override
      public BoxedUnit apply(LogicalPlan plan) {
        check(plan, true);
        return BoxedUnit.UNIT;
      }
    };
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (Guard.isOn() && plan instanceof DataSourceV2Relation changed && Mark.of(plan) == null) {
      own(changed, changed.table());
      // No query, which would have its mark: Spark looks in its cache for a table that a command changes. Nothing is found.
      return new LocalRelation(plan.output(), Plans.seq(List.of()), false, Option.empty());
    }
    check(plan, false);
    return plan;
  }

  private void check(LogicalPlan plan, boolean commands) {
    if (!Guard.isOn()) {
      return;
    }
    Set<LogicalPlan> targets = Targets.of(plan);
    plan.foreachWithSubqueries(
        node -> {
          check(node, targets);
          if (commands) {
            command(node);
          }
          // A command that is analysed has no children any more, and its query is here.
          for (Object inner : CollectionConverters.asJava(node.innerChildren())) {
            if (inner instanceof LogicalPlan query && query.resolved()) {
              check(query, commands);
            }
          }
          return BoxedUnit.UNIT;
        });
  }

  private void check(LogicalPlan node, Set<LogicalPlan> targets) {
    if (node instanceof V2WriteCommand write) {
      target(node, (LogicalPlan) write.table());
    } else if (Targets.target(node) != null) {
      target(node, Targets.target(node));
    } else if (node instanceof DataSourceV2Relation relation && !targets.contains(node)) {
      leaf(relation);
    } else if (node instanceof DataSourceV2ScanRelation scan) {
      leaf(scan.relation()); // a part of an optimized plan that is analysed again, in a recursive query
    }
  }

  private void leaf(DataSourceV2Relation relation) {
    if (Procedures.running()) {
      return;
    }
    if (relation.table() instanceof RowLevelOperationTable rows) {
      written(own(relation, rows.table()), operation(rows.operation()));
      return;
    }
    Mark mark = Mark.of(relation);
    if (mark == null || !mark.session().equals(session.sessionUUID())) {
      throw GuardRefusal.unguarded(relation.name());
    }
    if (mark.decision() != null && !mark.decision().equals(own(relation, relation.table()).allowed("select"))) {
      throw GuardRefusal.changed(own(relation, relation.table()).resource()); // Spark has loaded it again meanwhile
    }
  }

  private void target(LogicalPlan command, LogicalPlan target) {
    if (!(target instanceof DataSourceV2Relation relation)) {
      throw GuardRefusal.unsupported("Only a table can be changed, not a view or a query.");
    }
    if (Procedures.running()) {
      return;
    }
    Table table = relation.table() instanceof RowLevelOperationTable rows ? rows.table() : relation.table();
    Guarded guarded = own(relation, table);
    if (command instanceof RowLevelWrite write) {
      written(guarded, operation(write.operation()));
    } else if (command instanceof AppendData append) {
      inserted(guarded, append);
    } else if (command instanceof V2WriteCommand) {
      written(guarded, "overwrite");
    } else if (command instanceof DeleteFromTable) {
      written(guarded, "delete");
    } else {
      written(guarded, command instanceof MergeIntoTable ? "merge" : "update");
    }
  }

  private Guarded own(DataSourceV2Relation relation, Object table) {
    if (table instanceof Guarded guarded && guarded.session().equals(session.sessionUUID())) {
      return guarded;
    }
    throw GuardRefusal.unguarded(relation.name());
  }

  private static String operation(RowLevelOperation operation) {
    return switch (operation.command()) {
      case DELETE -> "delete";
      case UPDATE -> "update";
      case MERGE -> "merge";
    };
  }

  /** Whole rows are written again: a filter can only be in the condition, and a mask nowhere. */
  private static void written(Guarded table, String operation) {
    Decision decision = table.allowedNow(operation);
    boolean kept = table instanceof GuardedTable target && target.isFiltered();
    if (decision.filter() != null && !kept && operation.equals("delete")) {
      throw GuardRefusal.condition(table.resource()); // one that EarlyRule could not read
    }
    if (!decision.masks().isEmpty() || !decision.restricted().isEmpty() || decision.filter() != null && !kept) {
      throw GuardRefusal.unguarded(table.resource().toString());
    }
  }

  private static void inserted(Guarded table, AppendData append) {
    if (table.decision("merge") != null) {
      written(table, "merge"); // one that only inserts
      return;
    }
    Decision decision = table.allowed("insert");
    if (!decision.masks().isEmpty() || !decision.restricted().isEmpty()) {
      throw GuardRefusal.unguarded(table.resource().toString());
    }
    if (decision.filter() != null && !isChecked(append, decision)) {
      throw GuardRefusal.unguarded(table.resource().toString());
    }
  }

  /** Whether the filter is over the rows, with {@link RowCheck}. */
  static boolean isChecked(AppendData append, Decision decision) {
    Mark mark = append.query() instanceof Filter ? Mark.of(append.query()) : null;
    return mark != null && decision.equals(mark.decision());
  }

  /** What a command does with a table that it names. What has only a name yet is asked about by the catalog. */
  private void command(LogicalPlan node) {
    String operation = Kinds.operation(node);
    for (LogicalPlan child : CollectionConverters.asJava(node.children())) {
      if (child instanceof ResolvedTable named) {
        if (operation == null || !(named.table() instanceof Guarded table)) {
          throw GuardRefusal.unguarded(named.identifier().toString());
        }
        table.allowedNow(operation);
      }
    }
    if (operation != null && node instanceof LeafCommand && node.productElement(0) instanceof Seq<?> parts) {
      named(operation, parts);
    }
  }

  /** Iceberg's own commands have a name only, and change the table without the catalog. */
  private void named(String operation, Seq<?> parts) {
    List<String> names = new ArrayList<>();
    CollectionConverters.asJava(parts).forEach(part -> names.add((String) part));
    var found = Spark3Util.catalogAndIdentifier(session, names);
    if (!(found.catalog() instanceof SqeCatalog catalog) || !(catalog.guard() instanceof PolicyCatalogGuard guard)) {
      throw GuardRefusal.unguarded(String.join(".", names));
    }
    Table table;
    try {
      table = catalog.stored(found.identifier());
    } catch (NoSuchTableException none) {
      return; // Then there is nothing to change, which Iceberg says better.
    }
    try {
      guard.allowed(operation, found.identifier(), table);
    } catch (NoSuchTableException hidden) {
      throw GuardRefusal.notFound(hidden.getCondition(), hidden.getSqlState(), hidden.getMessage()); // as Iceberg says it
    }
  }
}
