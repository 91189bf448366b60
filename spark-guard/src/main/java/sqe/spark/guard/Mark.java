package sqe.spark.guard;

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import scala.Option;

/**
 * The guard's mark on a relation in a plan: what is to be done about it has been done.
 *
 * @param session the UUID of the session that it was done for
 * @param query the gateway's query that it was done in, or null
 * @param decision what was done; null: the relation belongs to a policy, which looks something up in it
 */
record Mark(String session, String query, Decision decision) {
  private static final TreeNodeTag<Mark> TAG = new TreeNodeTag<>("sqe.guard");

  static Mark of(LogicalPlan node) {
    Option<Mark> mark = node.getTagValue(TAG);
    return mark.isDefined() ? mark.get() : null;
  }

  <P extends LogicalPlan> P on(P node) {
    node.setTagValue(TAG, this);
    return node;
  }
}
