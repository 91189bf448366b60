package sqe.spark.trino;

import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.AggregateWindowFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Generator;
import org.apache.spark.sql.catalyst.expressions.String2TrimExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import sqe.spark.Plans;
import sqe.spark.kinds.Enforcement;

/**
 * Spark's own functions for the builders, with the bounds and the gates that every session has, and without the functions of users.
 */
final class SparkFunctions {
  private static volatile SparkSessionExtensions extensions;
  private static volatile FunctionRegistry registry;

  private SparkFunctions() {}

  /** Takes the extensions, to which others may still add functions. */
  static void inject(SparkSessionExtensions ours) {
    if (extensions == null) {
      extensions = ours;
    }
  }

  /**
   * The expression of a function; null where the analyzer has more to do for it than to look it up. A policy has functions without
   * bounds, which only its own analyzer knows.
   */
  static Expression built(String name, Expression... arguments) {
    for (Expression argument : arguments) {
      if (!argument.resolved()) {
        return null;
      }
    }
    if (extensions == null || Enforcement.isExempt(Enforcement.Exemption.POLICY_TEXT)) {
      return null;
    }
    var builder = functions().lookupFunctionBuilder(new FunctionIdentifier(name));
    if (builder.isEmpty()) {
      return null;
    }
    Expression made = builder.get().apply(Plans.seq(List.of(arguments)));
    boolean plain =
        !(made instanceof AggregateFunction
            || made instanceof AggregateWindowFunction
            || made instanceof Generator
            || made instanceof String2TrimExpression);
    return plain ? made : null;
  }

  private static FunctionRegistry functions() {
    FunctionRegistry found = registry;
    if (found == null) {
      found = extensions.registerFunctions(FunctionRegistry.builtin().clone());
      registry = found;
    }
    return found;
  }
}
