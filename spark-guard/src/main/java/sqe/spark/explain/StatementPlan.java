package sqe.spark.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import org.apache.spark.sql.catalyst.analysis.ResolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedExecuteImmediate;
import org.apache.spark.sql.catalyst.plans.logical.Call;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.CreateTableAsSelect;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ReplaceTableAsSelect;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.catalyst.plans.logical.V2WriteCommand;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.execution.CommandExecutionMode;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import sqe.spark.kinds.Refusal;
import sqe.spark.parameters.StatementFailure;

/** Answers with the plan of a statement that is not run: its operators, or the tables that it reads and writes. */
public final class StatementPlan {
  private static final ObjectMapper JSON = new ObjectMapper();

  private StatementPlan() {}

  /** What {@code {"kind": "io" | "logical" | "distributed", "sql": ..}} asks for, as one row of JSON in Trino's form. */
  public static LogicalPlan asked(SparkSession session, String argument) {
    Origin call = CurrentOrigin.get();
    CurrentOrigin.reset(); // an error's position is one in the statement
    try {
      JsonNode asked = JSON.readTree(argument);
      QueryExecution query = planned(session, asked.path("sql").asText());
      JsonNode answer =
          switch (asked.path("kind").asText()) {
            case "io" -> tables(query);
            case "logical" -> PlanText.planned(query.optimizedPlan(), new int[1]);
            default -> JSON.createObjectNode().set("0", PlanText.planned(query.sparkPlan(), new int[1]));
          };
      return PlanText.row(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(answer));
    } catch (Exception failure) {
      throw new StatementFailure(failure);
    } finally {
      CurrentOrigin.set(call);
    }
  }

  private static QueryExecution planned(SparkSession session, String sql) throws Exception {
    LogicalPlan parsed = session.sessionState().sqlParser().parsePlan(sql);
    if (parsed instanceof UnresolvedExecuteImmediate || parsed instanceof Call) {
      throw new Unplanned(); // the analyzer would run it
    }
    // As an EXPLAIN, so that the guard's rules for those hold.
    LogicalPlan explain = new ExplainCommand(parsed, ExplainMode.fromString("simple"));
    session.sessionState().analyzer().executeAndCheck(explain, new QueryPlanningTracker(Option.empty()));
    QueryExecution query = session.sessionState().executePlan(parsed, CommandExecutionMode.SKIP());
    query.assertAnalyzed();
    return query;
  }

  private static final class Unplanned extends Refusal {
    Unplanned() {
      super("SQE_NOT_SUPPORTED", "0A000", "EXPLAIN of this statement is not supported.");
    }
  }

  private static ObjectNode tables(QueryExecution query) {
    ObjectNode answer = JSON.createObjectNode();
    Set<JsonNode> inputs = new LinkedHashSet<>();
    // The optimizer answers count(*) from metadata, and leaves no trace of the table.
    inputs(query.analyzed(), inputs);
    ArrayNode listed = answer.putArray("inputTableColumnInfos");
    inputs.forEach(listed::add);
    ObjectNode output = output(query.analyzed());
    if (output != null) {
      answer.set("outputTable", output);
    }
    answer.set("estimate", output == null ? estimate(query.optimizedPlan().stats(), "maxMemory") : unknown());
    return answer;
  }

  private static void inputs(LogicalPlan plan, Set<JsonNode> found) {
    plan.foreachWithSubqueries(
        node -> {
          if (node instanceof DataSourceV2Relation relation
              && relation.catalog().isDefined()
              && relation.identifier().isDefined()) {
            found.add(input(relation, node.stats()));
          } else if (node instanceof Command) {
            // The query of a command that is only analysed is not among its children.
            for (Object inner : CollectionConverters.asJava(((TreeNode<?>) node).innerChildren())) {
              if (inner instanceof LogicalPlan query) {
                inputs(query, found);
              }
            }
          }
          return BoxedUnit.UNIT;
        });
  }

  private static ObjectNode input(DataSourceV2Relation relation, Statistics statistics) {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    input.set("table", table(relation.catalog().get(), relation.identifier().get()));
    ObjectNode constraint = input.putObject("constraint"); // what is pushed down is not told
    constraint.put("none", false);
    constraint.putArray("columnConstraints");
    input.set("estimate", estimate(statistics, "maxMemory"));
    return input;
  }

  private static ObjectNode output(LogicalPlan plan) {
    if (plan instanceof V2WriteCommand write
        && write.table() instanceof DataSourceV2Relation relation
        && relation.catalog().isDefined()
        && relation.identifier().isDefined()) {
      return table(relation.catalog().get(), relation.identifier().get());
    }
    LogicalPlan name =
        plan instanceof CreateTableAsSelect create
            ? create.name()
            : plan instanceof ReplaceTableAsSelect replace ? replace.name() : null;
    return name instanceof ResolvedIdentifier created ? table(created.catalog(), created.identifier()) : null;
  }

  private static ObjectNode table(CatalogPlugin catalog, Identifier name) {
    ObjectNode table = JsonNodeFactory.instance.objectNode();
    table.put("catalog", catalog.name());
    ObjectNode inside = table.putObject("schemaTable");
    inside.put("schema", String.join(".", Arrays.asList(name.namespace())));
    inside.put("table", name.name());
    return table;
  }

  /** Spark's estimates; it has none of costs. */
  static ObjectNode estimate(Statistics statistics, String memory) {
    ObjectNode estimate = JsonNodeFactory.instance.objectNode();
    if (statistics.rowCount().isDefined()) {
      estimate.put("outputRowCount", statistics.rowCount().get().doubleValue());
    } else {
      estimate.put("outputRowCount", "NaN");
    }
    estimate.put("outputSizeInBytes", statistics.sizeInBytes().doubleValue());
    for (String cost : new String[] {"cpuCost", memory, "networkCost"}) {
      estimate.put(cost, "NaN");
    }
    return estimate;
  }

  private static ObjectNode unknown() {
    ObjectNode estimate = JsonNodeFactory.instance.objectNode();
    for (String name : new String[] {"outputRowCount", "outputSizeInBytes", "cpuCost", "maxMemory", "networkCost"}) {
      estimate.put(name, "NaN");
    }
    return estimate;
  }
}
