package sqe.spark.trino;

import static sqe.spark.trino.Expressions.literal;
import static sqe.spark.trino.Expressions.nothing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.Tuple2;
import sqe.spark.Plans;

/**
 * {@code x < ALL (query)} and its like, by facts about the query's values: how many there are, how many are not NULL, the smallest
 * and the largest.
 */
final class Quantified {
  private static final int ROWS = 0;
  private static final int VALUES = 1;
  private static final int LEAST = 2;
  private static final int MOST = 3;

  private Quantified() {}

  static void register(Map<String, Builder> functions) {
    functions.put("quantified", Quantified::quantified);
    functions.put("contained", arguments -> contained(arguments.get(0), arguments.get(1), arguments.get(2)));
  }

  private static Expression quantified(List<Expression> arguments) {
    String symbol = Expressions.constantText(arguments.get(0));
    boolean all = Expressions.constantText(arguments.get(1)).equals("all");
    Expression value = arguments.get(2);
    Expression facts = arguments.get(3);
    Expression least = fact(facts, LEAST);
    Expression most = fact(facts, MOST);
    Expression open = new Not(Expressions.operator("=", fact(facts, ROWS), fact(facts, VALUES)));
    Expression none = Expressions.operator("=", fact(facts, ROWS), literal(0L));
    if (symbol.equals("=") || symbol.equals("<>")) {
      Expression several = new Or(new Not(Comparison.compare("=", least, most)), new Not(Comparison.compare("=", value, least)));
      Expression differs = symbol.equals("=") ? new Not(Comparison.compare("=", value, most)) : null;
      Expression decided = differs == null ? several : new Or(several, differs);
      return cases(List.of(none, decided, open), List.of(literal(all), literal(!all), nothing(DataTypes.BooleanType)),
          all ? Comparison.compare("=", value, least) : new Not(Comparison.compare("=", value, least)));
    }
    boolean below = symbol.startsWith("<");
    Expression bound = below == all ? least : most;
    Expression holds = Comparison.compare(symbol, value, bound);
    Expression decided = all ? new Not(holds) : holds;
    return cases(List.of(none, decided, open), List.of(literal(all), literal(!all), nothing(DataTypes.BooleanType)), holds);
  }

  /** {@code x IN (query)} where a NULL has to be one. */
  private static Expression contained(Expression there, Expression value, Expression facts) {
    Expression none = Expressions.operator("=", fact(facts, ROWS), literal(0L));
    Expression open = new Or(new IsNull(value), new Not(Expressions.operator("=", fact(facts, ROWS), fact(facts, VALUES))));
    return cases(
        List.of(there, none, open),
        List.of(literal(true), literal(false), nothing(DataTypes.BooleanType)),
        literal(false));
  }

  private static Expression fact(Expression facts, int ordinal) {
    return new GetStructField(facts, ordinal, Option.empty());
  }

  private static Expression cases(List<Expression> conditions, List<Expression> results, Expression otherwise) {
    List<Tuple2<Expression, Expression>> branches = new ArrayList<>();
    for (int i = 0; i < conditions.size(); i++) {
      branches.add(new Tuple2<>(conditions.get(i), results.get(i)));
    }
    return new CaseWhen(Plans.seq(branches), Option.apply(otherwise));
  }
}
