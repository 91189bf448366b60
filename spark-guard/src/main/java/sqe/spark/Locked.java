package sqe.spark;

import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.analysis.GlobalTempView$;
import org.apache.spark.sql.catalyst.analysis.ResolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.ResolvedNamespace;
import org.apache.spark.sql.catalyst.analysis.ResolvedPersistentFunc;
import org.apache.spark.sql.catalyst.analysis.ResolvedPersistentView;
import org.apache.spark.sql.catalyst.analysis.ResolvedProcedure;
import org.apache.spark.sql.catalyst.analysis.ResolvedTable;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunctionName;
import org.apache.spark.sql.catalyst.analysis.UnresolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedNamespace;
import org.apache.spark.sql.catalyst.analysis.UnresolvedProcedure;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTable;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTableOrView;
import org.apache.spark.sql.catalyst.analysis.UnresolvedView;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.execution.command.CreateViewCommand;
import org.apache.spark.sql.execution.command.ResetCommand;
import org.apache.spark.sql.execution.command.RunnableCommand;
import org.apache.spark.sql.execution.command.SetCatalogCommand;
import org.apache.spark.sql.execution.command.SetCommand;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Keeps the users of one engine apart: refuses what they would share, and what would act as the server instead of as a user.
 *
 * <p>It works on plans, so that no way of writing a statement gets round it, and twice: before anything is resolved, because
 * procedures run while a statement is analysed, and at the end, when names that the text hid are known. The statement in an
 * EXECUTE IMMEDIATE, in an EXPLAIN or in a view is analysed like any other and comes here by itself.
 *
 * <p>An engine that one person has for himself is not locked.
 */
public final class Locked {
  private static final String SPARK_CATALOG = "spark_catalog";
  private static final LockedNodes.Refused IN_SPARK_CATALOG =
      new LockedNodes.Refused("The catalog " + SPARK_CATALOG, "All users of the engine share that catalog.");

  private static volatile boolean on;

  private Locked() {}

  /** From now on; called before the engine takes its first statement. */
  public static void on() {
    on = true;
  }

  static boolean isOn() {
    return on;
  }

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectHintResolutionRule(session -> new Early());
    extensions.injectCheckRule(session -> new Late());
    LockedFunctions.inject(extensions);
  }

  private static final class Early extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      check(plan);
      return plan;
    }
  }

  private static final class Late extends AbstractFunction1<LogicalPlan, BoxedUnit> {
    @Override
    public BoxedUnit apply(LogicalPlan plan) {
      check(plan);
      return BoxedUnit.UNIT;
    }
  }

  private static void check(LogicalPlan plan) {
    if (on) {
      plan.foreachWithSubqueries(
          node -> {
            checkNode(node);
            return BoxedUnit.UNIT;
          });
    }
  }

  private static void checkNode(LogicalPlan node) {
    refuse(LockedNodes.plan(node));
    for (Expression expression : CollectionConverters.asJava(node.expressions())) {
      expression.foreach(
          part -> {
            refuse(LockedNodes.expression(part));
            return BoxedUnit.UNIT;
          });
    }
    if (node instanceof SetCommand command) {
      LockedSettings.check(command);
    } else if (node instanceof ResetCommand command) {
      LockedSettings.check(command);
    } else if (node instanceof CreateViewCommand view && view.viewType() == GlobalTempView$.MODULE$) {
      throw new LockedRefusal("A global temporary view", "All users of the engine would share it.");
    } else if (node instanceof InsertIntoStatement insert) {
      check(insert.table()); // not among its children
    } else if (node instanceof V2WriteCommand write) {
      check((LogicalPlan) write.table());
    } else if (node instanceof UnresolvedProcedure procedure) {
      List<String> name = CollectionConverters.asJava(procedure.nameParts());
      refuse(LockedNodes.procedure(name.get(name.size() - 1)));
    } else if (node instanceof ResolvedProcedure procedure) {
      refuse(LockedNodes.procedure(procedure.ident().name()));
    }
    if (inSparkCatalog(node)) {
      refuse(IN_SPARK_CATALOG);
    }
  }

  private static void refuse(LockedNodes.Refused refused) {
    if (refused != null) {
      throw new LockedRefusal(refused.what(), refused.why());
    }
  }

  /** Spark's own catalog is in the memory that all sessions share, and its tables are files. */
  private static boolean inSparkCatalog(LogicalPlan node) {
    if (node instanceof UnresolvedNamespace unresolved) {
      return begins(unresolved.multipartIdentifier(), 1);
    }
    Seq<String> name = unresolvedName(node);
    if (name != null) {
      return begins(name, 2);
    }
    CatalogPlugin catalog = catalog(node);
    if (catalog != null) {
      return SPARK_CATALOG.equalsIgnoreCase(catalog.name());
    }
    if (node instanceof SetCatalogCommand command) {
      return SPARK_CATALOG.equalsIgnoreCase(command.catalogName());
    }
    return node instanceof RunnableCommand && names(node.productIterator());
  }

  private static boolean begins(Seq<String> name, int parts) {
    List<String> list = CollectionConverters.asJava(name);
    return list.size() >= parts && SPARK_CATALOG.equalsIgnoreCase(list.get(0));
  }

  private static Seq<String> unresolvedName(LogicalPlan node) {
    if (node instanceof UnresolvedRelation unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedIdentifier unresolved) {
      return unresolved.nameParts();
    } else if (node instanceof UnresolvedTable unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedView unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedTableOrView unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedFunctionName unresolved) {
      return unresolved.multipartIdentifier();
    } else if (node instanceof UnresolvedProcedure unresolved) {
      return unresolved.nameParts();
    }
    return null;
  }

  private static CatalogPlugin catalog(LogicalPlan node) {
    if (node instanceof ResolvedNamespace resolved) {
      return resolved.catalog();
    } else if (node instanceof ResolvedIdentifier resolved) {
      return resolved.catalog();
    } else if (node instanceof ResolvedTable resolved) {
      return resolved.catalog();
    } else if (node instanceof ResolvedPersistentView resolved) {
      return resolved.catalog();
    } else if (node instanceof ResolvedPersistentFunc resolved) {
      return resolved.catalog();
    } else if (node instanceof DataSourceV2Relation relation) {
      return relation.catalog().isDefined() ? relation.catalog().get() : null;
    }
    return null;
  }

  /** Spark's old commands name things of that catalog by their database; what is temporary has none. */
  private static boolean names(Iterator<Object> values) {
    while (values.hasNext()) {
      Object value = values.next();
      Option<String> database =
          value instanceof TableIdentifier table
              ? table.database()
              : value instanceof FunctionIdentifier function
                  ? function.database()
                  : value instanceof CatalogTable table ? table.identifier().database() : Option.empty();
      if (database.isDefined()) {
        return true;
      }
    }
    return false;
  }
}
