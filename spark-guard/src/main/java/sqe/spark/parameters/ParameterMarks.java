package sqe.spark.parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.analysis.PosParameter;
import org.apache.spark.sql.catalyst.analysis.UnresolvedInlineTable;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;
import sqe.spark.Plans;

/** A parsed statement with a {@link Parameter} in the place of each {@code ?}, numbered as they follow in its text. */
final class ParameterMarks {
  private static final int NO_INDEX = -1;

  private final TreeSet<Integer> positions = new TreeSet<>();
  private final LogicalPlan marked;

  ParameterMarks(LogicalPlan parsed) {
    var find =
        new PerParameter() {
          @Override
          Expression apply(PosParameter parameter) {
            positions.add(parameter.pos());
            return parameter;
          }
        };
    Plans.everywhere(parsed, node -> node.transformExpressions(find));
    List<Integer> numbers = List.copyOf(positions);
    var mark =
        new PerParameter() {
          @Override
          Expression apply(PosParameter parameter) {
            return new Parameter(numbers.indexOf(parameter.pos()));
          }
        };
    marked = Plans.everywhere(parsed, node -> withoutValues(node.transformExpressions(mark)));
  }

  int count() {
    return positions.size();
  }

  LogicalPlan marked() {
    return marked;
  }

  /** VALUES as SELECTs: the analyzer would evaluate them at once. */
  private static LogicalPlan withoutValues(LogicalPlan node) {
    if (node instanceof InsertIntoStatement insert && insert.query() instanceof UnresolvedInlineTable table) {
      return insert.withNewChildren(Plans.seq(List.of(rows(table, true))));
    }
    return node instanceof UnresolvedInlineTable table ? rows(table, false) : node;
  }

  /**
   * The rows of a VALUES.
   *
   * @param inserted where they go to a table, its columns say what the types are, and not the literals of other rows
   */
  private static LogicalPlan rows(UnresolvedInlineTable table, boolean inserted) {
    List<String> names = CollectionConverters.asJava(table.names());
    List<LogicalPlan> rows = new ArrayList<>();
    for (Seq<Expression> row : CollectionConverters.asJava(table.rows())) {
      List<Expression> values = CollectionConverters.asJava(row);
      List<NamedExpression> columns = new ArrayList<>();
      for (int i = 0; i < Math.min(values.size(), names.size()); i++) {
        boolean blank = inserted && values.get(i) instanceof Literal;
        columns.add(alias(blank ? new Parameter(NO_INDEX) : values.get(i), names.get(i)));
      }
      rows.add(new Project(Plans.seq(columns), new OneRowRelation()));
    }
    return rows.size() == 1 ? rows.get(0) : new Union(Plans.seq(rows), false, false);
  }

  private static Alias alias(Expression expression, String name) {
    Seq<String> none = Plans.seq(List.of());
    return new Alias(expression, name, NamedExpression.newExprId(), none, Option.empty(), none);
  }

  private abstract static class PerParameter extends AbstractPartialFunction<Expression, Expression> {
    abstract Expression apply(PosParameter parameter);

    @Override
    public boolean isDefinedAt(Expression expression) {
      return expression instanceof PosParameter;
    }

    @Override
    public Expression apply(Expression expression) {
      return apply((PosParameter) expression);
    }
  }
}
