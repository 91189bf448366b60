package sqe.spark.bounds;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/** Looks at the value of an expression and passes it on as it is. */
public final class Passing extends Expression implements Serializable {
  private final Expression child;
  private final Look look;

  Passing(Expression child, Look look) {
    this.child = child;
    this.look = look;
  }

  Look look() {
    return look;
  }

  @Override
  public Object eval(InternalRow row) {
    look.before();
    try {
      Object value = child.eval(row);
      if (value != null) {
        look.at(value);
      }
      return value;
    } finally {
      look.after();
    }
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    ExprCode made = child.genCode(context);
    String look = context.addReferenceObj("look", this.look, Look.class.getName());
    boolean primitive = CodeGenerator.isPrimitiveType(dataType());
    String value = primitive ? CodeGenerator.boxedType(dataType()) + ".valueOf(" + made.value() + ")" : made.value().toString();
    String text =
        look + ".before();\n" + made.code() + "\nif (!" + made.isNull() + ") {\n" + look + ".at(" + value + ");\n}\n"
            + look + ".after();\n";
    return code.copy(new CodeBlock(Plans.seq(List.of(text)), Plans.seq(List.of())), made.isNull(), made.value());
  }

  @Override
  public Seq<Expression> children() {
    return Plans.seq(List.of(child));
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new Passing(CollectionConverters.asJava(children).get(0), look);
  }

  @Override
  public DataType dataType() {
    return child.dataType();
  }

  @Override
  public boolean nullable() {
    return child.nullable();
  }

  @Override
  public boolean foldable() {
    // Spark would put a constant in the place of a body that is one, and nothing would look at each element any more.
    return !(look instanceof Look.Body) && child.foldable();
  }

  @Override
  public boolean contextIndependentFoldable() {
    return foldable() && child.contextIndependentFoldable();
  }

  @Override
  public String prettyName() {
    return child.prettyName();
  }

  @Override
  public String sql() {
    return child.sql();
  }

  @Override
  public String toString() {
    return child.toString();
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int number) {
    return number == 0 ? child : look;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof Passing;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Passing that && child.equals(that.child) && look.equals(that.look);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Passing.class, child, look);
  }
}
