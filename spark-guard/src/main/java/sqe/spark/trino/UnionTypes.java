package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.analysis.AnalysisContext;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.TimestampType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Gives the columns of a UNION the types of all its queries: to Spark they have the metadata of the first one.
 *
 * <p>It comes after Spark's own rules, and a query around a UNION refers to its columns when it is resolved, so that its functions
 * see the types from here.
 */
final class UnionTypes extends Rule<LogicalPlan> {
  private UnionTypes() {}

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectResolutionRule(session -> new UnionTypes());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!plan.containsPattern(TreePattern.UNION())) {
      return plan;
    }
    // A table has no place for zones, and neither has the declared type of a view's column.
    boolean zones = !(plan instanceof Command) && CollectionConverters.asJava(AnalysisContext.get().catalogAndNamespace()).isEmpty();
    return plan.resolveOperatorsUp(
        Plans.when(
            node -> node instanceof Union && node.childrenResolved(),
            node -> {
              LogicalPlan wide = widened((Union) node, zones);
              return wide.resolved() ? merged((Union) wide) : wide;
            }));
  }

  /** Gives a column one {@link Wide} type where a query has it so, or where the queries have different zones. */
  private static Union widened(Union union, boolean zones) {
    List<LogicalPlan> queries = CollectionConverters.asJava(union.children());
    int count = CollectionConverters.asJava(queries.get(0).output()).size();
    List<List<Expression>> all = new ArrayList<>();
    boolean changed = false;
    for (int i = 0; i < count; i++) {
      List<Expression> own = new ArrayList<>();
      List<Expression> values = new ArrayList<>();
      for (LogicalPlan query : queries) {
        List<Attribute> output = CollectionConverters.asJava(query.output());
        if (output.size() != count) {
          return union; // which Spark refuses
        }
        own.add(output.get(i));
        values.add(isNull(query, i) ? Expressions.nothing(DataTypes.NullType) : output.get(i));
      }
      List<Expression> made = isWide(values, own, zones) ? Wide.unified(values) : null;
      changed |= made != null;
      all.add(made == null ? own : made);
    }
    if (!changed) {
      return union;
    }
    List<LogicalPlan> made = new ArrayList<>();
    for (int q = 0; q < queries.size(); q++) {
      List<Attribute> output = CollectionConverters.asJava(queries.get(q).output());
      List<NamedExpression> columns = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Expression value = all.get(i).get(q);
        columns.add(value == output.get(i) ? output.get(i) : renamed(output.get(i), value));
      }
      made.add(new Project(Plans.seq(columns), queries.get(q)));
    }
    return (Union) union.withNewChildren(Plans.seq(made));
  }

  private static boolean isWide(List<Expression> values, List<Expression> own, boolean zones) {
    DataType first = own.get(0).dataType();
    boolean wide = values.stream().anyMatch(value -> Wide.of(value) != null);
    return wide ? own.stream().anyMatch(value -> !value.dataType().sameType(first)) : zones && Wide.isNeeded(values);
  }

  private static NamedExpression renamed(Attribute column, Expression value) {
    MetadataBuilder builder = new MetadataBuilder().withMetadata(column.metadata());
    Metadata metadata = builder.putString(Typed.KEY, Typed.of(value)).build();
    return new Alias(
        Typed.plain(value), column.name(), NamedExpression.newExprId(), Plans.seq(List.of()), Option.apply(metadata),
        Plans.seq(List.of()));
  }

  private static LogicalPlan merged(Union union) {
    List<LogicalPlan> queries = CollectionConverters.asJava(union.children());
    List<Attribute> first = CollectionConverters.asJava(queries.get(0).output());
    List<NamedExpression> columns = new ArrayList<>();
    boolean changed = false;
    for (int i = 0; i < first.size(); i++) {
      Attribute column = first.get(i);
      String type = type(queries, i);
      String own = Typed.of(column);
      boolean same = own == null ? type == null || type.equals(TrinoTypes.text(column.dataType())) : own.equals(type);
      columns.add(same ? column : named(column, type));
      changed |= !same;
    }
    if (!changed) {
      return union;
    }
    List<LogicalPlan> all = new ArrayList<>(queries);
    all.set(0, new Project(Plans.seq(columns), queries.get(0)));
    return union.withNewChildren(Plans.seq(all));
  }

  private static NamedExpression named(Attribute column, String type) {
    MetadataBuilder builder = new MetadataBuilder().withMetadata(column.metadata());
    Metadata metadata = (type == null ? builder.remove(Typed.KEY) : builder.putString(Typed.KEY, type)).build();
    return new Alias(
        column, column.name(), NamedExpression.newExprId(), Plans.seq(List.of()), Option.apply(metadata), Plans.seq(List.of()));
  }

  /** Trino's type of a column; null: Spark's says it, or no query does. */
  private static String type(List<LogicalPlan> queries, int place) {
    String type = null;
    boolean begun = false;
    for (LogicalPlan query : queries) {
      if (isNull(query, place)) {
        continue;
      }
      Attribute column = CollectionConverters.asJava(query.output()).get(place);
      String other = Typed.of(column) == null && TrinoTypes.isTimestamp(column.dataType())
          ? TrinoTypes.text(column.dataType())
          : Typed.of(column);
      type = begun ? merged(type, other, column.dataType() instanceof TimestampType) : other;
      begun = true;
    }
    return begun ? type : Typed.of(CollectionConverters.asJava(queries.get(0).output()).get(place));
  }

  /** Whether a query has nothing but NULL in a column, which takes the type of the others. */
  private static boolean isNull(LogicalPlan query, int place) {
    LogicalPlan below = query;
    int at = place;
    while (below instanceof Project project) {
      Expression value = (Expression) CollectionConverters.asJava(project.projectList()).get(at);
      while (value instanceof Alias || value instanceof Cast) {
        value = value instanceof Alias alias ? alias.child() : ((Cast) value).child();
      }
      if (value instanceof Literal literal) {
        return literal.value() == null;
      }
      at = -1;
      List<Attribute> output = CollectionConverters.asJava(project.child().output());
      for (int i = 0; value instanceof Attribute attribute && i < output.size(); i++) {
        at = output.get(i).exprId().equals(attribute.exprId()) ? i : at;
      }
      if (at < 0) {
        return false;
      }
      below = project.child();
    }
    return false;
  }

  private static String merged(String left, String right, boolean zoned) {
    if (left == null || right == null || left.equals(right)) {
      return left == null || right == null ? null : left;
    }
    if (left.startsWith("timestamp(") && right.startsWith("timestamp(")) {
      String zone = zone(left).equals(zone(right)) ? zone(left) : "@" + Typed.OWN_ZONES;
      int digits = Math.max(number(left), number(right));
      return "timestamp(" + digits + ")" + (zoned ? " with time zone" + zone : "");
    }
    for (String name : List.of("varchar(", "char(")) {
      if (left.startsWith(name) && right.startsWith(name)) {
        return name + Math.max(number(left), number(right)) + ")";
      }
    }
    return null;
  }

  private static String zone(String type) {
    int at = type.indexOf('@');
    return at < 0 ? "" : type.substring(at);
  }

  private static int number(String type) {
    return Integer.parseInt(type.substring(type.indexOf('(') + 1, type.indexOf(')')));
  }
}
