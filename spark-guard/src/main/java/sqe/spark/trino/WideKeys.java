package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InSubquery;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.RankLike;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.WindowSpecDefinition;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.CreateView;
import org.apache.spark.sql.catalyst.plans.logical.Deduplicate;
import org.apache.spark.sql.catalyst.plans.logical.Distinct;
import org.apache.spark.sql.catalyst.plans.logical.Except;
import org.apache.spark.sql.catalyst.plans.logical.Intersect;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.V2CreateTableAsSelectPlan;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Makes values with a zone equal that differ in their zones alone ({@link Wide}), where Spark compares them without a function of
 * ours: in groups, DISTINCT, joins and windows. Refuses what it does not know, and what would store wide values.
 */
final class WideKeys extends Rule<LogicalPlan> {
  /** Aggregates that look for equal values. */
  private static final Set<String> COMPARING =
      Set.of("HyperLogLogPlusPlus", "CollectSet", "Mode", "ApproxTopK", "HllSketchAgg", "PandasMode", "HistogramNumeric");

  private WideKeys() {}

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectPostHocResolutionRule(session -> new WideKeys());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperatorsUp(
        Plans.when(node -> node.resolved(), node -> changed(node)));
  }

  private static LogicalPlan changed(LogicalPlan node) {
    if (node instanceof V2WriteCommand write) {
      stored(write.query());
    } else if (node instanceof V2CreateTableAsSelectPlan create) {
      stored(create.query());
    } else if (node instanceof CreateView create) {
      stored(create.query());
    } else if (node instanceof Distinct distinct && hasZones(distinct.child())) {
      return grouped(distinct);
    } else if ((node instanceof Intersect || node instanceof Except || node instanceof Deduplicate) && hasZones(node)) {
      throw refused(node.nodeName().toUpperCase(java.util.Locale.ROOT));
    }
    LogicalPlan made = node instanceof Aggregate aggregate ? grouped(aggregate) : node;
    LogicalPlan compared = withExpressions(made);
    return compared instanceof Window window && list(window.partitionSpec()).stream().anyMatch(WideKeys::hasZone)
        ? new Window(
            window.windowExpressions(), keys(window.partitionSpec()), window.orderSpec(), window.child(), window.hint())
        : compared;
  }

  private static <T> List<T> list(scala.collection.Seq<T> items) {
    return CollectionConverters.asJava(items);
  }

  private static TrinoFailure refused(String where) {
    return TrinoFailure.unsupported(
        where + " of values with time zones of their own is not supported. Choose one zone: x AT TIME ZONE 'UTC'.");
  }

  private static void stored(LogicalPlan query) {
    for (Attribute column : list(query.output())) {
      if (Wide.isIn(column.dataType())) {
        throw TrinoFailure.unsupported(
            "Values of type " + TrinoTypes.text(column.dataType()) + " cannot be stored: column " + column.name() + ".");
      }
    }
  }

  private static boolean hasZones(LogicalPlan node) {
    return list(node.output()).stream().anyMatch(WideKeys::hasZone);
  }

  private static boolean hasZone(Expression value) {
    return hasZone(value.dataType());
  }

  private static boolean hasZone(DataType type) {
    Wide wide = Wide.of(type);
    if (wide != null) {
      return wide.kind().isZoned();
    }
    if (type instanceof ArrayType array) {
      return hasZone(array.elementType());
    } else if (type instanceof MapType map) {
      return hasZone(map.keyType()) || hasZone(map.valueType());
    } else if (type instanceof StructType row) {
      for (StructField field : row.fields()) {
        if (hasZone(field.dataType())) {
          return true;
        }
      }
    }
    return false;
  }

  private static Expression key(Expression value, String where) {
    if (!hasZone(value)) {
      return value;
    }
    if (Wide.of(value) == null) { // in an array, a map or a row
      throw refused(where);
    }
    return Wide.key(value);
  }

  private static scala.collection.immutable.Seq<Expression> keys(scala.collection.Seq<Expression> partition) {
    List<Expression> keys = new ArrayList<>();
    list(partition).forEach(each -> keys.add(key(each, "PARTITION BY")));
    return Plans.seq(keys);
  }

  /** One value of a group, whose values are equal. */
  private static Expression any(Expression value) {
    return new First(value, false).toAggregateExpression();
  }

  /** DISTINCT as groups of all columns. */
  private static LogicalPlan grouped(Distinct distinct) {
    List<Expression> keys = new ArrayList<>();
    List<NamedExpression> columns = new ArrayList<>();
    for (Attribute column : list(distinct.child().output())) {
      keys.add(key(column, "DISTINCT"));
      columns.add(
          hasZone(column)
              ? new Alias(
                  any(column), column.name(), column.exprId(), Plans.seq(List.of()), Option.apply(column.metadata()),
                  Plans.seq(List.of()))
              : column);
    }
    return new Aggregate(Plans.seq(keys), Plans.seq(columns), distinct.child(), Option.empty());
  }

  private static Aggregate grouped(Aggregate aggregate) {
    List<Expression> groups = list(aggregate.groupingExpressions());
    if (groups.stream().noneMatch(WideKeys::hasZone)) {
      return aggregate;
    }
    List<Expression> keys = new ArrayList<>();
    groups.forEach(group -> keys.add(key(group, "GROUP BY")));
    List<NamedExpression> columns = new ArrayList<>();
    for (NamedExpression column : list(aggregate.aggregateExpressions())) {
      Expression made = ungrouped((Expression) column, groups);
      columns.add(
          made instanceof NamedExpression named
              ? named
              : new Alias(
                  made, column.name(), column.exprId(), column.qualifier(), Option.apply(column.metadata()),
                  Plans.seq(List.of())));
    }
    return new Aggregate(Plans.seq(keys), Plans.seq(columns), aggregate.child(), aggregate.hint());
  }

  /** An expression in which a value of the group stands for the group. */
  private static Expression ungrouped(Expression expression, List<Expression> groups) {
    if (expression instanceof AggregateExpression) {
      return expression;
    }
    for (Expression group : groups) {
      if (hasZone(group) && expression.semanticEquals(group)) {
        return any(expression);
      }
    }
    return mapped(expression, child -> ungrouped(child, groups));
  }

  private static Expression mapped(Expression expression, UnaryOperator<Expression> change) {
    List<Expression> children = new ArrayList<>();
    boolean same = true;
    for (Expression child : list(expression.children())) {
      Expression made = change.apply(child);
      same &= made == child;
      children.add(made);
    }
    return same ? expression : (Expression) expression.withNewChildren(Plans.seq(children));
  }

  private static LogicalPlan withExpressions(LogicalPlan node) {
    boolean any = list(node.expressions()).stream().anyMatch(each -> each.exists(new HasZone()));
    if (!any) {
      return node;
    }
    return (LogicalPlan)
        node.mapExpressions(
            new scala.runtime.AbstractFunction1<Expression, Expression>() {
              @Override
              public Expression apply(Expression expression) {
                return compared(expression);
              }
            });
  }

  private static final class HasZone extends scala.runtime.AbstractFunction1<Expression, Object> {
    @Override
    public Object apply(Expression expression) {
      // Where such values come from; others, such as a window, need not have a type.
      boolean source =
          expression instanceof Attribute || expression instanceof StaticInvoke || expression instanceof Literal;
      return source && expression.resolved() && hasZone(expression);
    }
  }

  private static boolean hasZones(Expression expression) {
    return list(expression.children()).stream().anyMatch(WideKeys::hasZone);
  }

  private static Expression compared(Expression expression) {
    Expression made = mapped(expression, WideKeys::compared);
    if (made instanceof EqualTo equal && hasZone(equal.left())) {
      return new EqualTo(key(equal.left(), "="), key(equal.right(), "="));
    } else if (made instanceof EqualNullSafe equal && hasZone(equal.left())) {
      return new EqualNullSafe(key(equal.left(), "="), key(equal.right(), "="));
    } else if (made instanceof InSubquery in && list(in.values()).stream().anyMatch(WideKeys::hasZone)) {
      throw refused("IN (SELECT ...)");
    } else if (made instanceof SortOrder order && Wide.of(order.child()) != null && hasZone(order.child())) {
      return new SortOrder(Wide.key(order.child()), order.direction(), order.nullOrdering(), Plans.seq(List.of()));
    } else if (made instanceof WindowSpecDefinition window && list(window.partitionSpec()).stream().anyMatch(WideKeys::hasZone)) {
      return new WindowSpecDefinition(keys(window.partitionSpec()), window.orderSpec(), window.frameSpecification());
    } else if (made instanceof RankLike && hasZones(made)) { // which compares what its window orders by
      return mapped(made, child -> key(child, "ORDER BY"));
    } else if (made instanceof AggregateExpression aggregate) {
      return aggregated(aggregate);
    }
    return made;
  }

  private static Expression aggregated(AggregateExpression aggregate) {
    String name = aggregate.aggregateFunction().getClass().getSimpleName();
    boolean zones = list(aggregate.aggregateFunction().children()).stream().anyMatch(WideKeys::hasZone);
    if (!zones) {
      return aggregate;
    }
    if (aggregate.isDistinct() && aggregate.aggregateFunction() instanceof Count count) {
      List<Expression> keys = new ArrayList<>();
      list(count.children()).forEach(child -> keys.add(key(child, "DISTINCT")));
      return new AggregateExpression(
          new Count(Plans.seq(keys)), aggregate.mode(), true, aggregate.filter(), aggregate.resultId());
    }
    boolean extreme = name.equals("Min") || name.equals("Max");
    if (COMPARING.contains(name) || (aggregate.isDistinct() && !extreme)) {
      throw refused("This aggregate");
    }
    return aggregate;
  }
}
