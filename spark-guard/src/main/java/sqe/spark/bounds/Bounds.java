package sqe.spark.bounds;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.HigherOrderFunction;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Puts expressions that can run long or grow large in one row within bounds: as they are parsed, as functions are looked up, and
 * once more when a plan is about to be optimized, whichever way it came.
 *
 * <p>Not only then: Spark evaluates some expressions while it analyses a statement (the rows of VALUES, a name in IDENTIFIER).
 */
public final class Bounds {
  /** Functions that put together what their lambda function makes. */
  private static final Set<String> COLLECTING =
      Set.of("transform", "zip_with", "transform_keys", "transform_values", "map_zip_with");

  /** Of text that is read as a decimal number. */
  private static final int MAX_DIGITS = 10_000;

  /** Of text in an array that is read as something else: a time with the name of a zone takes microseconds. */
  private static final long MAX_CAST_TEXT = 16L << 20;

  /** Of text with a collation other than that of its bytes. */
  private static final ValueCheck COLLATED = new ValueCheck.Brief("a collation", "The text", 4 << 20);

  private Bounds() {}

  public static void inject(SparkSessionExtensions extensions) {
    BoundedFunctions.inject(extensions);
    PlanBounds.inject(extensions);
    extensions.injectPlanNormalizationRule(session -> new Everywhere());
  }

  private static final class Everywhere extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      ExpandedSize.check(plan);
      return within(plan);
    }
  }

  /** The plan with all expressions within bounds. */
  public static LogicalPlan within(LogicalPlan plan) {
    return Plans.everywhere(plan, Bounds::node);
  }

  /** An expression that stands by itself, within bounds. */
  public static Expression within(Expression expression) {
    return in(expression, List.of());
  }

  /** The expression, which looks for a cancel each time that it is evaluated. */
  public static Expression watched(Expression expression) {
    return new CheckedValue(expression, new ValueCheck.Watched());
  }

  private static LogicalPlan node(LogicalPlan node) {
    PlanBounds.check(node);
    PivotBounds.check(node);
    if (node instanceof ExplainCommand explain) {
      return new ExplainCommand(within(explain.logicalPlan()), explain.mode()); // not among its children
    }
    return (LogicalPlan) node.mapExpressions(each -> in(each, List.of()));
  }

  /**
   * The expression within bounds.
   *
   * @param done parts that are so already
   */
  static Expression in(Expression expression, List<Expression> done) {
    return in(expression, done, null);
  }

  private static Expression in(Expression expression, List<Expression> done, Expression parent) {
    for (Expression each : done) {
      if (each == expression) {
        return expression;
      }
    }
    if (CollectionConverters.asJava(expression.children()).isEmpty()) {
      return expression;
    }
    Expression changed = (Expression) expression.mapChildren(each -> in(each, done, expression));
    PlanBounds.check(changed);
    if (changed instanceof Cast cast) {
      return cast(cast);
    }
    if (changed instanceof BinaryComparison || changed instanceof In) {
      return (Expression) changed.mapChildren(Bounds::compared);
    }
    if (parent instanceof Bounded) {
      return changed;
    }
    if (changed instanceof LambdaFunction lambda) {
      return body(lambda);
    }
    if (takesLambda(changed)) {
      boolean counted = parent instanceof CheckedValue checked && checked.check() instanceof ValueCheck.Collects;
      return counted ? changed : new CheckedValue(changed, new ValueCheck.Collects(collecting(changed)));
    }
    // A chain of || is one expression: the outermost counts for all.
    boolean inChain = changed instanceof Concat && parent instanceof Concat;
    Expression bounded = BoundTable.has(changed) && !inChain ? new Bounded(changed) : changed;
    return inChain || !isCollated(bounded) || parent instanceof CheckedValue ? bounded : new CheckedValue(bounded, COLLATED);
  }

  /** Whether an expression makes text that is compared by the rules of a collation, which takes long for each character. */
  private static boolean isCollated(Expression expression) {
    boolean makesText =
        expression.resolved()
            && !(expression instanceof NamedExpression
                || expression instanceof Unevaluable
                || expression instanceof AggregateFunction
                || expression instanceof PlanExpression
                || expression instanceof CheckedValue);
    return makesText && expression.dataType() instanceof StringType text && !text.supportsBinaryEquality();
  }

  /** Java reads a number of many digits in the square of their time; the text of an array can be much larger than the array. */
  private static Expression cast(Cast cast) {
    Expression operand = cast.child();
    if (operand instanceof CheckedValue || operand instanceof Literal || operand instanceof Attribute) {
      // What a column is, is known before the plan is optimized.
      if (!(operand instanceof Attribute attribute) || !attribute.resolved()) {
        return cast;
      }
    }
    boolean known = operand.resolved();
    ValueCheck check = null;
    if (cast.dataType() instanceof DecimalType && (!known || operand.dataType() instanceof StringType)) {
      check = new ValueCheck.Brief("a decimal", "The text", MAX_DIGITS);
    } else if (cast.dataType() instanceof StringType && (!known || isNested(operand.dataType()))) {
      check = new ValueCheck.Operand("cast", 0, new Weight(), Allocation.MAX_BYTES);
    } else if (known && isNested(cast.dataType()) && holdsText(operand.dataType()) && !operand.dataType().equals(cast.dataType())) {
      check = new ValueCheck.Operand("cast", 0, new Weight(), MAX_CAST_TEXT);
    }
    return check == null ? cast : (Expression) cast.withNewChildren(Plans.seq(List.of(new CheckedValue(operand, check))));
  }

  private static boolean holdsText(DataType type) {
    return type.existsRecursively(StringType.class::isInstance);
  }

  /** An operand of a comparison: of two arrays Spark goes through all elements, and a row may have hundreds of comparisons. */
  private static Expression compared(Expression operand) {
    boolean large = operand.resolved() && !operand.foldable() && isNested(operand.dataType());
    return large && !(operand instanceof CheckedValue) ? watched(operand) : operand;
  }

  private static boolean isNested(DataType type) {
    return type instanceof ArrayType || type instanceof MapType || type instanceof StructType;
  }

  private static boolean takesLambda(Expression expression) {
    return expression instanceof HigherOrderFunction
        || (expression instanceof UnresolvedFunction function
            && CollectionConverters.asJava(function.arguments()).stream().anyMatch(LambdaFunction.class::isInstance));
  }

  /** The name of a function that puts together what its lambda function makes, or nothing. */
  private static String collecting(Expression expression) {
    String name = expression.prettyName();
    if (expression instanceof UnresolvedFunction function) {
      List<String> parts = CollectionConverters.asJava(function.nameParts());
      name = parts.get(parts.size() - 1).toLowerCase(Locale.ROOT);
    }
    return COLLECTING.contains(name) ? name : "";
  }

  /** A function with what is below it within bounds; what Spark looks up as a function of lambdas has to be one. */
  static Expression built(Expression made, List<Expression> arguments) {
    return made instanceof HigherOrderFunction
        ? (Expression) made.mapChildren(each -> in(each, arguments))
        : in(made, arguments);
  }

  private static Expression body(LambdaFunction lambda) {
    if (lambda.function() instanceof CheckedValue checked && checked.check() instanceof ValueCheck.Body) {
      return lambda;
    }
    return new LambdaFunction(new CheckedValue(lambda.function(), new ValueCheck.Body()), lambda.arguments(), lambda.hidden());
  }
}
