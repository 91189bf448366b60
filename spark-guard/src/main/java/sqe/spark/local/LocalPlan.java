package sqe.spark.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Base64;
import org.apache.spark.connect.proto.Relation;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connect.planner.SparkConnectPlanner;
import org.apache.spark.sql.execution.CommandExecutionMode;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sqe.spark.Plans;

/**
 * Answers a statement with what the gateway's local executor runs: Spark's plan of it, resolved, guarded and optimized, in DuckDB's SQL.
 *
 * <p>A statement that is not rendered is answered with its own rows: Spark runs it, as if the gateway had sent nothing but the
 * statement. The gateway tells one from the other by the name of the only column, which it has chosen at random.
 */
public final class LocalPlan {
  private static final Logger LOG = LoggerFactory.getLogger(LocalPlan.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private LocalPlan() {}

  /**
   * @param argument {@code {"relation": .., "column": .., "most": ..}}: the plan of a statement, the answer's column, the most bytes.
   *     Without a column, the answer is a text that says what would run the statement.
   */
  public static LogicalPlan asked(SparkConnectPlanner planner, String argument) {
    byte[] bytes;
    Relation relation;
    String column;
    long most;
    try {
      JsonNode asked = JSON.readTree(argument);
      bytes = Base64.getDecoder().decode(asked.path("relation").asText());
      relation = Relation.parseFrom(bytes);
      column = asked.path("column").asText(null);
      most = asked.path("most").asLong();
    } catch (IOException odd) {
      throw new IllegalArgumentException("The argument is no plan.");
    }
    SparkSession session = planner.session();
    String kept = column == null ? null : KeptPlans.of(session).answer(session, bytes, most);
    if (kept != null) {
      return row(column, kept);
    }
    LogicalPlan statement = planner.transformRelation(relation);
    if (statement instanceof Command) {
      return column == null ? text("Spark: command") : statement;
    }
    QueryExecution query = session.sessionState().executePlan(statement, CommandExecutionMode.SKIP());
    LogicalPlan analyzed;
    try {
      query.assertAnalyzed();
      analyzed = query.analyzed();
    } catch (Exception failure) { // Scala does not declare what it throws
      return statement; // and fails again, as the statement that it is
    }
    String reason;
    try {
      String plan = rendered(query, session, column == null ? null : bytes, most);
      return column == null ? text("local (DuckDB)") : row(column, plan);
    } catch (NotRendered refused) {
      reason = refused.getMessage();
    } catch (Exception unexpected) {
      // Spark says what is wrong, if it finds the same.
      reason = "error " + unexpected.getClass().getSimpleName();
    }
    LOG.info("not rendered: {}", reason);
    return column == null ? text("Spark: " + reason) : analyzed;
  }

  private static LogicalPlan text(String text) {
    return row("executor", text);
  }

  /** @param statement the plan of the statement as the gateway sent it; null if it is not to be run, and needs no keys of stores */
  private static String rendered(QueryExecution query, SparkSession session, byte[] statement, long most) {
    LogicalPlan plan = query.optimizedPlan();
    if (plan instanceof Command) {
      throw new NotRendered("command");
    }
    if (!plan.deterministic()) {
      throw new NotRendered("functions that are not deterministic");
    }
    String zone = session.sessionState().conf().sessionLocalTimeZone();
    PlanRenderer renderer = new PlanRenderer(isUtc(zone) ? "UTC" : zone);
    String sql = renderer.statement(plan);
    String schema = query.analyzed().schema().json();
    boolean fails = renderer.fails();
    KeptPlans.Answer answer =
        (text, scans, bytes) -> answer(text, scans, bytes, schema, zone, fails, statement == null ? null : session);
    String answered = answer.of(sql, renderer.scans(), most);
    if (statement != null) {
      KeptPlans.of(session).keep(session, statement, query.analyzed(), renderer.template(), answer);
    }
    return answered;
  }

  /** @param session of which the keys for the tables' stores are; null if none are needed */
  private static String answer(
      String sql, Scans scans, long most, String schema, String zone, boolean fails, SparkSession session) {
    if (scans.tables() == 0) {
      throw new NotRendered("no table is read");
    }
    if (scans.bytes() > most) {
      throw new NotRendered("more than executor.max_scan bytes are read");
    }
    ObjectNode answer = JSON.createObjectNode();
    answer.put("sql", sql);
    answer.put("bytes", scans.bytes());
    answer.put("can_fail", fails);
    answer.put("zone", zone);
    answer.put("schema", schema);
    ArrayNode files = answer.putArray("files");
    scans.files().forEach(files::add);
    scans.sizes().forEach(answer.putArray("sizes")::add);
    scans.expectations(answer.putArray("scans"));
    if (session != null) {
      scans.stores().write(session, answer);
    }
    return answer.toString();
  }

  private static boolean isUtc(String zone) {
    return zone.equals("UTC") || zone.equals("Etc/UTC") || zone.equals("Z") || zone.equals("GMT") || zone.equals("+00:00");
  }

  private static LogicalPlan row(String column, String text) {
    return Plans.rows(
        new StructType().add(column, DataTypes.StringType),
        new GenericInternalRow(new Object[] {UTF8String.fromString(text)}));
  }
}
