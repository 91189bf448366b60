package sqe.spark.local;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.Cross$;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationDef;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.Expand;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.plans.logical.WindowGroupLimit;
import org.apache.spark.sql.catalyst.plans.logical.WithCTE;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.types.StringType$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.guard.Barrier;

/**
 * Writes an optimized plan in DuckDB's SQL. Every node has a SELECT of its own, and every column the number that Spark gave it.
 *
 * <p>Names and texts of users occur as quoted constants only. A node or an expression that is not known here is not rendered.
 */
final class PlanRenderer {
  private static final int MOST_ROWS = 1_000;
  private static final Map<JoinType, String> JOINS =
      Map.of(
          Inner$.MODULE$, "JOIN",
          Cross$.MODULE$, "JOIN",
          LeftOuter$.MODULE$, "LEFT JOIN",
          RightOuter$.MODULE$, "RIGHT JOIN",
          FullOuter$.MODULE$, "FULL JOIN",
          LeftSemi$.MODULE$, "SEMI JOIN",
          LeftAnti$.MODULE$, "ANTI JOIN");

  private final Expressions expressions;
  private final Aggregates aggregates;
  private final Windows windows;
  private final Scans scans = new Scans();
  private final Template template = new Template();
  private final Map<Long, String> shared = new LinkedHashMap<>(); // queries that are used more than once
  private final Map<Long, List<Attribute>> sharedColumns = new HashMap<>();
  private int belowBarriers;
  private boolean barrier;
  private boolean fails;
  private boolean failsAboveBarrier;

  PlanRenderer(String zone) {
    expressions = new Expressions(this, zone);
    aggregates = new Aggregates(expressions);
    windows = new Windows(expressions, aggregates);
  }

  Scans scans() {
    return scans;
  }

  Template template() {
    return template;
  }

  /** Notes that an expression fails for some values. */
  void canFail() {
    fails = true;
    failsAboveBarrier |= belowBarriers == 0;
  }

  /** Notes that something fails for some values, and does not tell of rows that a filter hides: a function of groups, a file. */
  void canOverflow() {
    fails = true;
  }

  /** Whether some values make the whole statement fail. */
  boolean fails() {
    return fails;
  }

  /** The whole statement, whose columns are c0, c1 and so on, of exactly Spark's types. */
  String statement(LogicalPlan plan) {
    List<NamedExpression> columns = new ArrayList<>();
    LogicalPlan from = plan;
    if (plan instanceof Project project) {
      columns.addAll(CollectionConverters.asJava(project.projectList()));
      from = project.child();
    } else {
      columns.addAll(CollectionConverters.asJava(plan.output()));
    }
    List<String> selected = new ArrayList<>();
    for (NamedExpression column : columns) {
      Expression value = (Expression) column;
      selected.add(
          "CAST(" + expressions.render(value) + " AS " + Types.name(value.dataType()) + ") AS c" + selected.size());
    }
    String query = ordered(String.join(", ", selected), from);
    if (barrier && failsAboveBarrier) {
      // DuckDB may evaluate it on rows that the filter hides, and that it failed would tell of them.
      throw new NotRendered("an expression that can fail, above a row filter");
    }
    List<String> named = new ArrayList<>();
    shared.forEach((id, text) -> named.add("q" + id + " AS MATERIALIZED (" + text + ")"));
    return template.filledFirst(named.isEmpty() ? query : "WITH " + String.join(", ", named) + " " + query);
  }

  String scalar(ScalarSubquery subquery) {
    if (!CollectionConverters.asJava(subquery.outerAttrs()).isEmpty()) {
      throw new NotRendered("correlated subquery");
    }
    if (subquery.plan().maxRows().isEmpty() || (Long) subquery.plan().maxRows().get() > 1) {
      canFail(); // more than one row is an error
    }
    return "(" + render(subquery.plan()) + ")";
  }

  /** A SELECT over a plan, with the plan's order and limit in it: an order below a SELECT would not count. */
  private String ordered(String selected, LogicalPlan plan) {
    LogicalPlan from = plan;
    String limit = "";
    String offset = "";
    if (from instanceof GlobalLimit most) {
      limit = " LIMIT " + number(most.limitExpr());
      from = unlimited(most.child());
    }
    if (from instanceof Offset skipped) {
      offset = " OFFSET " + number(skipped.offsetExpr());
      from = unlimited(skipped.child());
      if (from instanceof GlobalLimit) {
        throw new NotRendered("OFFSET of a LIMIT");
      }
    }
    String order = "";
    if (from instanceof Sort sort) {
      if (!sort.global()) {
        throw new NotRendered("order within partitions");
      }
      order = " ORDER BY " + windows.order(sort.order());
      from = sort.child();
    }
    return "SELECT " + selected + " FROM (" + render(from) + ")" + order + limit + offset;
  }

