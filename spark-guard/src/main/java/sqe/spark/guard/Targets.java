package sqe.spark.guard;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeIntoTable;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.UpdateTable;
import scala.runtime.BoxedUnit;

/** The tables that a statement changes, where they stand among what it reads. */
final class Targets {
  private Targets() {}

  static Set<LogicalPlan> of(LogicalPlan plan) {
    Set<LogicalPlan> targets = Collections.newSetFromMap(new IdentityHashMap<>());
    plan.foreachWithSubqueries(
        node -> {
          LogicalPlan target = target(node);
          if (target != null) {
            targets.add(target);
          }
          return BoxedUnit.UNIT;
        });
    return targets;
  }

  /** Null if the node changes no table, or names it elsewhere than among its children. */
  static LogicalPlan target(LogicalPlan node) {
    LogicalPlan target = named(node);
    while (target instanceof SubqueryAlias alias) {
      target = alias.child();
    }
    return target;
  }

  private static LogicalPlan named(LogicalPlan node) {
    if (node instanceof DeleteFromTable delete) {
      return delete.table();
    } else if (node instanceof UpdateTable update) {
      return update.table();
    }
    return node instanceof MergeIntoTable merge ? merge.targetTable() : null;
  }
}
