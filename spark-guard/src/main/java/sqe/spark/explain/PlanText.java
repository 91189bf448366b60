package sqe.spark.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.V2CommandExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;
import sqe.spark.trino.TrinoNames;

/** Writes plans as JSON. */
final class PlanText {
  private static final Pattern IDS = Pattern.compile("#\\d+L?");
  private static final Pattern OBJECTS = Pattern.compile("[\\w.$]+@[0-9a-f]+|[\\w.$]+\\$\\$Lambda[^,\\]]*");
  private static final int FIELDS = 25;
  private static final int LONGEST = 2_000;

  private PlanText() {}

  static LogicalPlan row(String text) {
    return Plans.rows(
        new StructType().add("plan", DataTypes.StringType),
        new GenericInternalRow(new Object[] {UTF8String.fromString(text)}));
  }

  /** An operator that has run, with what was counted in it, and those that it took its rows from. */
  static ObjectNode executed(SparkPlan plan) {
    SparkPlan operator = plan;
    ObjectNode metrics = JsonNodeFactory.instance.objectNode();
    List<SparkPlan> subqueries = new ArrayList<>();
    while (true) {
      SparkPlan inner = inside(operator);
      if (inner == null) {
        break;
      }
      count(operator, metrics); // the time of generated code
      subqueries.addAll(CollectionConverters.asJava(operator.subqueries()));
      operator = inner;
    }
    count(operator, metrics);
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("name", operator.nodeName());
    node.put("detail", detail(operator));
    node.set("metrics", metrics);
    ArrayNode children = node.putArray("children");
    for (SparkPlan child : CollectionConverters.asJava(operator.children())) {
      children.add(executed(child));
    }
    subqueries.addAll(CollectionConverters.asJava(operator.subqueries()));
    ArrayNode others = node.putArray("subqueries");
    for (SparkPlan subquery : subqueries) {
      others.add(executed(subquery));
    }
    return node;
  }

  /** The operator that another one only runs; null if it does something itself. */
  private static SparkPlan inside(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return adaptive.executedPlan();
    } else if (plan instanceof QueryStageExec stage) {
      return stage.plan();
    } else if (plan instanceof WholeStageCodegenExec generated) {
      return generated.child();
    }
    return plan instanceof InputAdapter adapter ? adapter.child() : null;
  }

  private static void count(SparkPlan operator, ObjectNode metrics) {
    Map<String, SQLMetric> sorted = new TreeMap<>(CollectionConverters.asJava(operator.metrics()));
    sorted.forEach(
        (name, metric) -> {
          ObjectNode counted = metrics.putObject(name);
          counted.put("label", metric.name().isDefined() ? metric.name().get() : name);
          counted.put("type", metric.metricType());
          counted.put("value", metric.value());
        });
  }

  /** A node of a plan that has not run, in the form of Trino's JSON. */
  static ObjectNode planned(QueryPlan<?> plan, int[] next) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("id", Integer.toString(next[0]++));
    node.put("name", plan.nodeName());
    node.putObject("descriptor");
    ArrayNode outputs = node.putArray("outputs");
    for (Attribute column : CollectionConverters.asJava(plan.output())) {
      ObjectNode output = outputs.addObject();
      output.put("type", TrinoNames.of(column));
      output.put("name", column.name());
    }
    String detail = detail(plan);
    ArrayNode details = node.putArray("details");
    if (!detail.equals(plan.nodeName())) {
      details.add(detail);
    }
    ArrayNode estimates = node.putArray("estimates");
    if (plan instanceof LogicalPlan logical && logical.resolved()) {
      estimates.add(StatementPlan.estimate(logical.stats(), "memoryCost"));
    }
    ArrayNode children = node.putArray("children");
    for (Object child : CollectionConverters.asJava(plan.children())) {
      children.add(planned((QueryPlan<?>) child, next));
    }
    for (Object subquery : CollectionConverters.asJava(plan.subqueries())) {
      children.add(planned((QueryPlan<?>) subquery, next));
    }
    return node;
  }

  /** What an operator does. Commands write classes of Java in it. */
  private static String detail(QueryPlan<?> plan) {
    if (plan instanceof V2CommandExec) {
      return plan.nodeName();
    }
    String text = OBJECTS.matcher(IDS.matcher(plan.simpleString(FIELDS)).replaceAll("")).replaceAll("..").strip();
    return text.length() > LONGEST ? text.substring(0, LONGEST) + ".." : text;
  }
}
