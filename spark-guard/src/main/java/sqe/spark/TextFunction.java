package sqe.spark;

import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** A table function of one text, with which the gateway asks something of the session that it is called in. */
public abstract class TextFunction extends AbstractFunction1<Seq<Expression>, LogicalPlan> {
  private final String name;

  protected TextFunction(String name) {
    this.name = name;
  }

  public void inject(SparkSessionExtensions extensions) {
    extensions.injectTableFunction(
        new Tuple3<>(new FunctionIdentifier(name), new ExpressionInfo(getClass().getName(), name), this));
  }

  @Override
  public LogicalPlan apply(Seq<Expression> expressions) {
    List<Expression> arguments = CollectionConverters.asJava(expressions);
    Object text = arguments.size() == 1 && arguments.get(0).foldable() ? arguments.get(0).eval(null) : null;
    if (!(text instanceof UTF8String)) {
      throw new IllegalArgumentException(name + " takes one text.");
    }
    return answer(text.toString());
  }

  protected abstract LogicalPlan answer(String text);

  @SuppressWarnings("unchecked")
  protected static LogicalPlan table(StructType schema, InternalRow... rows) {
    Seq<Attribute> columns = (Seq<Attribute>) (Seq<?>) DataTypeUtils.toAttributes(schema);
    return new LocalRelation(columns, Plans.seq(List.of(rows)), false, Option.empty());
  }
}
