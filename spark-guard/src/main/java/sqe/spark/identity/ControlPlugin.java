package sqe.spark.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import sqe.spark.Locked;
import sqe.spark.SessionCatalogs;
import sqe.spark.SqeExtensions;

/**
 * Brings the {@link Link} to executors in other JVMs: each asks the driver for it when it starts.
 *
 * <p>A driver that the gateway has started was told it before. One that others have started ({@code engine.url}) finds it
 * in its environment: the address, and the name of a file with the secret. It is then locked like the gateway's own.
 */
public final class ControlPlugin implements SparkPlugin {
  private static final String URL = "SQE_CONTROL_URL";
  private static final String SECRET_FILE = "SQE_CONTROL_SECRET_FILE";

  @Override
  public DriverPlugin driverPlugin() {
    return new Driver();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Executor();
  }

  private static final class Driver implements DriverPlugin {
    @Override
    public Map<String, String> init(SparkContext context, PluginContext plugin) {
      String url = System.getenv(URL);
      String file = System.getenv(SECRET_FILE);
      if (Control.link() == null && url != null && file != null) {
        if (!context.conf().get("spark.sql.extensions", "").contains(SqeExtensions.class.getName())) {
          throw new ControlException("Without " + SqeExtensions.class.getName() + " users of this server are not kept apart.");
        }
        Locked.on();
        SessionCatalogs.watch(context);
        Control.configure(new Link(url, secret(file), null, null, null));
      }
      return Map.of();
    }

    private static String secret(String file) {
      try {
        return Files.readString(Path.of(file)).strip();
      } catch (IOException unreadable) {
        throw new ControlException("The file that " + SECRET_FILE + " names cannot be read.", unreadable);
      }
    }

    @Override
    public Object receive(Object question) {
      Link link = Control.link();
      return link == null ? "" : link.text();
    }
  }

  private static final class Executor implements ExecutorPlugin {
    @Override
    public void init(PluginContext context, Map<String, String> extra) {
      if (Control.link() != null) {
        return; // the driver is in this JVM
      }
      try {
        Link link = Link.parse((String) context.ask("link"));
        if (link != null) {
          Control.configure(link);
        }
      } catch (Exception failure) {
        throw new ControlException("The driver did not tell this executor how to ask the gateway.", failure);
      }
    }
  }
}
