package sqe.spark.bounds;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.BaseGroupingSets;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Cube;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LateralColumnAliasReference;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.TimeWindow;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.ColumnDefinition;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** Refuses statements of a few words that Spark's analyzer or optimizer would make enormous plans of. */
public final class PlanBounds {
  /** Each is a copy of the rows, and code that each task compiles. */
  static final int MAX_GROUPING_SETS = 256;

  /** How many windows of window() a row may be in; Spark makes that many copies of the plan's expressions. */
  static final int MAX_WINDOWS = 1_000;

  /** Spark resolves one more in each pass, and gives up after 100 passes. */
  static final int MAX_ALIASES = 40;

  static final int MAX_TYPE_DEPTH = 100;
  static final int MAX_NODES = 10_000;
  static final int MAX_FIELDS = 10_000;

  /** The optimizer takes longer for each than for the one before. */
  static final int MAX_JOINS = 300;

  private PlanBounds() {}

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectResolutionRule(session -> new Growing());
    extensions.injectResolutionRule(session -> new LongLists());
    extensions.injectPostHocResolutionRule(session -> new Expanded());
    extensions.injectOptimizerRule(session -> new Canceled());
    extensions.injectPreCBORule(session -> new Canceled());
    Interpreted.inject(extensions);
  }

  /** Looks at a plan while it is resolved; a view is resolved as a plan of its own before it is put in its place. */
  private static final class Growing extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      stopIfCanceled();
      int[] nodes = {0};
      int[] joins = {0};
      Map<DataType, Double> sizes = new IdentityHashMap<>();
      plan.foreachWithSubqueries(
          node -> {
            if (++nodes[0] > MAX_NODES) {
              throw tooComplex("The statement, with the views that it names, has more than", MAX_NODES, "steps.");
            }
            if (node instanceof Join && ++joins[0] > MAX_JOINS) {
              throw tooManyJoins();
            }
            checkAliases(node);
            checkTypes(node, sizes);
            return BoxedUnit.UNIT;
          });
      return plan;
    }
  }

  /** Before Spark checks the plan: for that it writes the queries of a WITH wherever they are named. */
  private static final class Expanded extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      stopIfCanceled();
      ExpandedSize.check(plan);
      return plan;
    }
  }

  /** Spark's optimizer does not look whether its statement was canceled. */
  static final class Canceled extends Rule<LogicalPlan> {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      stopIfCanceled();
      return plan;
    }
  }

  private static void stopIfCanceled() {
    Interrupts.checkPlanning();
  }

  private static BoundRefusal tooComplex(String what, long limit, String unit) {
    return BoundRefusal.tooComplex(String.format(Locale.ROOT, "%s %,d %s", what, limit, unit));
  }

  static BoundRefusal tooManyJoins() {
    return tooComplex("The statement, with the views and the queries of WITH that it names, has more than", MAX_JOINS, "joins.");
  }

  /** Names in a select list that stand for earlier ones, each for the one before. */
  private static void checkAliases(LogicalPlan node) {
    List<NamedExpression> items =
        node instanceof Project project
            ? CollectionConverters.asJava(project.projectList())
            : node instanceof Aggregate aggregate ? CollectionConverters.asJava(aggregate.aggregateExpressions()) : List.of();
    Map<String, Integer> depths = new HashMap<>();
    for (NamedExpression item : items) {
      int[] depth = {0};
      ((Expression) item)
          .foreach(
              part -> {
                if (part instanceof LateralColumnAliasReference reference) {
                  String name = CollectionConverters.asJava(reference.nameParts()).get(0).toLowerCase(Locale.ROOT);
                  depth[0] = Math.max(depth[0], depths.getOrDefault(name, 0) + 1);
                }
                return BoxedUnit.UNIT;
              });
      if (depth[0] > MAX_ALIASES) {
        throw tooComplex("Names in a select list stand for earlier ones in a chain of more than", MAX_ALIASES, "names.");
      }
      if (depth[0] > 0) {
        depths.put(item.name().toLowerCase(Locale.ROOT), depth[0]);
      }
    }
  }

  /** struct(a, a) AS a, level above level: each type holds the one below twice. */
  private static void checkTypes(LogicalPlan node, Map<DataType, Double> sizes) {
    for (Expression expression : CollectionConverters.asJava(node.expressions())) {
      if (expression instanceof Alias alias && alias.resolved() && fields(alias.dataType(), sizes) > MAX_FIELDS) {
        throw tooComplex("A column has a data type of more than", MAX_FIELDS, "fields.");
      }
    }
  }

  /** Types are shared, so that this takes less time than there are fields. */
  private static double fields(DataType type, Map<DataType, Double> sizes) {
    Double known = sizes.get(type);
    if (known == null) {
      known = 1.0;
      if (type instanceof ArrayType array) {
        known += fields(array.elementType(), sizes);
      } else if (type instanceof MapType map) {
        known += fields(map.keyType(), sizes) + fields(map.valueType(), sizes);
      } else if (type instanceof StructType struct) {
        for (StructField field : struct.fields()) {
          known += fields(field.dataType(), sizes);
        }
      }
      sizes.put(type, known);
    }
    return known;
  }

  /** Looks at one node before anything is resolved, and again before the plan is optimized. */
  static void check(LogicalPlan node) {
    if (node instanceof Aggregate aggregate) {
      double sets = 1;
      for (Expression each : CollectionConverters.asJava(aggregate.groupingExpressions())) {
        sets *= each instanceof BaseGroupingSets grouping ? sets(grouping) : 1;
      }
      checkGroupingSets(sets);
    }
  }

  private static double sets(BaseGroupingSets grouping) {
    int written = CollectionConverters.asJava(grouping.groupingSets()).size();
    return grouping instanceof Cube ? Math.pow(2, written) : written + 1;
  }

  static void checkGroupingSets(double sets) {
    if (sets > MAX_GROUPING_SETS) {
      throw tooComplex("GROUP BY makes more than", MAX_GROUPING_SETS, "grouping sets.");
    }
  }

  static void check(Expression expression) {
    if (expression instanceof TimeWindow window
        && window.slideDuration() > 0
        && window.windowDuration() / window.slideDuration() > MAX_WINDOWS) {
      throw tooComplex("With this duration and this slide a row is in more than", MAX_WINDOWS, "windows.");
    } else if (expression instanceof Cast cast) {
      checkType(cast.dataType());
    } else if (expression instanceof ColumnDefinition column) {
      checkType(column.dataType());
    } else if (expression instanceof org.apache.spark.sql.catalyst.expressions.JsonToStructs json) {
      checkType(json.schema());
    }
  }

  public static DataType checkType(DataType type) {
    if (depth(type, 0) > MAX_TYPE_DEPTH) {
      throw tooComplex("A data type is nested more than", MAX_TYPE_DEPTH, "times.");
    }
    return type;
  }

  private static int depth(DataType type, int above) {
    int here = above + 1;
    if (here > MAX_TYPE_DEPTH) {
      return here;
    } else if (type instanceof ArrayType array) {
      return depth(array.elementType(), here);
    } else if (type instanceof MapType map) {
      return Math.max(depth(map.keyType(), here), depth(map.valueType(), here));
    } else if (type instanceof StructType struct) {
      int deepest = here;
      for (StructField field : struct.fields()) {
        deepest = Math.max(deepest, depth(field.dataType(), here));
      }
      return deepest;
    }
    return here;
  }
}