  /** What a limit of each partition is over: the limit of all is above it. */
  private static LogicalPlan unlimited(LogicalPlan plan) {
    return plan instanceof LocalLimit limit ? limit.child() : plan;
  }

  private static String number(Expression expression) {
    if (expression instanceof Literal literal && literal.value() instanceof Integer number) {
      return number.toString();
    }
    throw new NotRendered("LIMIT that is not constant");
  }

  String render(LogicalPlan plan) {
    if (plan instanceof Project project) {
      return ordered(named(project.projectList()), project.child());
    }
    if (plan instanceof GlobalLimit || plan instanceof Offset || plan instanceof Sort) {
      return ordered("*", plan);
    }
    if (plan instanceof LocalLimit limit) {
      return render(limit.child());
    }
    if (plan instanceof Filter filter) {
      return "SELECT * FROM (" + render(filter.child()) + ") WHERE " + expressions.render(filter.condition());
    }
    if (plan instanceof Aggregate aggregate) {
      return aggregate(aggregate);
    }
    if (plan instanceof Join join) {
      return join(join);
    }
    if (plan instanceof Window window) {
      return window(window);
    }
    if (plan instanceof WindowGroupLimit limit) {
      return render(limit.child()); // the filter is above it
    }
    if (plan instanceof Union union) {
      return union(union);
    }
    if (plan instanceof Expand expand) {
      return expand(expand);
    }
    if (plan instanceof DataSourceV2ScanRelation relation) {
      if (CollectionConverters.asJava(relation.output()).stream().anyMatch(column -> column.dataType() == StringType$.MODULE$)) {
        canOverflow(); // DuckDB refuses text that is not UTF-8, which Spark does not look at
      }
      return template.place(relation, scans);
    }
    if (plan instanceof LocalRelation relation) {
      return rows(relation);
    }
    if (plan instanceof OneRowRelation) {
      return "SELECT 1 AS \"none\"";
    }
    if (plan instanceof Barrier over) {
      barrier = true;
      belowBarriers++;
      String below = render(over.child());
      belowBarriers--;
      return below;
    }
    if (plan instanceof WithCTE with) {
      return with(with);
    }
    if (plan instanceof CTERelationRef reference) {
      return reference(reference);
    }
    throw new NotRendered("operator " + plan.nodeName());
  }

  private String named(Seq<NamedExpression> columns) {
    Map<String, String> selected = new LinkedHashMap<>();
    for (NamedExpression column : CollectionConverters.asJava(columns)) {
      String name = Expressions.column(column.toAttribute());
      selected.put(name, expressions.render((Expression) column) + " AS " + name);
    }
    return selected.isEmpty() ? "1 AS \"none\"" : String.join(", ", selected.values());
  }

  // -- aggregates

  private String aggregate(Aggregate aggregate) {
    List<Expression> keys = CollectionConverters.asJava(aggregate.groupingExpressions());
    List<String> names = new ArrayList<>();
    List<String> computed = new ArrayList<>();
    for (Expression key : keys) {
      Types.name(key.dataType());
      if (key instanceof Attribute column && !Types.isFloating(column.dataType())) {
        names.add(Expressions.column(column));
      } else {
        String name = "\"g" + names.size() + "\"";
        computed.add(Expressions.normalized(expressions.render(key), key.dataType()) + " AS " + name);
        names.add(name);
      }
    }
    List<String> selected = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (NamedExpression result : CollectionConverters.asJava(aggregate.aggregateExpressions())) {
      String name = Expressions.column(result.toAttribute());
      if (taken.add(name)) {
        selected.add(result((Expression) result, keys, names) + " AS " + name);
      }
    }
    String from = render(aggregate.child());
    if (!computed.isEmpty()) {
      from = "SELECT *, " + String.join(", ", computed) + " FROM (" + from + ")";
    }
    return "SELECT "
        + (selected.isEmpty() ? "1 AS \"none\"" : String.join(", ", selected))
        + " FROM ("
        + from
        + ")"
        + (names.isEmpty() ? "" : " GROUP BY " + String.join(", ", names));
  }

