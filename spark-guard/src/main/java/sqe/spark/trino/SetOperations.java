package sqe.spark.trino;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.Distinct;
import org.apache.spark.sql.catalyst.plans.logical.Except;
import org.apache.spark.sql.catalyst.plans.logical.Intersect;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import scala.Option;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;
import sqe.spark.Plans;

/**
 * Gives the columns of UNION, INTERSECT and EXCEPT the types that Trino's queries have in common, where Spark would choose others:
 * a bigint has 19 digits beside a decimal, an integer beside a real becomes a real, and text beside a CHAR is padded.
 *
 * <p>The translation puts each operand into a subquery named {@link #OPERAND}, so that the set operations of Spark's dialect keep
 * Spark's types, and so that the casts that Spark has put above an operand can be told from those in it. The rule removes both.
 */
final class SetOperations extends Rule<LogicalPlan> {
  /** {@code sql/trino/rules/set_operations.py} writes it. */
  static final String OPERAND = "sqe_set_operand";

  private SetOperations() {}

  static void inject(SparkSessionExtensions extensions) {
    extensions.injectResolutionRule(session -> new SetOperations());
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    boolean[] renamed = {false};
    LogicalPlan made = plan.resolveOperatorsUpWithNewOutput(
        new AbstractPartialFunction<>() {
          @Override
          public boolean isDefinedAt(LogicalPlan node) {
            return isSetOperation(node) && node.childrenResolved() && isOurs(node);
          }

          @Override
          public Tuple2<LogicalPlan, scala.collection.immutable.Seq<Tuple2<Attribute, Attribute>>> apply(LogicalPlan node) {
            var result = typed(node);
            for (var changed : list(result._2())) {
              renamed[0] |= !Objects.equals(Typed.of(changed._1()), Typed.of(changed._2()));
            }
            return result;
          }
        });
    return renamed[0] ? refreshed(made) : made;
  }

  /** The plan with Trino's types of the columns where queries around a set operation have been resolved already. */
  private static LogicalPlan refreshed(LogicalPlan plan) {
    return plan.resolveOperatorsUp(
        Plans.when(
            node -> node.childrenResolved() && !list(node.children()).isEmpty(),
            node -> {
              Map<ExprId, Attribute> columns = new HashMap<>();
              list(node.children()).forEach(child -> list(child.output()).forEach(each -> columns.put(each.exprId(), each)));
              return (LogicalPlan) node.mapExpressions(expression -> refreshed(expression, columns, true));
            }));
  }

  private static Expression refreshed(Expression expression, Map<ExprId, Attribute> columns, boolean alone) {
    if (expression instanceof AttributeReference column) {
      Attribute now = columns.get(column.exprId());
      if (now == null || Objects.equals(Typed.of(column), Typed.of(now))) {
        return column;
      }
      if (!alone) { // a function that has seen the other type
        throw TrinoFailure.unsupported(
            "The common type of " + column.name() + " in this set operation is not supported. Cast it in each query.");
      }
      return column.withMetadata(now.metadata());
    }
    boolean same = true;
    boolean below = alone && (expression instanceof Alias || expression instanceof SortOrder);
    List<Expression> children = new ArrayList<>();
    for (Expression child : list(expression.children())) {
      Expression made = refreshed(child, columns, below);
      same &= made == child;
      children.add(made);
    }
    return same ? expression : (Expression) expression.withNewChildren(Plans.seq(children));
  }

  private static boolean isSetOperation(LogicalPlan node) {
    return node instanceof Union || node instanceof Intersect || node instanceof Except;
  }

  private static boolean isMarked(LogicalPlan plan) {
    return plan instanceof Project project
        && project.child() instanceof SubqueryAlias alias
        && alias.identifier().name().equals(OPERAND);
  }

  private static boolean isOperand(LogicalPlan plan) {
    LogicalPlan below = plan instanceof Distinct distinct ? distinct.child() : plan;
    return isMarked(plan) || isSetOperation(below);
  }

  /** Whether all of its queries are operands, with or without casts of Spark's above them, and one of them is marked. */
  private static boolean isOurs(LogicalPlan node) {
    boolean marked = false;
    int columns = -1;
    for (LogicalPlan query : list(node.children())) {
      LogicalPlan operand = operand(query);
      if (operand == null || (columns >= 0 && columns != list(operand.output()).size())) {
        return false;
      }
      columns = list(operand.output()).size();
      marked |= isMarked(operand);
    }
    return marked;
  }

  /** The operand below the casts that Spark has added; null when there is none. */
  private static LogicalPlan operand(LogicalPlan query) {
    if (isOperand(query)) {
      return query;
    }
    return query instanceof Project project && isOperand(project.child()) ? project.child() : null;
  }

  /** The query that the client wrote. */
  private static LogicalPlan written(LogicalPlan operand) {
    return isMarked(operand) ? ((SubqueryAlias) ((Project) operand).child()).child() : operand;
  }

