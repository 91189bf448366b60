package sqe.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** An expression that stands for a constant one and hides it: for the optimizer it has no children. */
public abstract class ConstantLeaf<E extends Expression> extends Expression implements Serializable {
  protected final E constant;

  protected ConstantLeaf(E constant) {
    this.constant = constant;
  }

  @Override
  public DataType dataType() {
    return constant.dataType();
  }

  @Override
  public boolean nullable() {
    return constant.nullable();
  }

  @Override
  public Object eval(InternalRow row) {
    return constant.eval(row);
  }

  @Override
  public Seq<Expression> children() {
    return Plans.seq(List.of());
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> none) {
    return this;
  }

  @Override
  public String sql() {
    return constant.sql();
  }

  @Override
  public String toString() {
    return constant.toString();
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int number) {
    return constant;
  }

  @Override
  public boolean canEqual(Object other) {
    return getClass().isInstance(other);
  }

  @Override
  public boolean equals(Object other) {
    return canEqual(other) && constant.equals(((ConstantLeaf<?>) other).constant);
  }

  @Override
  public int hashCode() {
    return Objects.hash(getClass(), constant);
  }
}
