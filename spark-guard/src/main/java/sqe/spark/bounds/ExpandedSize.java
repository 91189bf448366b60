package sqe.spark.bounds;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationDef;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.WithCTE;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Counts how large a resolved plan becomes when Spark writes what names stand for in their places: a query of a WITH wherever it is
 * named, an expression wherever its alias is. Each level may double it, so that thirty short ones make a plan that ends the engine.
 */
final class ExpandedSize {
  /** Of one expression, in parts. */
  static final double MAX_EXPRESSION = 200_000;

  private final Map<Long, Double> aliases = new HashMap<>();
  private final Map<Long, Double> queries = new HashMap<>();
  private final Map<Long, Double> joinsOfQueries = new HashMap<>();
  private double joins;

  private ExpandedSize() {}

  static void check(LogicalPlan plan) {
    ExpandedSize size = new ExpandedSize();
    double nodes = size.nodes(plan);
    if (size.joins > PlanBounds.MAX_JOINS) {
      throw PlanBounds.tooManyJoins();
    }
    if (nodes > PlanBounds.MAX_NODES) {
      throw BoundRefusal.tooComplex(
          String.format(
              Locale.ROOT,
              "The statement has more than %,d steps where the queries of WITH stand for their names.",
              PlanBounds.MAX_NODES));
    }
  }

  private double nodes(LogicalPlan plan) {
    if (plan instanceof WithCTE with) {
      for (CTERelationDef query : CollectionConverters.asJava(with.cteDefs())) {
        double before = joins;
        queries.put(query.id(), nodes(query.child()));
        joinsOfQueries.put(query.id(), joins - before);
        joins = before;
      }
      return nodes(with.plan());
    }
    double nodes = 1;
    if (plan instanceof CTERelationRef named) {
      nodes = queries.getOrDefault(named.cteId(), 1.0);
      joins += joinsOfQueries.getOrDefault(named.cteId(), 0.0);
    } else if (plan instanceof Join) {
      joins++;
    }
    for (LogicalPlan child : CollectionConverters.asJava(plan.children())) {
      nodes += nodes(child);
    }
    for (Expression expression : CollectionConverters.asJava(plan.expressions())) {
      double[] inside = {0};
      double parts = parts(expression, inside);
      if (parts > MAX_EXPRESSION) {
        throw BoundRefusal.tooComplex(
            String.format(
                Locale.ROOT,
                "An expression has more than %,.0f parts where expressions stand for the names of columns.",
                MAX_EXPRESSION));
      }
      nodes += inside[0];
    }
    return nodes;
  }

  private double parts(Expression expression, double[] inside) {
    if (expression instanceof AttributeReference column) {
      return aliases.getOrDefault(column.exprId().id(), 1.0);
    }
    double parts = 1;
    for (Expression child : CollectionConverters.asJava(expression.children())) {
      parts += parts(child, inside);
    }
    if (expression instanceof SubqueryExpression subquery) {
      inside[0] += nodes((LogicalPlan) subquery.plan());
    }
    if (expression instanceof Alias alias) {
      aliases.put(alias.exprId().id(), parts);
    }
    return parts;
  }
}
