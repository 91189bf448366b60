package sqe.spark.parameters;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import sqe.spark.Plans;

/** A {@code ?} in a statement that is only analysed: of no type, so that the analyzer casts it to the one it wants. */
final class Parameter extends Expression {
  final int index;

  Parameter(int index) {
    this.index = index;
  }

  @Override
  public DataType dataType() {
    return DataTypes.NullType;
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public Object eval(InternalRow row) {
    throw new UnsupportedOperationException("A parameter without a value cannot be evaluated.");
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    throw new UnsupportedOperationException("A parameter without a value cannot be evaluated.");
  }

  @Override
  public Seq<Expression> children() {
    return Plans.seq(List.of());
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return this;
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int element) {
    return index;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof Parameter;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Parameter parameter && parameter.index == index;
  }

  @Override
  public int hashCode() {
    return index;
  }
}
