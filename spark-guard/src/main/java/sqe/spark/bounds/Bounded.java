package sqe.spark.bounds;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import scala.Tuple2;
import scala.collection.immutable.IndexedSeq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Stands over an expression of Spark's that can run long or grow large in one row, and evaluates it within bounds.
 *
 * <p>The expression stays in the plan, where Spark's rules find it: they give it types, fold it, and make a prefix of a LIKE. When
 * a rule puts another expression in its place, this node goes, or stands over what needs it there.
 */
public final class Bounded extends Transparent {
  private transient Bound bound;

  Bounded(Expression child) {
    super(child);
  }

  private Bound bound() {
    if (bound == null) {
      bound = BoundTable.of(child);
    }
    return bound;
  }

  /** What is under a node of this class, or the expression itself. */
  public static Expression inner(Expression expression) {
    return expression instanceof Bounded bounded ? bounded.child : expression;
  }

  @Override
  public Object eval(InternalRow row) {
    Bound bound = bound();
    List<Expression> operands = bound.operands();
    Object[] values = new Object[operands.size()];
    boolean strict = bound.isStrict();
    for (int each = 0; each < values.length; each++) {
      values[each] = operands.get(each).eval(row);
      if (strict && values[each] == null) {
        return null;
      }
    }
    return apply(values);
  }

  /** Called by generated code. */
  public Object apply(Object[] values) {
    Interrupts.begin();
    Object value = bound().apply(values);
    Interrupts.end();
    return value;
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    List<Expression> operands = bound().operands();
    String values = context.freshName("values");
    String self = context.addReferenceObj("bounded", this, Bounded.class.getName());
    String result = context.freshName("result");
    String boxed = CodeGenerator.boxedType(dataType());
    String call =
        "Object " + result + " = " + self + ".apply(" + values + ");\n"
            + "if (" + result + " != null) {\n"
            + code.isNull() + " = false;\n"
            + code.value() + " = (" + boxed + ") " + result + ";\n}\n";
    String body = bound().isStrict() ? strict(context, operands, values, call) : all(context, operands, values) + call;
    String text =
        "boolean " + code.isNull() + " = true;\n"
            + CodeGenerator.javaType(dataType()) + " " + code.value() + " = "
            + CodeGenerator.defaultValue(dataType(), false) + ";\n"
            + "Object[] " + values + " = new Object[" + operands.size() + "];\n"
            + body;
    return code.copy(new CodeBlock(Plans.seq(List.of(text)), Plans.seq(List.of())), code.isNull(), code.value());
  }

  /** Later operands are not evaluated where an earlier one is NULL. */
  private static String strict(CodegenContext context, List<Expression> operands, String values, String call) {
    StringBuilder text = new StringBuilder();
    for (int each = 0; each < operands.size(); each++) {
      ExprCode made = operands.get(each).genCode(context);
      text.append(made.code()).append("\nif (!").append(made.isNull()).append(") {\n");
      text.append(stored(values, each, operands.get(each).dataType(), made));
    }
    return text.append(call).append("}\n".repeat(operands.size())).toString();
  }

  private static String all(CodegenContext context, List<Expression> operands, String values) {
    List<String> parts = new ArrayList<>();
    for (int each = 0; each < operands.size(); each++) {
      ExprCode made = operands.get(each).genCode(context);
      String stored = stored(values, each, operands.get(each).dataType(), made);
      parts.add(made.code() + "\nif (!" + made.isNull() + ") {\n" + stored + "}\n");
    }
    // A method of Java's takes so much code and no more.
    return context.splitExpressionsWithCurrentInputs(
        Plans.seq(parts),
        "boundedOperands",
        Plans.seq(List.of(new Tuple2<>("Object[]", values))),
        context.splitExpressionsWithCurrentInputs$default$4(),
        context.splitExpressionsWithCurrentInputs$default$5(),
        context.splitExpressionsWithCurrentInputs$default$6());
  }

  private static String stored(String values, int index, DataType type, ExprCode made) {
    boolean primitive = CodeGenerator.isPrimitiveType(type);
    String value = primitive ? CodeGenerator.boxedType(type) + ".valueOf(" + made.value() + ")" : made.value().toString();
    return values + "[" + index + "] = " + value + ";\n";
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    Expression child = CollectionConverters.asJava(children).get(0);
    if (child.getClass() == this.child.getClass()) {
      return new Bounded(child);
    }
    return Bounds.in(child, List.of());
  }

  @Override
  public boolean nullIntolerant() {
    return child.nullIntolerant();
  }

  @Override
  public boolean foldable() {
    return child.foldable();
  }

  @Override
  public boolean contextIndependentFoldable() {
    return child.contextIndependentFoldable();
  }
}
