package sqe.spark.small;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BindReferences;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.InterpretedMutableProjection;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.package$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import sqe.spark.Plans;

/**
 * Computes an aggregate of few rows that are in the plan already while the statement is planned: Spark sends its row without
 * a job.
 *
 * <p>Such rows are those of VALUES, and what Iceberg answers from a table's metadata: {@code count(*)}, {@code min} and
 * {@code max}. Spark would run two jobs with a shuffle between them. What fails here is left to Spark, and fails as before.
 */
public final class LocalAggregate extends SparkStrategy {
  /** To aggregate so many rows is nothing beside the planning. */
  private static final int MOST_ROWS = 2_000;

  private LocalAggregate() {}

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectPlannerStrategy(session -> new LocalAggregate());
  }

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    InternalRow row = null;
    if (plan instanceof Aggregate aggregate
        && CollectionConverters.asJava(aggregate.groupingExpressions()).isEmpty()
        && isPlain(plan)) {
      try {
        List<InternalRow> rows = rows(aggregate.child());
        row = rows == null ? null : row(aggregate, rows);
      } catch (Exception failure) { // Spark's own are checked exceptions, which Scala does not declare
        row = null;
      }
    }
    if (row == null) {
      return Plans.seq(List.of());
    }
    return Plans.seq(List.of(new LocalTableScanExec(plan.output(), Plans.seq(List.of(row)), Option.empty())));
  }

  /** Return the rows of a plan that needs no job; null where it needs one. */
  private static List<InternalRow> rows(LogicalPlan plan) {
    if (plan instanceof LocalRelation relation && !relation.isStreaming()) {
      List<InternalRow> rows = CollectionConverters.asJava(relation.data());
      return rows.size() <= MOST_ROWS ? rows : null;
    }
    if (plan instanceof DataSourceV2ScanRelation relation && relation.scan() instanceof LocalScan scan) {
      InternalRow[] rows = scan.rows();
      return rows.length <= MOST_ROWS ? List.of(rows) : null;
    }
    if (plan instanceof Project project && isPlain(plan)) {
      List<InternalRow> rows = rows(project.child());
      return rows == null ? null : projected(rows, bound(expressions(project.projectList()), project.child().output()));
    }
    if (plan instanceof Filter filter && isPlain(plan)) {
      List<InternalRow> rows = rows(filter.child());
      if (rows == null) {
        return null;
      }
      Expression condition = bound(Plans.seq(List.of(filter.condition())), filter.child().output()).get(0);
      return rows.stream().filter(row -> Boolean.TRUE.equals(condition.eval(row))).toList();
    }
    return null;
  }

  /** Whether the node's expressions have the same value wherever they are evaluated. */
  private static boolean isPlain(LogicalPlan node) {
    return CollectionConverters.asJava(node.expressions()).stream()
        .allMatch(each -> each.deterministic() && !each.exists(part -> part instanceof PlanExpression<?>));
  }

  private static List<InternalRow> projected(List<InternalRow> rows, List<Expression> columns) {
    List<InternalRow> projected = new ArrayList<>();
    for (InternalRow row : rows) {
      projected.add(evaluated(columns, row));
    }
    return projected;
  }

  private static InternalRow evaluated(List<Expression> columns, InternalRow row) {
    return new GenericInternalRow(columns.stream().map(column -> column.eval(row)).toArray());
  }

  /** Return the only row of an aggregate without groups; null where a function keeps its state in its own way. */
  private static InternalRow row(Aggregate aggregate, List<InternalRow> rows) {
    // Equal functions are computed once; each instance has names of its own for its state.
    Map<AggregateExpression, Expression> functions = new LinkedHashMap<>();
    for (Expression result : CollectionConverters.asJava(expressions(aggregate.aggregateExpressions()))) {
      result.foreach(
          part -> {
            if (part instanceof AggregateExpression function) {
              functions.putIfAbsent(function, result(function));
            }
            return BoxedUnit.UNIT;
          });
    }
    List<Attribute> state = new ArrayList<>();
    List<Expression> initial = new ArrayList<>();
    List<Expression> updates = new ArrayList<>();
    for (AggregateExpression function : functions.keySet()) {
      if (function.isDistinct()
          || function.filter().isDefined()
          || !(function.aggregateFunction() instanceof DeclarativeAggregate declared)) {
        return null;
      }
      state.addAll(CollectionConverters.asJava(declared.aggBufferAttributes()));
      initial.addAll(CollectionConverters.asJava(declared.initialValues()));
      updates.addAll(CollectionConverters.asJava(declared.updateExpressions()));
    }
    InternalRow values = evaluated(initial, InternalRow.empty());
    List<Attribute> columns = new ArrayList<>(state);
    columns.addAll(CollectionConverters.asJava(aggregate.child().output()));
    MutableProjection update =
        new InterpretedMutableProjection(Plans.seq(bound(Plans.seq(updates), Plans.seq(columns)))).target(values);
    JoinedRow joined = new JoinedRow();
    for (InternalRow row : rows) {
      update.apply(joined.apply(values, row));
    }
    List<Expression> results = new ArrayList<>();
    for (Expression result : CollectionConverters.asJava(expressions(aggregate.aggregateExpressions()))) {
      results.add((Expression) result.transformDown(Plans.when(AggregateExpression.class::isInstance, functions::get)));
    }
    return evaluated(bound(Plans.seq(results), Plans.seq(state)), values);
  }

  /** Return what computes a function's value from its state; the function itself where it keeps its state in its own way. */
  private static Expression result(AggregateExpression function) {
    return function.aggregateFunction() instanceof DeclarativeAggregate declared ? declared.evaluateExpression() : function;
  }

  private static List<Expression> bound(Seq<Expression> expressions, Seq<Attribute> columns) {
    Seq<Expression> bound = BindReferences.bindReferences(expressions, package$.MODULE$.AttributeSeq(columns));
    return CollectionConverters.asJava(bound);
  }

  /** All named expressions are expressions, which Java's compiler does not see. */
  @SuppressWarnings("unchecked")
  private static Seq<Expression> expressions(Seq<NamedExpression> named) {
    return (Seq<Expression>) (Seq<?>) named;
  }
}
