package sqe.spark.bounds;

import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import scala.collection.immutable.IndexedSeq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/** Checks the value of an expression and returns it as it is. */
public final class CheckedValue extends Transparent {
  private final ValueCheck check;

  CheckedValue(Expression child, ValueCheck check) {
    super(child);
    this.check = check;
  }

  public ValueCheck check() {
    return check;
  }

  public Expression child() {
    return child;
  }

  @Override
  public Object eval(InternalRow row) {
    check.before();
    try {
      Object value = child.eval(row);
      if (value != null) {
        check.at(value);
      }
      return value;
    } finally {
      check.after();
    }
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    ExprCode made = child.genCode(context);
    String check = context.addReferenceObj("check", this.check, ValueCheck.class.getName());
    boolean primitive = CodeGenerator.isPrimitiveType(dataType());
    String value = primitive ? CodeGenerator.boxedType(dataType()) + ".valueOf(" + made.value() + ")" : made.value().toString();
    String text =
        check + ".before();\n" + made.code() + "\nif (!" + made.isNull() + ") {\n" + check + ".at(" + value + ");\n}\n"
            + check + ".after();\n";
    return code.copy(new CodeBlock(Plans.seq(List.of(text)), Plans.seq(List.of())), made.isNull(), made.value());
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new CheckedValue(CollectionConverters.asJava(children).get(0), check);
  }

  @Override
  public boolean foldable() {
    // Spark would put a constant in the place of a body that is one, and nothing would check each element any more.
    return !(check instanceof ValueCheck.Body) && child.foldable();
  }

  @Override
  public boolean contextIndependentFoldable() {
    return foldable() && child.contextIndependentFoldable();
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int number) {
    return number == 0 ? child : check;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof CheckedValue;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CheckedValue that && child.equals(that.child) && check.equals(that.check);
  }

  @Override
  public int hashCode() {
    return Objects.hash(CheckedValue.class, child, check);
  }
}
