package sqe.spark.request;

import org.apache.spark.sql.connect.planner.SparkConnectPlanner;
import org.apache.spark.sql.connect.plugin.CommandPlugin;
import sqe.spark.explain.ExecutedPlans;
import sqe.spark.guard.TableRequests;
import sqe.spark.kinds.NotAllowed;

/**
 * Does what the gateway requests; named in {@code spark.connect.extensions.command.classes}. Spark runs a command when it executes a plan,
 * and never while it analyses one.
 */
public final class GatewayCommands implements CommandPlugin {
  private static final String SET_TAGS = "set_tags";
  private static final String WANT_PLAN = "want_plan";

  @Override
  public boolean process(byte[] extension, SparkConnectPlanner planner) {
    GatewayRequest request = GatewayRequest.of(extension, planner.session());
    if (request == null) {
      return false;
    }
    switch (request.name()) {
      case SET_TAGS -> TableRequests.setTags(planner.session(), request.argument());
      case WANT_PLAN -> ExecutedPlans.want(planner.session(), request.argument());
      default -> throw NotAllowed.request();
    }
    return true;
  }
}
