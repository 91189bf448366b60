package sqe.spark.request;

import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connect.planner.SparkConnectPlanner;
import org.apache.spark.sql.connect.plugin.RelationPlugin;
import sqe.spark.catalog.Listings;
import sqe.spark.explain.ExecutedPlans;
import sqe.spark.explain.StatementPlan;
import sqe.spark.writes.ChangedRows;
import sqe.spark.parameters.ParameterTypes;
import sqe.spark.guard.TableRequests;
import sqe.spark.guard.Unguarded;
import sqe.spark.kinds.NotAllowed;
import sqe.spark.local.LocalPlan;

/**
 * Answers the gateway's requests with rows; named in {@code spark.connect.extensions.relation.classes}. None of them changes anything:
 * they are answered when a plan is described, too.
 */
public final class GatewayRelations implements RelationPlugin {
  private interface Answer {
    LogicalPlan of(SparkSession session, String argument);
  }

  private static final String LOCAL_PLAN = "local_plan"; // of a plan, which only the planner reads

  private static final Map<String, Answer> ANSWERS =
      Map.of(
          "changed_rows", ChangedRows::asked,
          "executed_plan", ExecutedPlans::asked,
          "namespaces", Listings::namespaces,
          "parameter_types", ParameterTypes::asked,
          "statement_plan", StatementPlan::asked,
          "table", TableRequests::facts,
          "tables", Listings::tables,
          "unguarded", (session, none) -> Unguarded.relation(),
          "uploaded_rows", UploadedRows::asked);

  @Override
  public Optional<LogicalPlan> transform(byte[] extension, SparkConnectPlanner planner) {
    GatewayRequest request = GatewayRequest.of(extension, planner.session());
    if (request == null) {
      return Optional.empty();
    }
    if (request.name().equals(LOCAL_PLAN)) {
      return Optional.of(LocalPlan.asked(planner, request.argument()));
    }
    Answer answer = ANSWERS.get(request.name());
    if (answer == null) {
      throw NotAllowed.request();
    }
    return Optional.of(answer.of(planner.session(), request.argument()));
  }
}
