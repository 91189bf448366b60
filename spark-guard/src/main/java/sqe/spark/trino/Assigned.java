package sqe.spark.trino;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * A value that UPDATE or MERGE assigns. It is never resolved, so that Spark, which assigns the fields of rows by name, waits for
 * {@link Assignments}, which replaces it.
 */
final class Assigned extends Expression {
  final Expression value;

  Assigned(Expression value) {
    this.value = value;
  }

  @Override
  public boolean resolved() {
    return false;
  }

  @Override
  public DataType dataType() {
    return value.dataType();
  }

  @Override
  public boolean nullable() {
    return value.nullable();
  }

  @Override
  public Object eval(InternalRow row) {
    throw new UnsupportedOperationException("An assignment cannot be evaluated.");
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    throw new UnsupportedOperationException("An assignment cannot be evaluated.");
  }

  @Override
  public Seq<Expression> children() {
    return Plans.seq(List.of(value));
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new Assigned(CollectionConverters.asJava(children).get(0));
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int element) {
    return value;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof Assigned;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Assigned assigned && assigned.value.equals(value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }
}
