package sqe.spark;

import java.util.Map;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * Functions of Spark's that nobody may call. They stand in the registry in the place of Spark's own, because some expressions
 * are evaluated while a statement is analysed (a name in IDENTIFIER, the rows of VALUES): a rule would come too late.
 */
final class LockedFunctions {
  private static final String CODE = "It would run code with the account of the server.";
  private static final Map<String, String> REFUSED = Map.of("reflect", CODE, "java_method", CODE, "try_reflect", CODE);

  private LockedFunctions() {}

  static void inject(SparkSessionExtensions extensions) {
    REFUSED.forEach(
        (name, why) -> {
          FunctionIdentifier id = new FunctionIdentifier(name);
          var info = FunctionRegistry.builtin().lookupFunction(id).get();
          extensions.injectFunction(new Tuple3<>(id, info, new Gate(id, why)));
        });
  }

  private static final class Gate extends AbstractFunction1<Seq<Expression>, Expression> {
    private final FunctionIdentifier id;
    private final String why;

    Gate(FunctionIdentifier id, String why) {
      this.id = id;
      this.why = why;
    }

    @Override
    public Expression apply(Seq<Expression> arguments) {
      if (Locked.isOn()) {
        throw new LockedRefusal("The function " + id.funcName(), why);
      }
      return (Expression) FunctionRegistry.builtin().lookupFunction(id, arguments);
    }
  }
}
