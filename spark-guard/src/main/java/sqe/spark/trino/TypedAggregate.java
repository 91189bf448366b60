package sqe.spark.trino;

import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.types.DataType;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** An aggregate of Spark's whose result has another type: {@code sum(real)} is a real, and not a double. */
public final class TypedAggregate extends DeclarativeAggregate {
  private final DeclarativeAggregate base;
  private final DataType type;

  TypedAggregate(DeclarativeAggregate base, DataType type) {
    this.base = base;
    this.type = type;
  }

  @Override
  public Seq<Expression> initialValues() {
    return base.initialValues();
  }

  @Override
  public Seq<Expression> updateExpressions() {
    return base.updateExpressions();
  }

  @Override
  public Seq<Expression> mergeExpressions() {
    return base.mergeExpressions();
  }

  @Override
  public Expression evaluateExpression() {
    return new Cast(base.evaluateExpression(), type, Option.empty());
  }

  @Override
  public Seq<AttributeReference> aggBufferAttributes() {
    return base.aggBufferAttributes();
  }

  @Override
  public Seq<AttributeReference> inputAggBufferAttributes() {
    return base.inputAggBufferAttributes();
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public DataType dataType() {
    return type;
  }

  @Override
  public Seq<Expression> children() {
    return base.children();
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new TypedAggregate((DeclarativeAggregate) base.withNewChildren(children), type);
  }

  @Override
  public String prettyName() {
    return base.prettyName();
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int at) {
    return at == 0 ? base : type;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof TypedAggregate;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TypedAggregate same && base.equals(same.base) && type.equals(same.type);
  }

  @Override
  public int hashCode() {
    return Objects.hash(base, type);
  }
}
