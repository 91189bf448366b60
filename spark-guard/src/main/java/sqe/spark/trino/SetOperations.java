package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Except;
import org.apache.spark.sql.catalyst.plans.logical.Intersect;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.TimestampNTZType;
import scala.Enumeration;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Gives the columns of UNION, INTERSECT and EXCEPT the types that Trino's queries have in common, where Spark would choose others:
 * a bigint has 19 digits beside a decimal, an integer beside a real becomes a real, and text beside a CHAR is padded.
 *
 * <p>The translation puts each operand into a subquery named {@link #OPERAND}, and selects a column from it that does not exist.
 * So Spark does not choose types before this rule has, no query around the operation sees others, and the set operations of
 * Spark's dialect keep Spark's types. An operand that the rule does not reach is an error.
 */
final class SetOperations extends Rule<LogicalPlan> {
  /** {@code sql/trino/rules/set_operations.py} writes it. */
  static final String OPERAND = "sqe_set_operand";

  private static final Seq<Enumeration.Value> KINDS =
      Plans.seq(List.of(TreePattern.UNION(), TreePattern.INTERSECT(), TreePattern.EXCEPT()));

  private SetOperations() {}

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectResolutionRule(session -> new SetOperations());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!plan.containsAnyPattern(KINDS)) {
      return plan;
    }
    return plan.resolveOperatorsUp(
        Plans.when(node -> isSetOperation(node) && isReady(node), node -> typed(node)));
  }

  private static boolean isSetOperation(LogicalPlan node) {
    return node instanceof Union || node instanceof Intersect || node instanceof Except;
  }

  /** The query of an operand as the client wrote it; null for any other plan. */
  private static LogicalPlan written(LogicalPlan plan) {
    boolean marked = plan instanceof Project project
        && project.child() instanceof SubqueryAlias alias
        && alias.identifier().name().equals(OPERAND);
    return marked ? ((SubqueryAlias) ((Project) plan).child()).child() : null;
  }

  /** Whether the queries are resolved, and one of them is marked; those on the left are set operations themselves. */
  private static boolean isReady(LogicalPlan node) {
    boolean marked = false;
    for (LogicalPlan query : list(node.children())) {
      LogicalPlan written = written(query);
      if (!(written == null ? query : written).resolved()) {
        return false;
      }
      marked |= written != null;
    }
    return marked;
  }

  private static LogicalPlan typed(LogicalPlan node) {
    List<LogicalPlan> queries = new ArrayList<>();
    for (LogicalPlan query : list(node.children())) {
      queries.add(written(query) == null ? query : written(query));
    }
    int count = list(queries.get(0).output()).size();
    if (queries.stream().anyMatch(query -> list(query.output()).size() != count)) {
      return (LogicalPlan) node.withNewChildren(Plans.seq(queries)); // which Spark refuses
    }
    List<List<Expression>> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(column(node, queries, i));
    }
    List<LogicalPlan> made = new ArrayList<>();
    for (int q = 0; q < queries.size(); q++) {
      made.add(projected(queries.get(q), columns, q));
    }
    return (LogicalPlan) node.withNewChildren(Plans.seq(made));
  }

  /** The values of one column, of each query. */
  private static List<Expression> column(LogicalPlan node, List<LogicalPlan> queries, int place) {
    List<Expression> own = new ArrayList<>();
    for (LogicalPlan query : queries) {
      own.add(value(query, place));
    }
    DataType first = own.get(0).dataType();
    if (own.stream().anyMatch(value -> Wide.isIn(value.dataType()))) {
      return plain(own); // which UnionTypes changes
    }
    DataType common = common(node, own, place);
    String name = Typed.of(own.get(0));
    boolean sameName = own.stream().allMatch(value -> Objects.equals(Typed.of(value), name));
    if (own.stream().anyMatch(Texts::isChar) && !sameName) {
      Unified all = Unified.of(own, "The queries' columns " + (place + 1));
      return all.values().stream().map(all::named).toList();
    }
    if (own.stream().allMatch(value -> value.dataType().sameType(first))) {
      return plain(own);
    }
    List<Expression> made = new ArrayList<>();
    for (Expression value : own) {
      Expression cast = Expressions.cast(Typed.plain(value), common);
      boolean date = value.dataType() instanceof DateType && common instanceof TimestampNTZType;
      made.add(date ? Typed.as(cast, "timestamp(0)") : cast); // a date has no digits of a second
    }
    return made;
  }

  private static DataType common(LogicalPlan node, List<Expression> own, int place) {
    DataType common = DataTypes.NullType;
    for (Expression value : own) {
      common = TrinoTypes.common(common, value.dataType());
      if (common == null) {
        throw TrinoFailure.types(
            "column " + (place + 1) + " in " + node.nodeName().toUpperCase(Locale.ROOT) + " query has incompatible types: "
                + String.join(", ", own.stream().map(TrinoTypes::text).toList()));
      }
    }
    return common;
  }

  private static List<Expression> plain(List<Expression> values) {
    return values.stream().map(Typed::plain).toList();
  }

  /** A column of a query; the type of constant text has its length. */
  private static Expression value(LogicalPlan query, int place) {
    Attribute column = list(query.output()).get(place);
    if (query instanceof Project project && Typed.of(column) == null) {
      Expression made = (Expression) list(project.projectList()).get(place);
      String text = Expressions.constantText(made instanceof Alias alias ? alias.child() : made);
      return text == null ? column : Typed.as(column, "varchar(" + text.codePointCount(0, text.length()) + ")");
    }
    return column;
  }

  private static LogicalPlan projected(LogicalPlan query, List<List<Expression>> columns, int number) {
    List<Attribute> output = list(query.output());
    List<NamedExpression> made = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < output.size(); i++) {
      Expression value = columns.get(i).get(number);
      same &= value == output.get(i);
      made.add(value == output.get(i) ? output.get(i) : alias(output.get(i), value));
    }
    return same ? query : new Project(Plans.seq(made), query);
  }

  private static NamedExpression alias(Attribute column, Expression value) {
    MetadataBuilder builder = new MetadataBuilder().withMetadata(column.metadata());
    Expression plain = Typed.plain(value);
    // The type is that of the name around the value, which may have to be resolved yet.
    String type = plain == value ? Typed.of(column) : ((Alias) value).metadata().getString(Typed.KEY);
    Metadata metadata = (type == null ? builder.remove(Typed.KEY) : builder.putString(Typed.KEY, type)).build();
    return new Alias(
        plain, column.name(), NamedExpression.newExprId(), Plans.seq(List.of()), Option.apply(metadata), Plans.seq(List.of()));
  }

  private static <T> List<T> list(scala.collection.Seq<T> items) {
    return CollectionConverters.asJava(items);
  }
}
