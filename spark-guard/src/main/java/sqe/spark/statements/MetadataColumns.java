package sqe.spark.statements;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.DeleteFromTable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MergeIntoTable;
import org.apache.spark.sql.catalyst.plans.logical.MergeRows;
import org.apache.spark.sql.catalyst.plans.logical.RowLevelWrite;
import org.apache.spark.sql.catalyst.plans.logical.UpdateTable;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.util.package$;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * Refuses {@code _file}, {@code _pos} and their like in the condition of a DELETE, UPDATE or MERGE: Spark 4.1 and Iceberg 1.12 look
 * for them among a table's own columns, and fail.
 */
public final class MetadataColumns extends Rule<LogicalPlan> {
  private MetadataColumns() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectPostHocResolutionRule(session -> new MetadataColumns());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    plan.foreach(
        node -> {
          conditions(node).forEach(MetadataColumns::check);
          return BoxedUnit.UNIT;
        });
    return plan;
  }

  private static List<Expression> conditions(LogicalPlan node) {
    if (node instanceof RowLevelWrite write) {
      List<Expression> conditions = new ArrayList<>(List.of(write.condition()));
      write.query().foreach(
          part -> {
            if (part instanceof MergeRows merge) {
              CollectionConverters.asJava(merge.instructions()).forEach(each -> conditions.add(each.condition()));
            }
            return BoxedUnit.UNIT;
          });
      return conditions;
    } else if (node instanceof DeleteFromTable delete) {
      return List.of(delete.condition());
    } else if (node instanceof UpdateTable update && update.condition().isDefined()) {
      return List.of(update.condition().get());
    } else if (node instanceof MergeIntoTable merge) {
      return List.of(merge.mergeCondition());
    }
    return List.of();
  }

  private static void check(Expression condition) {
    condition.foreach(
        part -> {
          if (part instanceof Attribute column
              && part.resolved()
              && package$.MODULE$.MetadataColumnHelper(column).isMetadataCol()) {
            throw new NotSupported(
                "The metadata column " + column.name() + " in a condition of DELETE, UPDATE or MERGE is not supported.");
          }
          return BoxedUnit.UNIT;
        });
  }
}
