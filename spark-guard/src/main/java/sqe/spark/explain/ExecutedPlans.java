package sqe.spark.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.guard.PlanGate;

/**
 * Keeps the executed plans of the statements that the gateway wants to explain, and answers with them once: which operators there
 * were, and what Spark has counted in each.
 */
public final class ExecutedPlans extends SparkListener {
  private static final String TAG = "_Tag_"; // Connect's name for a tag ends with this and what the client calls it
  private static final int REMEMBERED = 100;
  private static final int EXECUTIONS = 20; // of one statement; a command runs others
  private static final long WAIT_SECONDS = 20;

  /** By session and tag. */
  private static final Map<String, Wanted> WANTED =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Wanted> eldest) {
              return size() > REMEMBERED;
            }
          });

  private record Execution(QueryExecution query, boolean root, long nanoseconds) {}

  /** A statement whose plans are kept. */
  private static final class Wanted {
    private final String tag;
    private final List<Execution> ended = new ArrayList<>();

    Wanted(String tag) {
      this.tag = tag;
    }

    synchronized void add(Execution execution) {
      if (ended.size() < EXECUTIONS) {
        ended.add(execution);
      }
    }

    synchronized List<Execution> ended() {
      return List.copyOf(ended);
    }
  }

  /** Comes out of the listener bus behind all events that were put into it before. */
  private static final class Marker implements SparkListenerEvent {
    private final CountDownLatch seen = new CountDownLatch(1);
  }

  /** Executions of wanted statements that have begun, by their ids. One thread uses it: the listener bus. */
  private final Map<Long, SparkListenerSQLExecutionStart> begun = new HashMap<>();

  /** Keeps the plans of the statement that will run under a tag. */
  public static void want(SparkSession session, String tag) {
    WANTED.put(key(session, tag), new Wanted(tag));
  }

  /** One row of JSON: the executed plans of a wanted statement that has ended. They are forgotten then. */
  public static LogicalPlan asked(SparkSession session, String tag) {
    Wanted wanted = WANTED.get(key(session, tag));
    if (wanted == null) {
      return PlanText.row("[]");
    }
    Marker marker = new Marker();
    session.sparkContext().listenerBus().post(marker);
    try {
      marker.seen.await(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    WANTED.remove(key(session, tag));
    ArrayNode plans = JsonNodeFactory.instance.arrayNode();
    for (Execution execution : wanted.ended()) {
      if (!execution.query().sparkSession().sessionUUID().equals(session.sessionUUID())) {
        continue;
      }
      PlanGate.refuseHidden(execution.query().analyzed());
      ObjectNode plan = plans.addObject();
      plan.put("root", execution.root());
      plan.put("nanoseconds", execution.nanoseconds());
      plan.set("plan", PlanText.executed(execution.query().executedPlan()));
    }
    return PlanText.row(plans.toString());
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof Marker marker) {
      marker.seen.countDown();
    } else if (event instanceof SparkListenerSQLExecutionStart start && wanted(start) != null) {
      begun.put(start.executionId(), start);
    } else if (event instanceof SparkListenerSQLExecutionEnd end && !begun.isEmpty()) {
      SparkListenerSQLExecutionStart start = begun.remove(end.executionId());
      Wanted wanted = start == null ? null : wanted(start);
      if (wanted != null && end.qe() != null && end.errorMessage().forall(String::isEmpty)) {
        boolean root = start.rootExecutionId().forall(id -> id.equals(start.executionId()));
        wanted.add(new Execution(end.qe(), root, end.duration()));
      }
    }
  }

  private static Wanted wanted(SparkListenerSQLExecutionStart start) {
    if (WANTED.isEmpty()) {
      return null;
    }
    synchronized (WANTED) {
      for (Wanted wanted : WANTED.values()) {
        for (String tag : CollectionConverters.asJava(start.jobTags())) {
          if (tag.endsWith(TAG + wanted.tag)) {
            return wanted;
          }
        }
      }
    }
    return null;
  }

  private static String key(SparkSession session, String tag) {
    return session.sessionUUID() + ' ' + tag;
  }
}
