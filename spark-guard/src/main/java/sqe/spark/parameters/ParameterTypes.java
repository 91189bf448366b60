package sqe.spark.parameters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import org.apache.spark.sql.catalyst.analysis.Analyzer;
import org.apache.spark.sql.catalyst.analysis.PosParameterizedQuery;
import org.apache.spark.sql.catalyst.analysis.UnresolvedExecuteImmediate;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.plans.logical.Call;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;
import sqe.spark.bounds.CheckedValue;

/** Answers which type each {@code ?} of a statement has to have. The statement is analysed and never run. */
public final class ParameterTypes {
  /** Conditions of errors that no value can mend. */
  private static final Pattern WRONG_ANYHOW =
      Pattern.compile("NOT_FOUND|^UNRESOLVED_|^AMBIGUOUS_|COLUMN_ARITY|^PARSE_");

  private ParameterTypes() {}

  /** An empty table with a column for each {@code ?}, of the type that the analyzer wants there. */
  public static LogicalPlan asked(SparkSession session, String sql) {
    Origin call = CurrentOrigin.get();
    CurrentOrigin.reset(); // an error's position is one in the statement
    try {
      return types(session, sql);
    } catch (Exception failure) {
      throw new StatementFailure(failure);
    } finally {
      CurrentOrigin.set(call);
    }
  }

  private static LogicalPlan types(SparkSession session, String sql) throws Exception {
    Types types = new Types();
    LogicalPlan parsed;
    try {
      parsed = session.sessionState().sqlParser().parsePlan(sql);
    } catch (Exception failure) {
      raiseIfWrongAnyhow(failure);
      return Plans.rows(new StructType()); // a ? that is no expression, as in SHOW TABLES LIKE ?
    }
    if (parsed instanceof UnresolvedExecuteImmediate || parsed instanceof Call) {
      return Plans.rows(new StructType()); // the analyzer would run it
    }
    ParameterMarks marks = new ParameterMarks(parsed);
    try {
      types.collect(session.sessionState().analyzer().execute(marks.marked()));
    } catch (Exception noPlaceForAMark) {
      // Where the analyzer wants the value itself, as in range(?).
    }
    if (!types.whole) {
      check(session.sessionState().analyzer(), parsed, marks.count());
    }
    StructType schema = new StructType();
    for (int i = 0; i < marks.count(); i++) {
      schema = schema.add("_" + (i + 1), types.of(i));
    }
    return Plans.rows(schema);
  }

  /** Raises what is wrong with the statement whatever values it gets. Nulls may be wrong where other values are not. */
  private static void check(Analyzer analyzer, LogicalPlan parsed, int count) throws Exception {
    List<Expression> nulls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nulls.add(new Literal(null, DataTypes.NullType));
    }
    try {
      LogicalPlan bound = new PosParameterizedQuery(parsed, Plans.seq(nulls));
      analyzer.executeAndCheck(bound, new QueryPlanningTracker(Option.empty()));
    } catch (Exception failure) {
      raiseIfWrongAnyhow(failure);
    }
  }

  private static void raiseIfWrongAnyhow(Exception failure) throws Exception {
    String condition = failure instanceof SparkThrowable known ? String.valueOf(known.getCondition()) : "";
    if (WRONG_ANYHOW.matcher(condition).find()) {
      throw failure;
    }
  }

  /** The types to which the analyzer has cast the marks, directly or under the name of a column. */
  private static final class Types {
    private final Map<Integer, DataType> found = new HashMap<>();
    private final Map<ExprId, DataType> columns = new HashMap<>();
    private final Map<ExprId, List<Expression>> origins = new HashMap<>();
    private boolean whole;

    DataType of(int index) {
      return found.getOrDefault(index, DataTypes.StringType);
    }

    void collect(LogicalPlan plan) {
      visit(plan);
      columns.forEach((column, type) -> trace(column, type, new ArrayList<>()));
      whole = plan.resolved();
    }

    private void visit(LogicalPlan plan) {
      if (plan instanceof GlobalLimit limit) {
        note(limit.limitExpr(), DataTypes.IntegerType);
      } else if (plan instanceof LocalLimit limit) {
        note(limit.limitExpr(), DataTypes.IntegerType);
      } else if (plan instanceof Offset offset) {
        note(offset.offsetExpr(), DataTypes.IntegerType);
      } else if (plan instanceof Filter filter) {
        note(filter.condition(), DataTypes.BooleanType);
      } else if (plan instanceof Union union && union.resolved()) {
        List<Attribute> columns = CollectionConverters.asJava(union.output());
        for (LogicalPlan child : CollectionConverters.asJava(union.children())) {
          List<Attribute> origins = CollectionConverters.asJava(child.output());
          for (int i = 0; i < columns.size(); i++) {
            origin(columns.get(i).exprId(), origins.get(i));
          }
        }
      }
      CollectionConverters.asJava(plan.expressions()).forEach(this::visit);
      CollectionConverters.asJava(plan.children()).forEach(this::visit);
      for (Object inner : CollectionConverters.asJava(plan.innerChildren())) {
        if (inner instanceof LogicalPlan query) {
          visit(query);
        }
      }
    }

    private void visit(Expression expression) {
      if (expression instanceof Cast cast) {
        note(cast.child(), cast.dataType());
      } else if (expression instanceof CaseWhen cases) {
        for (Tuple2<Expression, Expression> branch : CollectionConverters.asJava(cases.branches())) {
          note(branch._1(), DataTypes.BooleanType);
        }
      } else if (expression instanceof Alias alias) {
        origin(alias.exprId(), alias.child());
      } else if (expression instanceof PlanExpression<?> subquery && subquery.plan() instanceof LogicalPlan query) {
        visit(query);
      }
      CollectionConverters.asJava(expression.children()).forEach(this::visit);
    }

    private void note(Expression expression, DataType type) {
      if (type instanceof NullType) {
        return;
      }
      if (expression instanceof Parameter parameter) {
        found.putIfAbsent(parameter.index, type);
      } else if (expression instanceof Attribute column) {
        columns.putIfAbsent(column.exprId(), type);
      } else if (expression instanceof CheckedValue checked) {
        note(checked.child(), type);
      }
    }

    private void origin(ExprId column, Expression expression) {
      origins.computeIfAbsent(column, id -> new ArrayList<>()).add(expression);
    }

    /** A column that is cast may come from a parameter, as in INSERT INTO t VALUES (?). */
    private void trace(ExprId column, DataType type, List<ExprId> seen) {
      if (seen.contains(column)) {
        return;
      }
      seen.add(column);
      for (Expression origin : origins.getOrDefault(column, List.of())) {
        if (origin instanceof Parameter parameter) {
          found.putIfAbsent(parameter.index, type);
        } else if (origin instanceof Attribute attribute) {
          trace(attribute.exprId(), type, seen);
        }
      }
    }
  }
}
