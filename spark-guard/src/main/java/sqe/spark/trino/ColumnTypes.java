package sqe.spark.trino;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import scala.Option;
import sqe.spark.Plans;

/**
 * Names Trino's types of columns whose expressions carry no name: those that {@link TypeNames} finds.
 *
 * <p>It comes after Spark's own rules. What refers to such a column already gets its name as well.
 */
final class ColumnTypes extends Rule<LogicalPlan> {
  private ColumnTypes() {}

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectResolutionRule(session -> new ColumnTypes());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    Map<ExprId, Metadata> named = new HashMap<>();
    return plan.resolveOperatorsUp(
        Plans.when(
            node -> node.resolved(),
            node -> {
              LogicalPlan followed = named.isEmpty() ? node : followed(node, named);
              boolean columns = node instanceof Project || node instanceof Aggregate || node instanceof Window;
              return columns ? named(followed, named) : followed;
            }));
  }

  private static LogicalPlan named(LogicalPlan node, Map<ExprId, Metadata> named) {
    return (LogicalPlan)
        node.mapExpressions(
            expression -> {
              String type = expression instanceof Alias alias ? name(alias) : null;
              return type == null ? expression : named((Alias) expression, type, named);
            });
  }

  private static String name(Alias alias) {
    // An alias of a column has its metadata, unless another rule has taken the name away.
    boolean open = alias.resolved() && !(alias.child() instanceof NamedExpression) && !alias.metadata().contains(Typed.KEY);
    return open && Wide.of(alias.dataType()) == null ? Typed.of(alias.child()) : null;
  }

  private static Expression named(Alias alias, String type, Map<ExprId, Metadata> named) {
    Metadata metadata = new MetadataBuilder().withMetadata(alias.metadata()).putString(Typed.KEY, type).build();
    named.put(alias.exprId(), metadata);
    return new Alias(
        alias.child(), alias.name(), alias.exprId(), alias.qualifier(), Option.apply(metadata), alias.nonInheritableMetadataKeys());
  }

  /** A node that refers to columns which have got names. */
  private static LogicalPlan followed(LogicalPlan node, Map<ExprId, Metadata> named) {
    return (LogicalPlan)
        node.transformExpressions(
            Plans.when(
                expression ->
                    expression instanceof AttributeReference column
                        && named.containsKey(column.exprId())
                        && !column.metadata().contains(Typed.KEY),
                expression -> (Expression) ((AttributeReference) expression).withMetadata(named.get(((AttributeReference) expression).exprId()))));
  }
}
