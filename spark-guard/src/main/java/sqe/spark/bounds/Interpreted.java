package sqe.spark.bounds;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Generator;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.LeafExecNode;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.IndexedSeq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Stands over an expression of thousands of parts and evaluates it without code of its own. The compiler of Spark's code takes the
 * square of their time, and nothing can interrupt it: 5,000 branches of a CASE take ten seconds.
 */
public final class Interpreted extends Transparent implements CodegenFallback {
  /** The parts of the largest expression that is compiled. */
  static final int MAX_COMPILED = 2_000;

  Interpreted(Expression child) {
    super(child);
  }

  /** As a columnar rule: those reach every physical plan. */
  static void inject(SparkSessionExtensions extensions) {
    extensions.injectColumnar(
        session ->
            new ColumnarRule() {
              @Override
              public Rule<SparkPlan> preColumnarTransitions() {
                return new Large();
              }
            });
  }

  private static final class Large extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
      Interrupts.checkPlanning();
      return (SparkPlan)
          plan.transformUp(
              Plans.when(node -> !(node instanceof LeafExecNode), node -> (SparkPlan) node.mapExpressions(Interpreted::large)));
    }
  }

  /** The expression with its large parts interpreted. */
  static Expression large(Expression expression) {
    if (expression instanceof Interpreted || parts(expression, 0) <= MAX_COMPILED) {
      return expression;
    }
    boolean evaluated =
        !(expression instanceof Unevaluable
            || expression instanceof NamedExpression
            || expression instanceof AggregateFunction
            || expression instanceof Generator);
    return evaluated ? new Interpreted(expression) : (Expression) expression.mapChildren(Interpreted::large);
  }

  private static int parts(Expression expression, int before) {
    int parts = before + 1;
    for (Expression child : CollectionConverters.asJava(expression.children())) {
      if (parts > MAX_COMPILED) {
        break;
      }
      parts = parts(child, parts);
    }
    return parts;
  }

  @Override
  public Object eval(InternalRow row) {
    Interrupts.checkRow();
    return child.eval(row);
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return CodegenFallback.super.doGenCode(context, code);
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new Interpreted(CollectionConverters.asJava(children).get(0));
  }

  @Override
  public boolean foldable() {
    return child.foldable();
  }
}
