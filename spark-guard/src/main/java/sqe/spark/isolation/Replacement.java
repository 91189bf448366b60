package sqe.spark.isolation;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends this JVM because it cannot serve any longer; the gateway starts another at once when it sees the status. */
final class Replacement {
  /** {@code src/sqe/engine/launcher/supervisor.py} knows it. */
  static final int STATUS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(Replacement.class);

  private Replacement() {}

  static void now(String why) {
    try {
      LOG.error("the engine is replaced: {}", why);
      System.err.println("The engine is replaced: " + why);
      System.err.flush();
    } finally {
      Runtime.getRuntime().halt(STATUS); // in order takes time, and needs threads that may be the trouble
    }
  }
}
