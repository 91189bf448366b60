package sqe.spark.guard;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.catalyst.analysis.BindParameters$;
import org.apache.spark.sql.catalyst.analysis.PlanWithUnresolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedExecuteImmediate;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeIntoTable;
import org.apache.spark.sql.catalyst.plans.logical.ParsedStatement;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Function2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;
import sqe.spark.Plans;

/** Checks and changes statements before Spark resolves them, because Spark runs parts of them while it does. */
final class EarlyRule extends Rule<LogicalPlan> {
  private final SparkSession session;
  private final PolicyText policies;

  EarlyRule(SparkSession session) {
    this.session = session;
    this.policies = new PolicyText(session);
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!Guard.isOn()) {
      return plan;
    }
    LogicalPlan bound = BindParameters$.MODULE$.apply(plan); // Spark's own next step: conditions are looked at here
    return AnalysisHelper.allowInvokingTransformsInAnalyzer(
        () ->
            bound.transformDown(
                Plans.when(
                    node -> node instanceof ExplainCommand
                        || node instanceof MergeIntoTable
                        || node instanceof DeleteFromTable,
                    node -> {
                      if (node instanceof ExplainCommand explain) {
                        explained(explain.logicalPlan());
                        return node;
                      }
                      return node instanceof MergeIntoTable merge ? merged(merge) : deleted((DeleteFromTable) node);
                    })));
  }

  /** A plan shows filters, masks and statistics. */
  private void explained(LogicalPlan statement) {
    AtomicBoolean refused = new AtomicBoolean();
    statement.foreachWithSubqueries(
        node -> {
          if (node instanceof Command || node instanceof ParsedStatement || node instanceof UnresolvedExecuteImmediate) {
            refused.set(true);
          }
          return BoxedUnit.UNIT;
        });
    if (refused.get()) {
      throw GuardRefusal.unsupported("EXPLAIN is only for queries here.");
    }
    PlanGate.refuseHidden(session.sessionState().analyzer().execute(statement));
  }

  /** One that only inserts would look like an INSERT to the catalog. */
  private static LogicalPlan merged(MergeIntoTable merge) {
    LogicalPlan target = merge.targetTable();
    return new MergeIntoTable(
        target instanceof SubqueryAlias alias
            ? new SubqueryAlias(alias.identifier(), all(alias.child()))
            : all(target),
        merge.sourceTable(),
        merge.mergeCondition(),
        merge.matchedActions(),
        merge.notMatchedActions(),
        merge.notMatchedBySourceActions(),
        merge.withSchemaEvolution());
  }

  private static LogicalPlan all(LogicalPlan target) {
    if (target instanceof UnresolvedRelation relation) {
      return relation.requireWritePrivileges(Plans.seq(List.of(TableWritePrivilege.values())));
    } else if (target instanceof PlanWithUnresolvedIdentifier named && !(named.planBuilder() instanceof Requiring)) {
      return named.copy(
          named.identifierExpr(),
          named.children(),
          new Requiring(named.planBuilder()));
    }
    return target;
  }

  /** Builds the relation of a name that is not known yet, and requires all privileges for it. */
  private static final class Requiring extends AbstractFunction2<Seq<String>, Seq<LogicalPlan>, LogicalPlan> {
    private final Function2<Seq<String>, Seq<LogicalPlan>, LogicalPlan> named;

    private Requiring(Function2<Seq<String>, Seq<LogicalPlan>, LogicalPlan> named) {
      this.named = named;
    }

    @Override
    public LogicalPlan apply(Seq<String> name, Seq<LogicalPlan> children) {
      return all(named.apply(name, children));
    }
  }

  /**
   * Puts a row filter into the condition. Spark has made of the statement what it does with files by the time that other rules
   * run. Nothing keeps the two conditions in order, so the user's must be one that tells nothing of the rows that it fails on.
   */
  private LogicalPlan deleted(DeleteFromTable delete) {
    LogicalPlan named = unresolved(delete.table());
    if (!(named instanceof UnresolvedRelation) && !(named instanceof PlanWithUnresolvedIdentifier)) {
      return delete;
    }
    LogicalPlan target;
    try {
      target = GuardRule.unguarded(session, delete.table());
    } catch (GuardRefusal refusal) {
      if (refusal.isUnguarded()) {
        return delete; // a temporary view, which Spark checks at once; CheckRule says that it is no table
      }
      throw refusal;
    }
    LogicalPlan leaf = target;
    while (leaf instanceof SubqueryAlias alias) {
      leaf = alias.child();
    }
    if (!(leaf instanceof DataSourceV2Relation relation) || !(relation.table() instanceof GuardedTable table)) {
      return delete;
    }
    Decision decision = table.decision("delete");
    if (decision == null || decision.filter() == null) {
      return delete;
    }
    LogicalPlan asked = GuardRule.unguarded(session, new Filter(delete.condition(), target));
    if (!asked.resolved()) {
      return delete; // its error is Spark's to tell; what is not filtered is not let through
    }
    // It is below something else if it uses metadata columns.
    if (!(asked instanceof Filter filter) || !SafePush.isSafe(filter.condition())) {
      throw GuardRefusal.condition(table.resource());
    }
    DataSourceV2Relation filtered =
        new DataSourceV2Relation(
            table.filtered(),
            relation.output(),
            relation.catalog(),
            relation.identifier(),
            relation.options(),
            relation.timeTravelSpec());
    List<Attribute> columns = CollectionConverters.asJava(((LogicalPlan) relation).output());
    Expression condition = policies.condition(columns, table.resource(), decision);
    Expression both =
        Literal.TrueLiteral().equals(filter.condition()) ? condition : new And(condition, filter.condition());
    return new DeleteFromTable(filtered, both);
  }

  private static LogicalPlan unresolved(LogicalPlan target) {
    return target instanceof SubqueryAlias alias ? alias.child() : target;
  }
}
