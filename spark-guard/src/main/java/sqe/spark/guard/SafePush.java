package sqe.spark.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;
import sqe.spark.bounds.Bounded;

/**
 * Moves those of a user's predicates below a {@link Barrier} that cannot fail on any row and show nothing of it, so that Iceberg
 * still skips files and row groups.
 *
 * <p>It runs among Spark's own rules. They bring a predicate down to the barrier and write what a column stands for, a mask for
 * instance, in its place; only then is it judged. Without this rule queries are slower and their results are the same.
 */
final class SafePush extends Rule<LogicalPlan> {
  /** Two values of these are compared without a failure, whatever they are. */
  private static final Set<Class<?>> COMPARABLE =
      Set.of(
          EqualTo.class,
          EqualNullSafe.class,
          LessThan.class,
          LessThanOrEqual.class,
          GreaterThan.class,
          GreaterThanOrEqual.class);

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.transformDown(
        Plans.when(
            node -> pushes(node) || isEmpty(node),
            node -> node instanceof Filter filter ? push(filter, (Barrier) filter.child()) : ((Barrier) node).child()));
  }

  private static boolean pushes(LogicalPlan node) {
    return node instanceof Filter filter
        && filter.child() instanceof Barrier
        && conjuncts(filter.condition()).stream().anyMatch(SafePush::isSafe);
  }

  /** Then Spark may see that nothing comes; a barrier over no rows has nothing to hide. */
  private static boolean isEmpty(LogicalPlan node) {
    return node instanceof Barrier barrier
        && barrier.child() instanceof LocalRelation relation
        && CollectionConverters.asJava(relation.data()).isEmpty();
  }

  private static LogicalPlan push(Filter filter, Barrier barrier) {
    List<Expression> safe = new ArrayList<>();
    List<Expression> others = new ArrayList<>();
    conjuncts(filter.condition()).forEach(each -> (isSafe(each) ? safe : others).add(each));
    LogicalPlan below = new Barrier(new Filter(all(safe), barrier.child()));
    return others.isEmpty() ? below : new Filter(all(others), below);
  }

  private static List<Expression> conjuncts(Expression condition) {
    List<Expression> found = new ArrayList<>();
    if (condition instanceof And and) {
      found.addAll(conjuncts(and.left()));
      found.addAll(conjuncts(and.right()));
    } else {
      found.add(condition);
    }
    return found;
  }

  private static Expression all(List<Expression> conditions) {
    return conditions.stream().reduce(And::new).orElseThrow();
  }

  /**
   * Whether a resolved condition can be evaluated on rows that its author may not see: it fails on none of them, and what it
   * answers is only used to leave rows out.
   */
  static boolean isSafe(Expression condition) {
    if (Bounded.inner(condition) instanceof Contains contains && condition instanceof Bounded) {
      return isSafe(contains); // within bounds it is evaluated as Spark does
    } else if (condition instanceof And || condition instanceof Or || condition instanceof Not) {
      return CollectionConverters.asJava(condition.children()).stream().allMatch(SafePush::isSafe);
    } else if (condition instanceof BinaryComparison comparison) {
      return COMPARABLE.contains(condition.getClass())
          && isOperand(comparison.left())
          && isOperand(comparison.right());
    } else if (condition instanceof In in) {
      return isOperand(in.value()) && CollectionConverters.asJava(in.list()).stream().allMatch(SafePush::isConstant);
    } else if (condition instanceof InSet in) {
      return isOperand(in.child());
    } else if (condition instanceof IsNull || condition instanceof IsNotNull) {
      return isValue(CollectionConverters.asJava(condition.children()).get(0));
    } else if (condition instanceof StartsWith || condition instanceof EndsWith || condition instanceof Contains) {
      return CollectionConverters.asJava(condition.children()).stream().allMatch(SafePush::isOperand);
    }
    return isOperand(condition) && condition.dataType() instanceof BooleanType;
  }

  private static boolean isOperand(Expression expression) {
    return (isValue(expression) || isConstant(expression)) && isPlain(expression.dataType());
  }

  /** A stored value as it is, or in a wider type for numbers. */
  private static boolean isValue(Expression expression) {
    if (expression instanceof Cast cast) {
      return isValue(cast.child())
          && cast.child().dataType() instanceof NumericType
          && cast.dataType() instanceof NumericType
          && Cast.canUpCast(cast.child().dataType(), cast.dataType());
    } else if (expression instanceof GetStructField field) {
      return isValue(field.child());
    }
    return expression instanceof Attribute && expression.resolved();
  }

  /** A value that is known before any row is read. One that cannot be made would fail on the first row, hidden or not. */
  private static boolean isConstant(Expression expression) {
    if (expression instanceof Literal) {
      return true;
    }
    if (!expression.resolved() || !expression.foldable() || !expression.deterministic()) {
      return false;
    }
    try {
      expression.eval(null);
      return true;
    } catch (RuntimeException fails) {
      return false;
    }
  }

  private static boolean isPlain(DataType type) {
    return type instanceof NumericType
        || type instanceof StringType
        || type instanceof BooleanType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType
        || type instanceof BinaryType
        || type instanceof NullType;
  }
}