  /** A result of groups: functions, keys, and what is computed of them. */
  private String result(Expression expression, List<Expression> keys, List<String> names) {
    return expressions.within(
        part -> {
          for (int each = 0; each < keys.size(); each++) {
            if (part.semanticEquals(keys.get(each))) {
              return names.get(each);
            }
          }
          String decimals = expressions.plain(() -> aggregates.ofDecimals(part, windows));
          if (decimals != null) {
            return decimals;
          }
          return part instanceof AggregateExpression function
              ? expressions.plain(() -> aggregates.render(function, ""))
              : null;
        },
        () -> expressions.render(expression));
  }

  private String window(Window window) {
    List<String> selected = new ArrayList<>();
    for (NamedExpression column : CollectionConverters.asJava(window.windowExpressions())) {
      String value =
          expressions.within(
              part -> {
                String decimals = expressions.plain(() -> aggregates.ofDecimals(part, windows));
                if (decimals != null) {
                  return decimals;
                }
                return part instanceof WindowExpression function
                    ? expressions.plain(() -> windows.render(function))
                    : null;
              },
              () -> expressions.render((Expression) column));
      selected.add(value + " AS " + Expressions.column(column.toAttribute()));
    }
    List<String> functions = new ArrayList<>();
    aggregates.takeNamed().forEach((call, name) -> functions.add(call + " AS " + name));
    String from = render(window.child());
    if (functions.isEmpty()) {
      return "SELECT *, " + String.join(", ", selected) + " FROM (" + from + ")";
    }
    Set<String> columns = new LinkedHashSet<>();
    for (Attribute column : CollectionConverters.asJava(window.child().output())) {
      columns.add(Expressions.column(column));
    }
    columns.addAll(selected);
    return "SELECT " + String.join(", ", columns) + " FROM (SELECT *, " + String.join(", ", functions) + " FROM (" + from + "))";
  }

  // -- joins

  private String join(Join join) {
    if (join.left().outputSet().intersect(join.right().outputSet()).nonEmpty()) {
      throw new NotRendered("join of a table with itself under one name");
    }
    String left = "(" + render(join.left()) + ") AS l";
    String right = "(" + render(join.right()) + ") AS r";
    if (join.joinType() instanceof ExistenceJoin existence) {
      String condition = join.condition().isDefined() ? expressions.render(join.condition().get()) : "true";
      return "SELECT *, EXISTS (SELECT 1 FROM " + right + " WHERE " + condition + ") AS "
          + Expressions.column(existence.exists()) + " FROM " + left;
    }
    String kind = JOINS.get(join.joinType());
    if (kind == null) {
      throw new NotRendered("join " + join.joinType().sql());
    }
    if (join.condition().isEmpty()) {
      boolean all = join.joinType() == Inner$.MODULE$ || join.joinType() == Cross$.MODULE$;
      return "SELECT * FROM " + left + (all ? " CROSS JOIN " + right : " " + kind + " " + right + " ON true");
    }
    Expression condition = join.condition().get();
    EqualTo notIn = notIn(join, condition);
    if (notIn != null) {
      if (Types.isFloating(notIn.left().dataType())) {
        throw new NotRendered("NOT IN of floating-point numbers, where Spark tells -0.0 from 0.0");
      }
      return "SELECT * FROM " + left + " WHERE " + expressions.render(notIn.left()) + " NOT IN (SELECT "
          + expressions.render(notIn.right()) + " FROM " + right + ")";
    }
    return "SELECT * FROM " + left + " " + kind + " " + right + " ON " + expressions.render(condition);
  }

  /** Spark's form of NOT IN: there is no row that is equal, and none of which that is unknown. Null if it is not one. */
  private static EqualTo notIn(Join join, Expression condition) {
    if (join.joinType() == LeftAnti$.MODULE$
        && condition instanceof Or or
        && or.left() instanceof EqualTo equal
        && or.right() instanceof IsNull unknown
        && unknown.child().semanticEquals(equal)
        && equal.left().references().subsetOf(join.left().outputSet())
        && equal.right().references().subsetOf(join.right().outputSet())) {
      return equal;
    }
    return null;
  }

  // -- others

