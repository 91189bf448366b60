package sqe.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.connect.service.SparkListenerConnectSessionClosed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the directory that Spark Connect makes for the models of a session, though none are trained, and only empties when
 * the session ends. The event comes after that.
 */
final class SessionDirectories extends SparkListener {
  private static final Logger LOG = LoggerFactory.getLogger(SessionDirectories.class);
  private static final Path ALL = Path.of(System.getProperty("java.io.tmpdir"), "spark_connect_model_cache");

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerConnectSessionClosed closed) {
      try {
        Files.deleteIfExists(ALL.resolve(closed.sessionId()));
      } catch (IOException failure) {
        LOG.warn("the directory of an ended session was not removed", failure);
      }
    }
  }
}
