package sqe.spark.small;

import java.util.Set;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.EmptyBlock$;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import sqe.spark.ConstantLeaf;
import sqe.spark.Plans;

/**
 * A number or date that a filter compares with, which the generated class gets as a value instead of having it in its text.
 *
 * <p>Spark keeps generated classes by their text. Statements that differ in such a constant only, as those of one application do,
 * then share one class. Otherwise each of them has a class compiled, run by the interpreter at first, and compiled to machine
 * code again.
 */
public final class SharedConstant extends ConstantLeaf<Literal> {
  /** Those that Spark writes into the text; it passes other values already. */
  private static final Set<DataType> TYPES =
      Set.of(
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType,
          DataTypes.DateType,
          DataTypes.TimestampType,
          DataTypes.TimestampNTZType);

  private SharedConstant(Literal constant) {
    super(constant);
  }

  /** As a columnar rule: those come after everything that looks for constants, and reach every physical plan. */
  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectColumnar(
        session ->
            new ColumnarRule() {
              @Override
              public Rule<SparkPlan> preColumnarTransitions() {
                return new Replaced();
              }
            });
  }

  private static final class Replaced extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
      return (SparkPlan)
          plan.transformUp(
              Plans.when(FilterExec.class::isInstance, Replaced::withSharedConstants));
    }

    private static SparkPlan withSharedConstants(SparkPlan filter) {
      return (SparkPlan) filter.transformExpressions(Plans.when(BinaryComparison.class::isInstance, Replaced::shared));
    }

    private static Expression shared(Expression comparison) {
      return (Expression)
          comparison.mapChildren(
              child ->
                  child instanceof Literal literal && literal.value() != null && TYPES.contains(literal.dataType())
                      ? new SharedConstant(literal)
                      : child);
    }
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    String type = CodeGenerator.javaType(dataType());
    String value = context.addReferenceObj("constant", constant.value(), CodeGenerator.boxedType(dataType()));
    String field = context.addMutableState(type, "constant", name -> name + " = " + value + ";", false, true);
    return code.copy(EmptyBlock$.MODULE$, FalseLiteral$.MODULE$, JavaCode.global(field, dataType()));
  }
}
