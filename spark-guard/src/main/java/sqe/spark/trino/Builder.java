package sqe.spark.trino;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;

/** Makes the expression of a call whose arguments are resolved. */
@FunctionalInterface
interface Builder {
  Expression build(List<Expression> arguments);
}