  private static Tuple2<LogicalPlan, scala.collection.immutable.Seq<Tuple2<Attribute, Attribute>>> typed(LogicalPlan node) {
    List<LogicalPlan> queries = list(node.children());
    List<LogicalPlan> operands = queries.stream().map(query -> written(operand(query))).toList();
    int count = list(operands.get(0).output()).size();
    List<List<Expression>> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(column(node, queries, operands, i));
    }
    List<LogicalPlan> made = new ArrayList<>();
    for (int q = 0; q < operands.size(); q++) {
      made.add(projected(operands.get(q), columns, q));
    }
    List<Tuple2<Attribute, Attribute>> changed = new ArrayList<>();
    List<Attribute> before = list(queries.get(0).output());
    List<Attribute> after = list(made.get(0).output());
    for (int i = 0; i < count; i++) {
      if (!before.get(i).exprId().equals(after.get(i).exprId())) {
        changed.add(new Tuple2<>(before.get(i), after.get(i)));
      }
    }
    return new Tuple2<>((LogicalPlan) node.withNewChildren(Plans.seq(made)), Plans.seq(changed));
  }

  /** The values of one column, of each query. */
  private static List<Expression> column(LogicalPlan node, List<LogicalPlan> queries, List<LogicalPlan> operands, int place) {
    List<Expression> own = new ArrayList<>();
    DataType common = DataTypes.NullType;
    boolean same = true;
    boolean padded = false;
    for (LogicalPlan operand : operands) {
      Expression value = value(operand, place);
      own.add(value);
      if (Wide.isIn(value.dataType())) {
        return attributes(operands, place); // which UnionTypes changes
      }
      same &= own.get(0).dataType().sameType(value.dataType());
      padded |= Texts.isChar(value);
    }
    for (Expression value : own) {
      DataType next = TrinoTypes.common(common, value.dataType());
      if (next == null) {
        throw TrinoFailure.types(
            "column " + (place + 1) + " in " + node.nodeName().toUpperCase(Locale.ROOT) + " query has incompatible types: "
                + String.join(", ", own.stream().map(TrinoTypes::text).toList()));
      }
      common = next;
    }
    if (padded && own.stream().anyMatch(value -> !Objects.equals(Typed.of(value), Typed.of(own.get(0))))) {
      String type = Unified.of(own, "The queries' columns " + (place + 1)).typed();
      return own.stream().map(value -> padded(value, type)).toList();
    }
    if (same) {
      return attributes(operands, place);
    }
    if (TrinoTypes.isTimestamp(common) || common instanceof TimeType) {
      return kept(queries, operands, place, common);
    }
    List<Expression> made = new ArrayList<>();
    for (LogicalPlan operand : operands) {
      made.add(Expressions.cast(list(operand.output()).get(place), common));
    }
    return made;
  }

  /** A column of a query; the type of constant text has its length. */
  private static Expression value(LogicalPlan operand, int place) {
    Attribute column = list(operand.output()).get(place);
    if (operand instanceof Project project && Typed.of(column) == null) {
      Expression made = (Expression) list(project.projectList()).get(place);
      String text = Expressions.constantText(made instanceof Alias alias ? alias.child() : made);
      return text == null ? column : Typed.as(column, "varchar(" + text.codePointCount(0, text.length()) + ")");
    }
    return column;
  }

  /** Text as a CHAR that is long enough for it; no call that has to be resolved, as queries around it may be resolved already. */
  private static Expression padded(Expression value, String type) {
    Expression text = Expressions.cast(Typed.plain(value), DataTypes.StringType);
    Expression length = Expressions.literal(TrinoType.of(type).numbers().get(0).longValue());
    Expression made = Expressions.invoke(
        StringFunctions.class, "pad", DataTypes.StringType, text, length, Expressions.literal(" "), Expressions.literal(false));
    return Typed.as(made, type);
  }

  private static List<Expression> attributes(List<LogicalPlan> operands, int place) {
    List<Expression> found = new ArrayList<>();
    operands.forEach(operand -> found.add(list(operand.output()).get(place)));
    return found;
  }

  /** What Spark has made of a column of times; a date has no digits of a second. */
  private static List<Expression> kept(List<LogicalPlan> queries, List<LogicalPlan> operands, int place, DataType common) {
    List<Expression> found = new ArrayList<>();
    for (int q = 0; q < queries.size(); q++) {
      Expression own = list(operands.get(q).output()).get(place);
      Expression made = isOperand(queries.get(q)) ? own : (Expression) list(((Project) queries.get(q)).projectList()).get(place);
      boolean date = own.dataType() instanceof DateType && common instanceof TimestampNTZType && made instanceof Alias;
      found.add(date ? Typed.as(((Alias) made).child(), "timestamp(0)") : made);
    }
    return found;
  }

  private static LogicalPlan projected(LogicalPlan operand, List<List<Expression>> columns, int query) {
    List<Attribute> output = list(operand.output());
    List<NamedExpression> made = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < output.size(); i++) {
      Expression value = columns.get(i).get(query);
      same &= value == output.get(i);
      boolean named = value == output.get(i) || (value instanceof Alias alias && alias.name().equals(output.get(i).name()));
      made.add(named ? (NamedExpression) value : alias(output.get(i), value));
    }
    return same ? operand : new Project(Plans.seq(made), operand);
  }

  private static NamedExpression alias(Attribute column, Expression value) {
    MetadataBuilder builder = new MetadataBuilder().withMetadata(column.metadata());
    String type = Typed.of(value);
    Metadata metadata = (type == null ? builder.remove(Typed.KEY) : builder.putString(Typed.KEY, type)).build();
    return new Alias(
        Typed.plain(value), column.name(), NamedExpression.newExprId(), Plans.seq(List.of()), Option.apply(metadata),
        Plans.seq(List.of()));
  }

  private static <T> List<T> list(scala.collection.Seq<T> items) {
    return CollectionConverters.asJava(items);
  }
}