  private String union(Union union) {
    if (union.byName()) {
      throw new NotRendered("union by name");
    }
    List<String> names = distinct(CollectionConverters.asJava(union.output()));
    List<String> parts = new ArrayList<>();
    for (LogicalPlan child : CollectionConverters.asJava(union.children())) {
      List<Attribute> columns = CollectionConverters.asJava(child.output());
      List<String> selected = new ArrayList<>();
      for (int each = 0; each < names.size(); each++) {
        // Of one type: DuckDB would look for a common one.
        selected.add(
            "CAST(" + Expressions.column(columns.get(each)) + " AS " + Types.name(columns.get(each).dataType()) + ") AS "
                + names.get(each));
      }
      parts.add("SELECT " + (selected.isEmpty() ? "1 AS \"none\"" : String.join(", ", selected)) + " FROM (" + render(child) + ")");
    }
    return String.join(" UNION ALL ", parts);
  }

  private static List<String> distinct(List<Attribute> columns) {
    List<String> names = columns.stream().map(Expressions::column).toList();
    if (new HashSet<>(names).size() != names.size()) {
      throw new NotRendered("one column twice");
    }
    return names;
  }

  private String expand(Expand expand) {
    List<String> names = distinct(CollectionConverters.asJava(expand.output()));
    List<Seq<Expression>> projections = CollectionConverters.asJava(expand.projections());
    List<List<String>> rendered = new ArrayList<>();
    for (Seq<Expression> projection : projections) {
      rendered.add(expressions.renderAll(projection));
    }
    List<String> selected = new ArrayList<>();
    for (int column = 0; column < names.size(); column++) {
      StringBuilder value = new StringBuilder("CASE \"copy\"");
      Attribute made = CollectionConverters.asJava(expand.output()).get(column);
      for (int copy = 0; copy < rendered.size(); copy++) {
        value.append(" WHEN ").append(copy).append(" THEN ").append(rendered.get(copy).get(column));
      }
      selected.add("CAST(" + value + " END AS " + Types.name(made.dataType()) + ") AS " + names.get(column));
    }
    return "SELECT " + String.join(", ", selected) + " FROM (" + render(expand.child()) + "), range("
        + rendered.size() + ") AS copies(\"copy\")";
  }

  private static String rows(LocalRelation relation) {
    List<Attribute> columns = CollectionConverters.asJava(relation.output());
    List<InternalRow> rows = CollectionConverters.asJava(relation.data());
    if (rows.size() > MOST_ROWS || relation.isStreaming() || columns.isEmpty()) {
      throw new NotRendered("many constant rows");
    }
    List<String> names = distinct(columns);
    List<String> values = new ArrayList<>();
    for (InternalRow row : rows) {
      List<String> fields = new ArrayList<>();
      for (int each = 0; each < columns.size(); each++) {
        fields.add(Literals.of(row.get(each, columns.get(each).dataType()), columns.get(each).dataType()));
      }
      values.add("(" + String.join(", ", fields) + ")");
    }
    if (values.isEmpty()) {
      List<String> fields = new ArrayList<>();
      for (Attribute column : columns) {
        fields.add(Literals.of(null, column.dataType()) + " AS " + Expressions.column(column));
      }
      return "SELECT " + String.join(", ", fields) + " WHERE false";
    }
    return "SELECT * FROM (VALUES " + String.join(", ", values) + ") AS rows(" + String.join(", ", names) + ")";
  }

  private String with(WithCTE with) {
    for (CTERelationDef query : CollectionConverters.asJava(with.cteDefs())) {
      sharedColumns.put(query.id(), CollectionConverters.asJava(query.child().output()));
      distinct(sharedColumns.get(query.id()));
      String text = render(query.child());
      shared.put(query.id(), text);
    }
    return render(with.plan());
  }

  private String reference(CTERelationRef reference) {
    List<Attribute> columns = sharedColumns.get(reference.cteId());
    if (columns == null || reference.recursive()) {
      throw new NotRendered("recursive query");
    }
    List<Attribute> names = CollectionConverters.asJava(reference.output());
    List<String> selected = new ArrayList<>();
    for (int each = 0; each < names.size(); each++) {
      selected.add(Expressions.column(columns.get(each)) + " AS " + Expressions.column(names.get(each)));
    }
    return "SELECT " + String.join(", ", selected) + " FROM q" + reference.cteId();
  }
}
