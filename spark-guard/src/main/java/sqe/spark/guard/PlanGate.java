package sqe.spark.guard;

import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** Refuses to show a plan with rules or values in it that the user may not see. */
public final class PlanGate {
  private PlanGate() {}

  /** Refuses an analyzed plan that reads a table of which something is hidden. */
  public static void refuseHidden(LogicalPlan analyzed) {
    if (!Guard.isOn()) {
      return;
    }
    analyzed.foreachWithSubqueries(
        node -> {
          Mark mark = Mark.of(node);
          if (mark != null && (mark.decision() == null || mark.decision().hides())) {
            throw GuardRefusal.denied("Access denied: the plan of a query on a protected table is not shown.");
          }
          // The query of a command that is only analysed is not among its children.
          if (node instanceof Command) {
            for (Object inner : CollectionConverters.asJava(((TreeNode<?>) node).innerChildren())) {
              if (inner instanceof LogicalPlan plan) {
                refuseHidden(plan);
              }
            }
          }
          return BoxedUnit.UNIT;
        });
  }
}
