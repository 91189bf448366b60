package sqe.spark.bounds;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Evaluates one expression of Spark's within bounds, from the values of its operands. It belongs to one {@link Bounded} and
 * is used by one thread.
 */
abstract class Bound {
  private final Expression expression;
  private Expression template;
  private String name;

  Bound(Expression expression) {
    this.expression = expression;
  }

  /** What is evaluated first, in this order. */
  List<Expression> operands() {
    return CollectionConverters.asJava(expression.children());
  }

  /** Whether the result is NULL as soon as an operand is. */
  boolean isStrict() {
    return expression.nullIntolerant();
  }

  /** Kept, because it is asked for with every row, and Spark compiles a regular expression each time. */
  final String name() {
    if (name == null) {
      name = expression.prettyName();
    }
    return name;
  }

  abstract Object apply(Object[] values);

  /** Spark's own evaluation, of values that have been looked at. */
  final Object bySpark(Object[] values) {
    if (template == null) {
      List<Expression> operands = CollectionConverters.asJava(expression.children());
      Expression[] references = new Expression[operands.size()];
      for (int each = 0; each < references.length; each++) {
        references[each] = new BoundReference(each, operands.get(each).dataType(), operands.get(each).nullable());
      }
      template = (Expression) expression.withNewChildren(Plans.seq(List.of(references)));
    }
    InternalRow row = new GenericInternalRow(values);
    return template.eval(row);
  }
}
