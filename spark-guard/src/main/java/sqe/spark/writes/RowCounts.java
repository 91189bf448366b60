package sqe.spark.writes;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression$;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.ReplaceData;
import org.apache.spark.sql.catalyst.plans.logical.RowLevelWrite;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.ObjectType;
import org.apache.spark.util.LongAccumulator;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import sqe.spark.Plans;

/**
 * Counts the rows that an UPDATE or DELETE changes. A commit does not tell it where whole files are written again, or where
 * rows were deleted before.
 *
 * <p>A filter that keeps every row counts those that change and those that are copied. Both together say whether a task that ran
 * twice was counted twice: then they are more than the rows that were written.
 */
public final class RowCounts extends Rule<LogicalPlan> {
  private static final String METHOD = "count";

  private final SparkSession session;

  private RowCounts(SparkSession session) {
    this.session = session;
  }

  public static void inject(SparkSessionExtensions extensions) {
    extensions.injectPostHocResolutionRule(session -> new RowCounts((SparkSession) session));
  }

  /** What was counted. */
  record Counted(long changed, long copied) {}

  /** Called for each row. */
  public static boolean count(boolean changed, LongAccumulator changing, LongAccumulator copying) {
    (changed ? changing : copying).add(1L);
    return true;
  }

  /** Null where nothing was counted. */
  static Counted in(LogicalPlan plan) {
    List<StaticInvoke> calls = calls(plan);
    if (calls.isEmpty()) {
      return null;
    }
    List<Expression> arguments = CollectionConverters.asJava(calls.get(0).arguments());
    return new Counted(value(arguments.get(1)), value(arguments.get(2)));
  }

  private static long value(Expression accumulator) {
    return ((LongAccumulator) ((Literal) accumulator).value()).sum();
  }

  private static List<StaticInvoke> calls(LogicalPlan plan) {
    List<StaticInvoke> calls = new ArrayList<>();
    plan.foreach(
        node -> {
          if (node instanceof Filter filter
              && filter.condition() instanceof StaticInvoke call
              && call.staticObject() == RowCounts.class) {
            calls.add(call);
          }
          return BoxedUnit.UNIT;
        });
    return calls;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return AnalysisHelper.allowInvokingTransformsInAnalyzer(
        () ->
            plan.transformDown(
                Plans.when(
                    node -> node instanceof RowLevelWrite write && node.resolved() && calls(write.query()).isEmpty(),
                    node -> counted((RowLevelWrite) node))));
  }

  /** The same statement with its rows counted; as it is, where they do not stand as Spark 4.1 places them. */
  private LogicalPlan counted(RowLevelWrite write) {
    if (!(write.query() instanceof Project operation)) {
      return (LogicalPlan) write;
    }
    LongAccumulator changing = session.sparkContext().longAccumulator();
    LongAccumulator copying = session.sparkContext().longAccumulator();
    boolean files = write instanceof ReplaceData;
    LogicalPlan rows =
        switch (write.operation().command()) {
          case UPDATE -> files ? updated(operation.child(), changing, copying) : null; // the rows written tell it
          case DELETE ->
              files
                  ? deleted(operation.child(), changing, copying)
                  : counting(Literal.TrueLiteral(), operation.child(), changing, copying);
          case MERGE -> null; // Spark counts them itself
        };
    return rows == null
        ? (LogicalPlan) write
        : (LogicalPlan) write.withNewQuery(new Project(operation.projectList(), rows));
  }

  private static LogicalPlan updated(LogicalPlan rows, LongAccumulator changing, LongAccumulator copying) {
    if (rows instanceof Project project) {
      Expression condition = condition(project);
      return isCountable(condition)
          ? new Project(project.projectList(), counting(condition, project.child(), changing, copying))
          : null;
    }
    // A condition with subqueries: the rows that change, and those that do not.
    List<LogicalPlan> parts = CollectionConverters.asJava(rows.children());
    if (rows instanceof Union union && parts.size() == 2) {
      LogicalPlan changed = updated(parts.get(0), changing, copying);
      LogicalPlan copied = counting(Literal.FalseLiteral(), parts.get(1), changing, copying);
      return changed == null
          ? null
          : union.copy(Plans.seq(List.of(changed, copied)), union.byName(), union.allowMissingCol());
    }
    return null;
  }

  /** Each column of an UPDATE is {@code if (condition) new else old}. */
  private static Expression condition(Project project) {
    for (NamedExpression column : CollectionConverters.asJava(project.projectList())) {
      if (column instanceof Alias alias && alias.child() instanceof If choice) {
        return choice.predicate();
      }
    }
    return null;
  }

  private static LogicalPlan deleted(LogicalPlan rows, LongAccumulator changing, LongAccumulator copying) {
    return rows instanceof Filter kept
            && kept.condition() instanceof Not not
            && not.child() instanceof EqualNullSafe deleted
            && Literal.TrueLiteral().equals(deleted.right())
            && isCountable(deleted.left())
        ? new Filter(kept.condition(), counting(deleted.left(), kept.child(), changing, copying))
        : null;
  }

  private static boolean isCountable(Expression condition) {
    return condition != null && condition.deterministic() && !SubqueryExpression$.MODULE$.hasSubquery(condition);
  }

  private static LogicalPlan counting(
      Expression condition, LogicalPlan rows, LongAccumulator changing, LongAccumulator copying) {
    ObjectType counter = new ObjectType(LongAccumulator.class);
    return new Filter(
        new StaticInvoke(
            RowCounts.class,
            DataTypes.BooleanType,
            METHOD,
            Plans.seq(
                List.of(
                    new EqualNullSafe(condition, Literal.TrueLiteral()),
                    new Literal(changing, counter),
                    new Literal(copying, counter))),
            Plans.seq(List.of()),
            false,
            false,
            false, // not deterministic: it is neither moved nor left out
            Option.empty()),
        rows);
  }
}
