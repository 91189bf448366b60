package sqe.spark.kinds;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.util.Utils;

/**
 * Properties that say where the files of a table lie, and with which class they are placed.
 *
 * <p>Where files are written with the account of the server, a place that a user names would be written, and with DROP .. PURGE
 * emptied, as the server. A catalog that gives each user keys of their own decides that itself.
 */
public final class Places {
  private static final String LOCATION = "location";
  private static final String OWNER = "owner";

  private Places() {}

  /** Throws if users may not set one of the properties. */
  public static void check(Collection<String> properties, boolean ownKeys) {
    if (!KindRules.isOn()) {
      return;
    }
    for (String property : properties) {
      String key = property.toLowerCase(Locale.ROOT);
      if (key.endsWith("impl")) {
        throw new NotAllowed("The property " + key, KindList.reason("code"));
      }
      if (!ownKeys && isPlace(key)) {
        throw new NotAllowed(key.equals(LOCATION) ? "LOCATION" : "The property " + key, KindList.reason("files"));
      }
    }
  }

  /** The properties of a namespace as its users see them: without directories and the account of the server. */
  public static Map<String, String> shown(Map<String, String> properties, boolean ownKeys) {
    if (!KindRules.isOn()) {
      return properties;
    }
    Map<String, String> shown = new HashMap<>(withoutAccount(properties));
    if (!ownKeys) {
      shown.remove(LOCATION);
    }
    return Map.copyOf(shown);
  }

  /** Without what Spark adds to everything that is made: the account that it runs under, which is no user. */
  public static Map<String, String> withoutAccount(Map<String, String> properties) {
    if (!KindRules.isOn() || !Utils.getCurrentUserName().equals(properties.get(OWNER))) {
      return properties;
    }
    Map<String, String> others = new HashMap<>(properties);
    others.remove(OWNER);
    return others;
  }

  private static boolean isPlace(String key) {
    return key.equals(LOCATION) || key.startsWith("write.") && key.endsWith(".path");
  }
}
