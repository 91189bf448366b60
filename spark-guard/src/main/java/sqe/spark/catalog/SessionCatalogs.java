package sqe.spark.catalog;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.connect.service.SessionHolderInfo;
import org.apache.spark.sql.connect.service.SparkConnectService$;
import org.apache.spark.sql.connect.service.SparkListenerConnectSessionClosed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Closes the catalogs of sessions that have ended. Spark never does (SPARK-54367): each session would leave its database
 * connections, HTTP pools and refresh threads behind for as long as the engine lives.
 */
public final class SessionCatalogs extends SparkListener {
  private static final Logger LOG = LoggerFactory.getLogger(SessionCatalogs.class);

  /** By the session's UUID, which Connect calls its server-side id. */
  private static final Map<String, List<Closeable>> OPEN = new ConcurrentHashMap<>();

  private SessionCatalogs() {}

  /** To be called once for each engine. */
  public static void watch(SparkContext context) {
    context.addSparkListener(new SessionCatalogs());
  }

  /** Has something closed with its session. */
  public static void opened(String session, Closeable catalog) {
    OPEN.computeIfAbsent(session, id -> new CopyOnWriteArrayList<>()).add(catalog);
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerConnectSessionClosed closed) {
      // The event has the client's id of the session only. A session is on this list before the event is sent.
      for (SessionHolderInfo info :
          CollectionConverters.asJava(SparkConnectService$.MODULE$.sessionManager().listClosedSessions())) {
        if (info.sessionId().equals(closed.sessionId()) && info.userId().equals(closed.userId())) {
          close(OPEN.remove(info.serverSessionId()));
        }
      }
    }
  }

  private static void close(List<Closeable> catalogs) {
    for (Closeable catalog : catalogs == null ? List.<Closeable>of() : catalogs) {
      try {
        catalog.close();
      } catch (IOException | RuntimeException failure) {
        LOG.warn("a catalog of an ended session was not closed", failure);
      }
    }
  }
}
