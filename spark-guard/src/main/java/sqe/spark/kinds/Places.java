package sqe.spark.kinds;

import java.util.Collection;
import java.util.Locale;

/**
 * Properties that say where the files of a table lie, and with which class they are placed.
 *
 * <p>Where files are written with the account of the server, a place that a user names would be written, and with DROP .. PURGE
 * emptied, as the server. A catalog that gives each user keys of their own decides that itself.
 */
public final class Places {
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
        throw new NotAllowed(key.equals("location") ? "LOCATION" : "The property " + key, KindList.reason("files"));
      }
    }
  }

  private static boolean isPlace(String key) {
    return key.equals("location") || key.startsWith("write.") && key.endsWith(".path");
  }
}
