package sqe.spark.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import sqe.spark.kinds.KindRules;
import sqe.spark.catalog.SessionCatalogs;
import sqe.spark.SqeExtensions;
import sqe.spark.guard.Guard;
import sqe.spark.guard.HashMask;
import sqe.spark.request.RequestKey;

/**
 * Brings the {@link Link} and the key of hash masks to executors in other JVMs: each asks the driver for them when it starts.
 *
 * <p>A driver that the gateway has started was told it before. One that others have started ({@code engine.url}) finds it
 * in its environment: the address, the names of files with the secret and with the key of hash masks, and whether it is to be
 * guarded. It is then locked like the gateway's own.
 */
public final class ControlPlugin implements SparkPlugin {
  private static final String URL = "SQE_CONTROL_URL";
  private static final String SECRET_FILE = "SQE_CONTROL_SECRET_FILE";
  private static final String GUARDED = "SQE_GUARDED";
  private static final String MASK_KEY_FILE = "SQE_MASK_KEY_FILE";
  private static final String MASK_KEY = "mask key";

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
        KindRules.on();
        SessionCatalogs.watch(context);
        String secret = content(SECRET_FILE);
        Control.configure(new Link(url, secret, null, null, null));
        RequestKey.set(secret.getBytes(StandardCharsets.UTF_8));
        if (System.getenv(MASK_KEY_FILE) != null) {
          HashMask.key(content(MASK_KEY_FILE).getBytes(StandardCharsets.UTF_8));
        }
        if (Boolean.parseBoolean(System.getenv(GUARDED))) {
          Guard.on(null);
        }
      }
      return Map.of();
    }

    private static String content(String variable) {
      try {
        return Files.readString(Path.of(System.getenv(variable))).strip();
      } catch (IOException unreadable) {
        throw new ControlException("The file that " + variable + " names cannot be read.", unreadable);
      }
    }

    @Override
    public Object receive(Object question) {
      if (MASK_KEY.equals(question)) {
        String[] key = {""};
        HashMask.share(shared -> key[0] = Base64.getEncoder().encodeToString(shared));
        return key[0];
      }
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
        String key = (String) context.ask(MASK_KEY);
        if (!key.isEmpty()) {
          HashMask.key(Base64.getDecoder().decode(key));
        }
      } catch (Exception failure) {
        throw new ControlException("The driver did not tell this executor how to ask the gateway.", failure);
      }
    }
  }
}
