package sqe.spark.bounds;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;
import sqe.spark.Plans;

/** Stands over one expression, whose type, name and text it has. Two of one class are equal when their expressions are. */
abstract class Transparent extends Expression implements Serializable {
  final Expression child;

  Transparent(Expression child) {
    this.child = child;
  }

  @Override
  public Seq<Expression> children() {
    return Plans.seq(List.of(child));
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
    return 1;
  }

  @Override
  public Object productElement(int number) {
    return child;
  }

  @Override
  public boolean canEqual(Object other) {
    return getClass().isInstance(other);
  }

  @Override
  public boolean equals(Object other) {
    return canEqual(other) && child.equals(((Transparent) other).child);
  }

  @Override
  public int hashCode() {
    return Objects.hash(getClass(), child);
  }
}
