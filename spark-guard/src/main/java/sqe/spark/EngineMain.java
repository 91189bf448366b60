package sqe.spark;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connect.service.SparkConnectService$;
import org.apache.spark.util.ShutdownHookManager$;
import scala.Option;
import scala.runtime.BoxedUnit;
import sqe.spark.catalog.SessionCatalogs;
import sqe.spark.explain.ExecutedPlans;
import sqe.spark.guard.Guard;
import sqe.spark.guard.HashMask;
import sqe.spark.identity.Control;
import sqe.spark.identity.Link;
import sqe.spark.isolation.Isolation;
import sqe.spark.kinds.KindRules;
import sqe.spark.request.RequestKey;

/**
 * Starts the Spark Connect server as {@code SparkConnectServer.main} does, and tells the parent process about it.
 *
 * <p>Settings arrive as JVM system properties ({@code spark.*}), the pre-shared token in the environment variable
 * {@code SPARK_CONNECT_AUTHENTICATE_TOKEN}. Standard output carries one JSON object per line and nothing else, so that
 * the parent knows the port at once and need not guess or probe. Standard input begins with what must not be seen by others
 * ({@link Introduction}); its end means that the parent is gone, however it died.
 */
public final class EngineMain {
  /** The server did not come up; the last line on standard output says why. */
  static final int FAILED = 1;

  /** Standard input ended. */
  static final int PARENT_GONE = 3;

  /** How long an orderly end may take before the JVM is halted. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** Above SPARK_CONTEXT_SHUTDOWN_PRIORITY (50): Spark Connect closes before the Spark context stops. */
  private static final int CONNECT_SHUTDOWN_PRIORITY = 75;

  private EngineMain() {}

  public static void main(String[] args) {
    PrintStream events = System.out;
    System.setOut(System.err);
    try {
      introduce(Introduction.read(System.in));
      exitWhenClosed(System.in);
      start();
      events.println(Events.ready(SparkConnectService$.MODULE$.localPort()));
      events.flush();
      daemon("sqe-pool-threads", PoolThreads::detach); // not before: it loads many classes
      SparkConnectService$.MODULE$.server().awaitTermination();
    } catch (EOFException parentGone) {
      exit(PARENT_GONE);
    } catch (Throwable failure) {
      failure.printStackTrace();
      events.println(Events.failed(failure));
      events.flush();
      exit(FAILED);
    }
  }

  private static void introduce(Introduction said) {
    if (said.locked()) {
      KindRules.on();
    }
    said.requestSecret().ifPresent(RequestKey::set);
    Link link = Link.of(said.lines());
    if (link != null) {
      Control.configure(link);
    }
    if (said.guarded()) {
      if (link == null) {
        throw new IllegalStateException("a guarded engine has to be told how to ask the gateway");
      }
      said.maskKey().ifPresent(HashMask::key);
      Guard.on(said.policyTimeout());
    }
  }

  private static void start() throws ClassNotFoundException {
    loadExtensions();
    SparkSession session = session();
    if (!SqeExtensions.applied()) {
      throw new IllegalStateException("spark.sql.extensions does not name " + SqeExtensions.class.getName());
    }
    SessionCatalogs.watch(session.sparkContext());
    session.sparkContext().addSparkListener(new LateJobs(session.sparkContext()));
    session.sparkContext().addSparkListener(new SessionDirectories());
    session.sparkContext().addSparkListener(new ExecutedPlans());
    // Before the server does the same through a builder that looks for its own class with Scala's reflection.
    SparkConnectService$.MODULE$.sessionManager().initializeBaseSession(session::newSession);
    SparkConnectService$.MODULE$.start(session.sparkContext());
    Isolation.start(session.sparkContext());
    ShutdownHookManager$.MODULE$.addShutdownHook(
        CONNECT_SHUTDOWN_PRIORITY,
        () -> {
          if (SparkConnectService$.MODULE$.started()) {
            SparkConnectService$.MODULE$.stop(Option.empty(), Option.empty());
          }
          return BoxedUnit.UNIT;
        });
  }

  private static SparkSession session() {
    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    thread.setContextClassLoader(new NoProviders(loader));
    try {
      // The classic builder, because the common one would follow SPARK_REMOTE to another server.
      return SparkSession.builder()
          // The two settings that SparkConnectServer.main pins: each session has class loaders and artifacts of its own.
          .config("spark.sql.artifact.isolation.enabled", true)
          .config("spark.sql.artifact.isolation.alwaysApplyClassloader", true)
          .getOrCreate();
    } finally {
      thread.setContextClassLoader(loader);
    }
  }

  /** Fails where Spark would only warn and go on without an extension, even if that is the one that guards. */
  private static void loadExtensions() throws ClassNotFoundException {
    for (String name : System.getProperty("spark.sql.extensions", "").split(",")) {
      if (!name.isBlank()) {
        Class.forName(name.strip());
      }
    }
  }

  private static void exitWhenClosed(InputStream input) {
    daemon(
        "sqe-parent-watch",
        () -> {
          try {
            while (input.read() >= 0) {}
          } catch (IOException closed) {
            // A broken pipe means the same as its end.
          }
          exit(PARENT_GONE);
        });
  }

  /** Leaves with the shutdown hooks run, which remove Spark's temporary files, or without them when they hang. */
  private static void exit(int status) {
    daemon(
        "sqe-halt",
        () -> {
          try {
            Thread.sleep(GRACE.toMillis());
          } catch (InterruptedException hurry) {
            // Then halt at once.
          }
          Runtime.getRuntime().halt(status);
        });
    System.exit(status);
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
