package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.VirtualColumn;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Expand;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Makes the row of the empty set in ROLLUP, CUBE and GROUPING SETS when there are no rows at all, as in Trino.
 *
 * <p>The translation puts a condition into HAVING, {@code trino_total()}. The rule replaces it by one more row below the aggregate,
 * which is in the group of the empty set alone, and which no aggregate function sees: the group exists, and its values are those of
 * no rows. Reading the rows a second time is not needed.
 */
public final class EmptyGroupingSet extends Rule<LogicalPlan> {
  private static final String MARK = "unplannedTotal";

  private EmptyGroupingSet() {}

  static void register(Map<String, Builder> functions) {
    functions.put("total", arguments -> Expressions.invoke(EmptyGroupingSet.class, MARK, DataTypes.BooleanType));
  }

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectPostHocResolutionRule(session -> new EmptyGroupingSet());
  }

  /** The condition where no rule has replaced it. */
  public static boolean unplannedTotal() {
    throw TrinoFailure.unsupported("Grouping sets are not supported in this place.");
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.resolveOperatorsUp(
        Plans.when(
            node -> node instanceof Filter filter && filter.resolved() && hasMark(filter.condition()),
            node -> {
              Filter filter = (Filter) node;
              LogicalPlan placed = placed(filter.child(), rest(filter.condition()));
              return placed == null ? node : placed; // which fails when it runs
            }));
  }

  private static boolean isMark(Expression expression) {
    // Spark's parser casts what is no predicate.
    Expression plain = expression instanceof Cast cast ? cast.child() : expression;
    return plain instanceof StaticInvoke call
        && call.staticObject() == EmptyGroupingSet.class
        && call.functionName().equals(MARK);
  }

  private static boolean hasMark(Expression condition) {
    return isMark(condition) || (condition instanceof And and && (hasMark(and.left()) || hasMark(and.right())));
  }

  /** The condition without the mark; null when nothing is left. */
  private static Expression rest(Expression condition) {
    if (isMark(condition)) {
      return null;
    }
    if (!(condition instanceof And and)) {
      return condition;
    }
    Expression left = rest(and.left());
    Expression right = rest(and.right());
    return left == null ? right : right == null ? left : new And(left, right);
  }

  /**
   * The plan with the row, and with the rest of HAVING directly above the aggregate: Spark has it above the windows of a query with
   * grouping sets. Null for a plan that is not known.
   */
  private static LogicalPlan placed(LogicalPlan plan, Expression rest) {
    if (plan instanceof Aggregate aggregate && aggregate.child() instanceof Expand expand) {
      LogicalPlan total = withTotal(aggregate, expand);
      boolean fits = rest == null || rest.references().subsetOf(aggregate.outputSet());
      return !fits ? null : rest == null ? total : new Filter(rest, total);
    }
    if (!(plan instanceof Project || plan instanceof Window)) {
      return null;
    }
    LogicalPlan child = placed(list(plan.children()).get(0), rest);
    return child == null ? null : (LogicalPlan) plan.withNewChildren(Plans.seq(List.of(child)));
  }

  private static LogicalPlan withTotal(Aggregate aggregate, Expand expand) {
    List<Attribute> output = list(expand.output());
    int id = groupingId(output);
    Expression total = totalId(aggregate, expand, id);
    if (total == null) {
      return aggregate; // without an empty set
    }
    Alias real = alias(Expressions.literal(true), "sqe_real");
    Attribute isReal = real.toAttribute();
    Expand sets = new Expand(withColumn(expand.projections(), isReal), append(expand.output(), isReal), withRow(expand, real));
    Filter kept = new Filter(new Or(isReal, new EqualTo(output.get(id), total)), sets);
    List<NamedExpression> values = new ArrayList<>();
    list(aggregate.aggregateExpressions()).forEach(each -> values.add((NamedExpression) ofReal((Expression) each, isReal)));
    return new Aggregate(aggregate.groupingExpressions(), Plans.seq(values), kept, aggregate.hint());
  }

  private static int groupingId(List<Attribute> output) {
    for (int i = output.size() - 1; i >= 0; i--) {
      if (output.get(i).name().equals(VirtualColumn.groupingIdName())) {
        return i;
      }
    }
    throw TrinoFailure.unsupported("Grouping sets are not supported in this place.");
  }

  /** The id of the empty set; null when there is none. */
  private static Expression totalId(Aggregate aggregate, Expand expand, int id) {
    Set<ExprId> keys =
        list(aggregate.groupingExpressions()).stream()
            .filter(Attribute.class::isInstance)
            .map(key -> ((Attribute) key).exprId())
            .collect(Collectors.toSet());
    List<Attribute> output = list(expand.output());
    for (scala.collection.Seq<Expression> projection : list(expand.projections())) {
      List<Expression> values = list(projection);
      boolean empty = true;
      for (int i = 0; i < values.size(); i++) {
        empty &= !keys.contains(output.get(i).exprId()) || values.get(i) instanceof Literal;
      }
      if (empty) {
        return values.get(id);
      }
    }
    return null;
  }

  /** The rows of the query and one more. */
  private static LogicalPlan withRow(Expand expand, Alias real) {
    List<NamedExpression> columns = new ArrayList<>();
    List<NamedExpression> nothing = new ArrayList<>();
    for (Attribute column : list(expand.child().output())) {
      columns.add(column);
      nothing.add(alias(Expressions.nothing(column.dataType()), column.name()));
    }
    columns.add(real);
    nothing.add(alias(Expressions.literal(false), real.name()));
    List<LogicalPlan> both =
        List.of(new Project(Plans.seq(columns), expand.child()), new Project(Plans.seq(nothing), new OneRowRelation()));
    return new Union(Plans.seq(both), false, false);
  }

  private static scala.collection.immutable.Seq<scala.collection.immutable.Seq<Expression>> withColumn(
      scala.collection.Seq<scala.collection.immutable.Seq<Expression>> projections, Expression column) {
    List<scala.collection.immutable.Seq<Expression>> made = new ArrayList<>();
    list(projections).forEach(each -> made.add(append(each, column)));
    return Plans.seq(made);
  }

  private static <T> scala.collection.immutable.Seq<T> append(scala.collection.Seq<T> items, T last) {
    List<T> made = new ArrayList<>(list(items));
    made.add(last);
    return Plans.seq(made);
  }

  /** The expression whose aggregate functions see the real rows only. */
  private static Expression ofReal(Expression expression, Attribute isReal) {
    if (expression instanceof AggregateExpression aggregate) {
      Expression filter = aggregate.filter().isEmpty() ? isReal : new And(isReal, aggregate.filter().get());
      return new AggregateExpression(
          aggregate.aggregateFunction(), aggregate.mode(), aggregate.isDistinct(), Option.apply(filter), aggregate.resultId());
    }
    List<Expression> children = new ArrayList<>();
    boolean same = true;
    for (Expression child : list(expression.children())) {
      Expression made = ofReal(child, isReal);
      same &= made == child;
      children.add(made);
    }
    return same ? expression : (Expression) expression.withNewChildren(Plans.seq(children));
  }

  private static Alias alias(Expression value, String name) {
    return new Alias(
        value, name, NamedExpression.newExprId(), Plans.seq(List.of()), Option.<Metadata>empty(), Plans.seq(List.of()));
  }

  private static <T> List<T> list(scala.collection.Seq<T> items) {
    return CollectionConverters.asJava(items);
  }
}
