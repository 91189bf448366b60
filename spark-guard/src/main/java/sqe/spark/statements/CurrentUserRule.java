package sqe.spark.statements;

import org.apache.spark.sql.catalyst.expressions.CurrentUser;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connect.service.SessionHolderInfo;
import org.apache.spark.sql.connect.service.SparkConnectService$;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Makes {@code current_user()} and its other names mean the user of the session: Spark would return the account of the server.
 *
 * <p>The user is the one that the gateway named when it opened the session. A view is analysed for its reader, so that it means the reader there.
 */
public final class CurrentUserRule extends Rule<LogicalPlan> {
  private final SparkSession session;
  private volatile String known;

  public CurrentUserRule(SparkSession session) {
    this.session = session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return AnalysisHelper.allowInvokingTransformsInAnalyzer(
        () ->
            plan.transformAllExpressionsWithSubqueries(
                Plans.when(
                    expression -> expression instanceof CurrentUser && person() != null,
                    expression -> new Literal(UTF8String.fromString(person()), expression.dataType()))));
  }

  /** Null outside of Spark Connect. */
  private String person() {
    if (known == null && SparkConnectService$.MODULE$.started()) {
      for (SessionHolderInfo each :
          CollectionConverters.asJava(SparkConnectService$.MODULE$.sessionManager().listActiveSessions())) {
        if (each.serverSessionId().equals(session.sessionUUID())) {
          known = each.userId();
        }
      }
    }
    return known;
  }
}
