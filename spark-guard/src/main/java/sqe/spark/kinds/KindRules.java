package sqe.spark.kinds;

import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.analysis.GlobalTempView$;
import org.apache.spark.sql.catalyst.analysis.ResolvedProcedure;
import org.apache.spark.sql.catalyst.analysis.UnresolvedProcedure;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.command.CreateSQLFunctionCommand;
import org.apache.spark.sql.execution.command.CreateViewCommand;
import org.apache.spark.sql.execution.command.ResetCommand;
import org.apache.spark.sql.execution.command.SetCommand;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Keeps the users of one engine apart: a plan may hold only what is on the list of {@link Kinds}. What they would share is
 * not on it, nor what would act as the server instead of as a user, nor what a later Spark has that the list does not know.
 *
 * <p>It works on plans, so that no way of writing a statement gets round it, and twice: before anything is resolved, because
 * procedures run while a statement is analysed, and at the end, when names that the text hid are known. The statement in an
 * EXECUTE IMMEDIATE, in an EXPLAIN or in a view is analysed like any other and comes here by itself.
 *
 * <p>In an engine that belongs to one user nothing is checked.
 */
public final class KindRules {
  /** On what a procedure of Iceberg's has made: it can be in a temporary view that it leaves. */
  private static final TreeNodeTag<Boolean> OF_PROCEDURE = new TreeNodeTag<>("sqe.procedure");

  private static volatile boolean on;

  private KindRules() {}

  /** From now on; called before the engine takes its first statement. */
  public static void on() {
    on = true;
  }

  static boolean isOn() {
    return on;
  }

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectHintResolutionRule(session -> new Early());
    extensions.injectCheckRule(session -> new Late());
    FunctionGates.inject(extensions);
  }

  private static final class Early extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      check(plan, false);
      return plan;
    }
  }

  private static final class Late extends AbstractFunction1<LogicalPlan, BoxedUnit> {
    @Override
    public BoxedUnit apply(LogicalPlan plan) {
      check(plan, true);
      return BoxedUnit.UNIT;
    }
  }

  private static void check(LogicalPlan plan, boolean resolved) {
    if (on) {
      plan.foreachWithSubqueries(
          node -> {
            if (Procedures.running()) {
              node.setTagValue(OF_PROCEDURE, true);
            } else if (!node.getTagValue(OF_PROCEDURE).isDefined()) {
              checkKind(node, resolved);
              checkContent(node, resolved);
            }
            return BoxedUnit.UNIT;
          });
    }
  }

  private static void checkKind(LogicalPlan node, boolean resolved) {
    Verdict verdict = Kinds.of(node);
    refuse(verdict, resolved, "A plan of the kind ", node);
    if (verdict.word() == Verdict.Word.RELATION) {
      Relations.check(node);
    }
    for (Expression expression : CollectionConverters.asJava(node.expressions())) {
      expression.foreach(
          part -> {
            refuse(Kinds.of(part), resolved, "An expression of the kind ", part);
            return BoxedUnit.UNIT;
          });
    }
  }

  private static void refuse(Verdict verdict, boolean resolved, String kind, Object node) {
    if (verdict.refuses() || (resolved && verdict.word() == Verdict.Word.EARLY)) {
      String what = verdict.what().isEmpty() ? kind + node.getClass().getSimpleName() : verdict.what();
      throw new NotAllowed(what, KindList.reason(verdict.refuses() ? verdict.detail() : "unresolved"));
    }
  }

  /** Kinds that are harmless or not by what is in them. */
  private static void checkContent(LogicalPlan node, boolean resolved) {
    if (node instanceof SetCommand command) {
      Settings.check(command);
    } else if (node instanceof ResetCommand command) {
      Settings.check(command);
    } else if (node instanceof CreateViewCommand view && view.viewType() == GlobalTempView$.MODULE$) {
      throw new NotAllowed("A global temporary view", KindList.reason("session"));
    } else if (node instanceof CreateSQLFunctionCommand function) {
      FunctionGates.checkNew(function);
    } else if (node instanceof InsertIntoStatement insert) {
      check(insert.table(), resolved); // not among its children
    } else if (node instanceof V2WriteCommand write) {
      check((LogicalPlan) write.table(), resolved);
    } else if (node instanceof UnresolvedProcedure procedure) {
      List<String> name = CollectionConverters.asJava(procedure.nameParts());
      Procedures.check(name.get(name.size() - 1));
    } else if (node instanceof ResolvedProcedure procedure) {
      Procedures.check(procedure.ident().name());
    }
    SparkCatalogNames.check(node);
  }
}
