package sqe.spark.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper;
import org.apache.spark.sql.catalyst.plans.logical.AppendData;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;
import sqe.spark.kinds.Enforcement;

/**
 * Writes what was decided about each relation into the plan, after Spark has resolved it: names and stars are known by then, and so
 * are the metadata columns that a statement uses.
 */
final class GuardRule extends Rule<LogicalPlan> {
  private final SparkSession session;
  private final PolicyText policies;

  GuardRule(SparkSession session) {
    this.session = session;
    this.policies = new PolicyText(session);
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    // One that is not resolved is an error, whose text must not have a policy in it.
    if (!Guard.isOn() || Enforcement.isExempt(Enforcement.Exemption.INSPECTION) || !plan.resolved()) {
      return plan;
    }
    String query = Decisions.query(session);
    Set<LogicalPlan> targets = Targets.of(plan);
    return AnalysisHelper.allowInvokingTransformsInAnalyzer(
        () ->
            plan.transformUpWithSubqueries(
                Plans.when(
                    node -> node instanceof AppendData
                        || node instanceof DataSourceV2Relation && !targets.contains(node),
                    node -> node instanceof AppendData append
                        ? inserted(append, query)
                        : guarded((DataSourceV2Relation) node, query))));
  }

  /** Analyses a part of a statement as it is, to look at it: the result must not run. */
  static LogicalPlan unguarded(SparkSession session, LogicalPlan part) {
    return Enforcement.exempt(
        Enforcement.Exemption.INSPECTION, () -> session.sessionState().analyzer().execute(part));
  }

  /** Rows that are inserted into a table with a row filter have to satisfy it. */
  private LogicalPlan inserted(AppendData append, String query) {
    if (!(append.table() instanceof DataSourceV2Relation relation)
        || !(relation.table() instanceof GuardedTable table)
        || table.decision("insert") == null) {
      return append; // for CheckRule to judge
    }
    Decision decision = table.allowed("insert");
    if (decision.filter() == null || CheckRule.isChecked(append, decision)) {
      return append;
    }
    List<Attribute> names = CollectionConverters.asJava(((LogicalPlan) relation).output());
    List<Attribute> values = CollectionConverters.asJava(append.query().output());
    List<Attribute> columns = new ArrayList<>();
    if (table.capabilities().contains(TableCapability.ACCEPT_ANY_SCHEMA)) {
      columns.addAll(byName(table, names, values));
    } else {
      for (int i = 0; i < values.size(); i++) {
        columns.add(values.get(i).withName(names.get(i).name()));
      }
    }
    Expression condition = policies.condition(columns, table.resource(), decision);
    LogicalPlan checked = RowCheck.over(append.query(), condition);
    return (LogicalPlan) append.withNewQuery(new Mark(table.session(), query, decision).on(checked));
  }

  /** Spark leaves it to Iceberg to find the column of each value, by name. */
  private static List<Attribute> byName(GuardedTable table, List<Attribute> names, List<Attribute> values) {
    List<String> wanted = names.stream().map(Attribute::name).sorted().toList();
    if (!values.stream().map(Attribute::name).sorted().toList().equals(wanted)) {
      throw GuardRefusal.unsupported(
          "Cannot insert into "
              + table.resource()
              + ": it accepts any schema and has a row filter, so all of its columns must be named, and no others.");
    }
    return values;
  }

  private LogicalPlan guarded(DataSourceV2Relation relation, String query) {
    Mark mark = Mark.of(relation);
    if (!(relation.table() instanceof Guarded table) || relation.table() instanceof RowLevelOperationTable) {
      return relation; // for CheckRule to judge
    }
    if (mark != null) {
      return again(relation, table, mark, query);
    }
    if (table.decision("select") == null && table instanceof GuardedTable target) {
      return guarded(read(relation, target), query);
    }
    Decision decision = table.allowed("select");
    if (decision.hides()) {
      if (!(table instanceof GuardedTable stored) || stored.isWhole() || stored.resource().metadata() != null) {
        throw GuardRefusal.unguarded(table.resource().toString());
      }
      return policies.over(relation, stored, decision, query);
    }
    return new Mark(table.session(), query, decision).on(relation);
  }

  /** A statement reads the table that it changes: Spark has loaded it once, for what is to be changed, and takes that. */
  private static DataSourceV2Relation read(DataSourceV2Relation relation, GuardedTable target) {
    GuardedTable table = target.read();
    Decision decision = table.allowed("select");
    if (!decision.masks().isEmpty() || !decision.restricted().isEmpty()) { // its columns are those of the target
      throw GuardRefusal.unsupported(
          "Cannot read "
              + table.resource()
              + " in a statement that changes it: a mask or a hidden column restricts you there.");
    }
    return new DataSourceV2Relation(
        table,
        relation.output(),
        relation.catalog(),
        relation.identifier(),
        relation.options(),
        relation.timeTravelSpec());
  }

  /** A relation of an earlier statement, in a view of a DataFrame: the rules may have changed. */
  private LogicalPlan again(DataSourceV2Relation relation, Guarded table, Mark mark, String query) {
    if (mark.decision() != null && (query == null || !query.equals(mark.query()))) {
      if (!mark.decision().equals(table.ask("select"))) {
        throw GuardRefusal.denied(
            "The rules on " + table.resource() + " have changed since the view was made; make it again.");
      }
      new Mark(mark.session(), query, mark.decision()).on(relation);
    }
    return relation;
  }
}
